//! One deadline over every wait of a hop.

use std::future::Future;
use std::time::Duration;

use sr_policy::Failure;
use tokio::time::{Instant, timeout_at};

/// When a hop must be over, and how long that was from its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Deadline {
    at: Instant,
    limit_ms: u32,
}

impl Deadline {
    /// Starts now.
    pub(crate) fn until(at: Instant) -> Self {
        Self {
            at,
            limit_ms: milliseconds(at.saturating_duration_since(Instant::now())),
        }
    }

    /// The same, or a sooner one `limit` from now.
    pub(crate) fn within(self, limit: Duration) -> Self {
        let at = Instant::now() + limit;
        if at < self.at {
            Self {
                at,
                limit_ms: milliseconds(limit),
            }
        } else {
            self
        }
    }

    /// Waits for `work`, no longer than the deadline; the failure says what was waited for.
    pub(crate) async fn bound<T>(
        self,
        what: &str,
        host: &str,
        work: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        timeout_at(self.at, work)
            .await
            .map_err(|_| Failure::Timeout {
                what: format!("{what} of {host}"),
                limit_ms: self.limit_ms,
            })
    }
}

fn milliseconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}
