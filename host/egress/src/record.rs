//! A transport that keeps what passed, redacted, for `--record`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use sr_policy::Failure;
use sr_policy::limits::RECORDING_BYTES;
use sr_policy::recording::{Exchange, RecordedResponse, Recording};

use crate::transport::{Hop, Pending, Reply, Transport};

/// Wraps a transport and records every hop it answers, in the order the requests left.
/// Sensitive headers and query values never enter the recording.
pub struct Recorder<T> {
    inner: T,
    clock_ms: i64,
    seed: u64,
    slots: Mutex<Slots>,
}

#[derive(Default)]
struct Slots {
    exchanges: Vec<Option<Exchange>>,
    /// Bytes of the bodies kept.
    bytes: usize,
    full: bool,
}

impl<T: Transport> Recorder<T> {
    /// Records what `inner` answers; clock (milliseconds since 1970 UTC) and seed are those the component saw.
    pub fn new(inner: T, clock_ms: i64, seed: u64) -> Self {
        Self {
            inner,
            clock_ms,
            seed,
            slots: Mutex::default(),
        }
    }

    /// The recording so far; later calls start empty. Requests that failed are not in it.
    #[must_use]
    pub fn finish(&self) -> Recording {
        let exchanges = std::mem::take(&mut *self.lock())
            .exchanges
            .into_iter()
            .flatten()
            .collect();
        Recording {
            exchanges,
            ..Recording::new(self.clock_ms, self.seed)
        }
    }

    /// Whether more came than a recording may hold. What came later was not kept.
    pub fn is_full(&self) -> bool {
        self.lock().full
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(&self, hop: Hop<'_>) -> Result<Reply, Failure> {
        let place = {
            let mut slots = self.lock();
            slots.exchanges.push(None);
            slots.exchanges.len() - 1
        };
        let reply = self.inner.exchange(hop).await?;
        {
            let mut slots = self.lock();
            slots.bytes = slots.bytes.saturating_add(reply.body.len());
            // Without this bound a run of 500 replies of 16 MiB would be kept in memory.
            slots.full |= slots.bytes > RECORDING_BYTES;
            if slots.full {
                return Ok(reply);
            }
        }
        let response = RecordedResponse::new(reply.status, &reply.headers, &reply.body);
        let exchange = Exchange::new(hop.method, hop.url, hop.headers, hop.body, response);
        if let Some(slot) = self.lock().exchanges.get_mut(place) {
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
