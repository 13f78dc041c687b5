//! A transport that keeps what passed, redacted, for `--record`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use sr_policy::Failure;
use sr_policy::recording::{Exchange, RecordedResponse, Recording};

use crate::transport::{Hop, Pending, Reply, Transport};

/// Wraps a transport and records every hop it answers, in the order the requests left.
/// Sensitive headers and query values never enter the recording.
pub struct Recorder<T> {
    inner: T,
    clock_ms: i64,
    seed: u64,
    slots: Mutex<Vec<Option<Exchange>>>,
}

impl<T: Transport> Recorder<T> {
    /// Records what `inner` answers; clock (milliseconds since 1970 UTC) and seed are those the component saw.
    pub fn new(inner: T, clock_ms: i64, seed: u64) -> Self {
        Self {
            inner,
            clock_ms,
            seed,
            slots: Mutex::new(Vec::new()),
        }
    }

    /// The recording so far; later calls start empty. Requests that failed are not in it.
    #[must_use]
    pub fn finish(&self) -> Recording {
        let exchanges = std::mem::take(&mut *self.lock())
            .into_iter()
            .flatten()
            .collect();
        Recording {
            exchanges,
            ..Recording::new(self.clock_ms, self.seed)
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<Exchange>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(&self, hop: Hop<'_>) -> Result<Reply, Failure> {
        let place = {
            let mut slots = self.lock();
            slots.push(None);
            slots.len() - 1
        };
        let reply = self.inner.exchange(hop).await?;
        let response = RecordedResponse::new(reply.status, &reply.headers, &reply.body);
        let exchange = Exchange::new(hop.method, hop.url, hop.headers, hop.body, response);
        if let Some(slot) = self.lock().get_mut(place) {
            *slot = Some(exchange);
        }
        Ok(reply)
    }
}

impl<T: Transport> Transport for Recorder<T> {
    fn exchange<'a>(&'a self, hop: Hop<'a>) -> Pending<'a, Result<Reply, Failure>> {
        Box::pin(self.run(hop))
    }
}
