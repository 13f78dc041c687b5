//! A few idle connections per origin, so that a plugin's second request pays no second handshake.

use std::sync::{Mutex, MutexGuard, PoisonError};

use sr_policy::Origin;
use tokio::time::Instant;

use crate::connection::Connection;
use crate::limits::{IDLE_CONNECTIONS, IDLE_TIME};

/// Idle connections, oldest first. Each was dialled under the address check for its origin.
#[derive(Default)]
pub(crate) struct Pool {
    idle: Mutex<Vec<Idle>>,
}

struct Idle {
    origin: Origin,
    connection: Connection,
    since: Instant,
}

impl Pool {
    /// The youngest usable connection to `origin`; those that closed or grew old are dropped on the way.
    pub(crate) fn take(&self, origin: &Origin) -> Option<Connection> {
        let mut idle = self.lock();
        idle.retain(|entry| entry.connection.is_open() && entry.since.elapsed() < IDLE_TIME);
        let place = idle.iter().rposition(|entry| entry.origin == *origin)?;
        Some(idle.remove(place).connection)
    }

    /// Keeps a connection whose last answer was read to its end.
    pub(crate) fn put(&self, origin: Origin, connection: Connection) {
        if !connection.is_open() {
            return;
        }
        let mut idle = self.lock();
        if idle.len() >= IDLE_CONNECTIONS {
            idle.remove(0);
        }
        idle.push(Idle {
            origin,
            connection,
            since: Instant::now(),
        });
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
