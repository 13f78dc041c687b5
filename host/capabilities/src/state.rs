//! The state of one run: everything a host call can reach.

use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use sr_egress::Transport;
use sr_engine::Limiter;
use sr_engine::constants::{CANCEL_GRACE_MS, COMPUTE_MS, GRACE_MS, HOST_RESOURCES};
use sr_engine::wasmtime::component::ResourceTable;
use sr_engine::wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use sr_policy::command::Column;
use sr_policy::command_rules::RowMeter;
use sr_policy::failure::codes;
use sr_policy::observer::{Decision, HostCall, Observer, Tally};
use sr_policy::request::{Phase, RequestPolicy};
use sr_policy::value::Row;
use sr_policy::{Denial, Failure};

use crate::cancel::Cancel;
use crate::sitedata::SitedataView;

/// The store's data. Fields are private to this crate: a host function is the only way in.
pub struct RunState {
    pub(crate) wasi: WasiCtx,
    pub(crate) table: ResourceTable,
    pub(crate) limiter: Limiter,
    pub(crate) clock: RunClock,
    pub(crate) policy: RequestPolicy,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) sitedata: Option<SitedataView>,
    pub(crate) observer: Option<Arc<dyn Observer>>,
    pub(crate) columns: Vec<Column>,
    pub(crate) emitted: Vec<Row>,
    pub(crate) meter: RowMeter,
    pub(crate) requests: u32,
    pub(crate) log_lines: u32,
    pub(crate) last_progress: Option<Instant>,
    pub(crate) tally: Tally,
}

impl WasiView for RunState {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

impl RunState {
    /// The table of host resources, capped: a guest could otherwise keep a million streams.
    pub(crate) fn capped_table() -> ResourceTable {
        let mut table = ResourceTable::new();
        table.set_max_capacity(HOST_RESOURCES);
        table
    }

    /// What every host call starts with: denied while metadata is read, cancelled afterwards.
    pub(crate) fn admit(&self, function: &'static str) -> Result<(), Failure> {
        if self.policy.phase == Phase::Metadata {
            return Err(Failure::Denied(Denial {
                code: codes::NOT_DURING_METADATA.into(),
                rule: "metadata".into(),
                subject: function.into(),
                fix: None,
            }));
        }
        if self.clock.cancel.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        Ok(())
    }

    /// Waits for something outside the guest, bounded by the run's own end and by a cancel.
    pub(crate) async fn wait<T>(
        clock: &mut RunClock,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let mut work = std::pin::pin!(work);
        // A refusal or a recorded answer is there at once, and needs no timer.
        let first = std::future::poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await;
        if let Poll::Ready(answer) = first {
            clock.rearm();
            return answer;
        }
        let limit_ms = clock.limit_ms;
        let ends = tokio::time::Instant::from_std(clock.ends);
        let answer = tokio::select! {
            biased;
            () = clock.cancel.cancelled() => Err(Failure::Cancelled),
            answer = &mut work => answer,
            () = tokio::time::sleep_until(ends) => {
                clock.told = true;
                Err(Failure::Timeout { what: "the run".into(), limit_ms })
            }
        };
        clock.rearm();
        answer
    }

    /// A call without a reply's body ended.
    pub(crate) fn observe<T>(
        &mut self,
        function: &'static str,
        subject: &str,
        started: Option<Instant>,
        answer: &Result<T, Failure>,
    ) {
        self.observe_reply(function, subject, started, answer, |_| 0);
    }

    /// A call ended; `bytes` says how long the reply's body is.
    pub(crate) fn observe_reply<T>(
        &mut self,
        function: &'static str,
        subject: &str,
        started: Option<Instant>,
        answer: &Result<T, Failure>,
        bytes: impl FnOnce(&T) -> usize,
    ) {
        let (decision, rule, bytes) = match answer {
            Ok(reply) => (Decision::Allowed, None, bytes(reply) as u64),
            Err(Failure::Denied(denial)) => (Decision::Denied, Some(denial.rule.as_str()), 0),
            Err(_) => (Decision::Failed, None, 0),
        };
        self.tally.calls += 1;
        self.tally.denied += u64::from(decision == Decision::Denied);
        self.tally.bytes = self.tally.bytes.saturating_add(bytes);
        let (Some(observer), Some(started)) = (&self.observer, started) else {
            return;
        };
        let micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        observer.host_call(&HostCall {
            function,
            decision,
            rule,
            subject,
            micros,
            bytes,
        });
    }

    /// Now, when somebody observes; reading the clock costs as much as a small host call.
    pub(crate) fn started(&self) -> Option<Instant> {
        self.observer.as_ref().map(|_| Instant::now())
    }
}

/// The run's time: the wall limit, the compute budget between waits, and the cancel handle.
#[derive(Debug)]
pub(crate) struct RunClock {
    pub(crate) ends: Instant,
    pub(crate) limit_ms: u32,
    pub(crate) cancel: Cancel,
    /// A host call answered that the run's time is over.
    told: bool,
    armed: Instant,
    cancel_seen: Option<Instant>,
    compute: Duration,
}

/// Why the epoch callback ended a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Interrupted {
    #[error("compute time: {0} ms without a host call that waits")]
    Compute(u64),
    #[error("run time: it was still computing past its {0} ms")]
    Wall(u32),
    #[error("it went on after it was told that its {0} ms are over")]
    Overdue(u32),
    #[error("cancelled")]
    Cancelled,
}

impl RunClock {
    pub(crate) fn new(limit_ms: u32, compute_ms: u64, cancel: Cancel) -> Self {
        let now = Instant::now();
        Self {
            ends: now + Duration::from_millis(limit_ms.into()),
            limit_ms,
            cancel,
            told: false,
            armed: now,
            cancel_seen: None,
            compute: Duration::from_millis(compute_ms.min(COMPUTE_MS)),
        }
    }

    pub(crate) fn rearm(&mut self) {
        self.armed = Instant::now();
    }

    /// Called at each epoch tick while the guest computes.
    pub(crate) fn tick(&mut self) -> Result<(), Interrupted> {
        let now = Instant::now();
        let grace = Duration::from_millis(GRACE_MS);
        if self.cancel.is_cancelled() {
            let seen = *self.cancel_seen.get_or_insert(now);
            if now.duration_since(seen) >= Duration::from_millis(CANCEL_GRACE_MS) {
                return Err(Interrupted::Cancelled);
            }
        }
        if now >= self.ends + grace {
            return Err(match self.told {
                true => Interrupted::Overdue(self.limit_ms),
                false => Interrupted::Wall(self.limit_ms),
            });
        }
        if now.duration_since(self.armed) >= self.compute {
            let compute = u64::try_from(self.compute.as_millis()).unwrap_or(u64::MAX);
            return Err(Interrupted::Compute(compute));
        }
        Ok(())
    }
}
