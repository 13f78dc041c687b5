//! Running a component: metadata, a read, or a write in its two steps.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sr_egress::{Hop, Reply, Transport};
use sr_engine::bindings::v0_1::{Adapter, exports, sr};
use sr_engine::constants::{
    CANCEL_GRACE_MS, COMPONENT_HANDLES, GRACE_MS, HOSTCALL_BYTES, METADATA_MS, RUN_MS, RUN_MS_MAX,
};
use sr_engine::wasmtime::component::{Component, HasSelf, Linker};
use sr_engine::wasmtime::{self, Engine, Store, UpdateDeadline};
use sr_engine::{CapturedOutput, Limiter, Ticker, WasiSettings, link_wasi};
use sr_policy::command::{Access, Call, Command, Output};
use sr_policy::command_rules::RowMeter;
use sr_policy::command_rules::check_commands;
use sr_policy::observer::{Observer, Tally};
use sr_policy::request::{Phase, RequestPolicy};
use sr_policy::{Allowlist, Failure};

use crate::cancel::Cancel;
use crate::end::{RunEnd, bounded, of_the_system};
use crate::sitedata::SitedataView;
use crate::state::{RunClock, RunState};

/// The clock of the metadata call: 2020-01-01, so that no adapter mistakes it for today.
const METADATA_CLOCK_MS: i64 = 1_577_836_800_000;

/// Why a component cannot be asked or run at all.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The host's own functions do not link: a fault of the host.
    #[error("the host functions do not link: {0}")]
    Link(wasmtime::Error),
    /// No thread for the epoch clock.
    #[error("no thread for the run's clock: {0}")]
    Clock(std::io::Error),
    /// The system refused what an instance needs, whatever the component is: a limit on the size of
    /// files holds for the memory of components too.
    #[error("the system gives no memory for a component: {0}")]
    System(std::io::Error),
    /// The metadata call ended badly.
    #[error("its list of commands cannot be read: {reason}")]
    Metadata {
        /// What happened.
        reason: String,
        /// The component's own last words; untrusted.
        guest: Option<String>,
    },
    /// The list of commands breaks the rules.
    #[error("its list of commands is not acceptable: {}", .faults.join("; "))]
    Commands {
        /// Each fault names command and field.
        faults: Vec<String>,
    },
}

/// Everything one run needs. Nothing in it comes from the component.
pub struct RunRequest {
    /// The command, from the index.
    pub command: Command,
    /// The parsed command line.
    pub call: Call,
    /// What it may reach; the phase is set by the run.
    pub policy: RequestPolicy,
    /// How requests leave, or where recorded replies come from.
    pub transport: Arc<dyn Transport>,
    /// The calibration document, when the capability is granted.
    pub sitedata: Option<SitedataView>,
    /// Who watches, if anyone.
    pub observer: Option<Arc<dyn Observer>>,
    /// Clocks and random.
    pub wasi: WasiSettings,
    /// Cancels this run.
    pub cancel: Cancel,
    /// A write stops after `prepare`.
    pub dry_run: bool,
}

/// What a run left behind.
#[derive(Debug)]
pub struct RunReport {
    /// How it ended.
    pub end: RunEnd,
    /// Whether `commit` was entered: from then on nothing may be repeated blindly.
    pub committed: bool,
    /// The component's stdout and stderr, untrusted.
    pub output: CapturedOutput,
    /// Its host calls.
    pub tally: Tally,
}

/// A linker with every function this host offers.
pub struct Host {
    engine: Engine,
    linker: Linker<RunState>,
    /// Started with the first guest call, stopped with the host.
    ticker: Mutex<Option<Ticker>>,
}

impl Host {
    /// Links WASI and the `sr:runtime` interfaces, once per engine.
    ///
    /// # Errors
    /// [`HostError::Link`].
    pub fn new(engine: &Engine) -> Result<Self, HostError> {
        let mut linker = Linker::new(engine);
        link(&mut linker).map_err(HostError::Link)?;
        Ok(Self {
            engine: engine.clone(),
            linker,
            ticker: Mutex::new(None),
        })
    }

    /// Calls `commands` in a throw-away instance: every import denied, clock and random fixed.
    ///
    /// # Errors
    /// [`HostError::System`] when no instance can be made, [`HostError::Metadata`] when it traps, takes too long or does not link,
    /// [`HostError::Commands`] when the answer breaks a rule.
    pub async fn metadata(&self, component: &Component) -> Result<Vec<Command>, HostError> {
        self.tick()?;
        let wasi = WasiSettings::Fixed {
            clock_ms: METADATA_CLOCK_MS,
            seed: 0,
        };
        let limit_ms = u32::try_from(METADATA_MS).unwrap_or(RUN_MS);
        let clock = RunClock::new(limit_ms, METADATA_MS, Cancel::new());
        let output = CapturedOutput::default();
        let state = RunState {
            wasi: wasi.context(&output),
            table: RunState::capped_table(),
            limiter: Limiter::default(),
            clock,
            policy: metadata_policy(),
            transport: Arc::new(NoTransport),
            sitedata: None,
            observer: None,
            columns: vec![],
            emitted: vec![],
            meter: RowMeter::new(),
            requests: 0,
            log_lines: 0,
            last_progress: None,
            tally: Tally::default(),
        };
        let mut store = self.store(state);
        let called = async {
            let adapter = Adapter::instantiate_async(&mut store, component, &self.linker).await?;
            adapter.sr_runtime_plugin().call_commands(&mut store).await
        };
        let wall = Duration::from_millis(METADATA_MS + GRACE_MS);
        let answer = tokio::time::timeout(wall, called).await;
        let commands: Vec<Command> = match answer {
            Ok(Ok(commands)) => commands.into_iter().map(Command::from).collect(),
            Ok(Err(error)) => {
                if let Some(error) = of_the_system(&error) {
                    return Err(HostError::System(error));
                }
                let (reason, guest) = match RunEnd::from_error(&error, store.data(), &output) {
                    RunEnd::Trapped { reason, guest } => (reason, guest),
                    RunEnd::Limit { what } => (what, None),
                    _ => (format!("it took longer than {METADATA_MS} ms"), None),
                };
                return Err(HostError::Metadata { reason, guest });
            }
            Err(_) => {
                let reason = format!("it took longer than {METADATA_MS} ms");
                return Err(HostError::Metadata {
                    reason,
                    guest: None,
                });
            }
        };
        check_commands(&commands).map_err(|faults| HostError::Commands { faults })?;
        Ok(commands)
    }

    /// Runs one command to its end. Hardly ever fails itself: the report says how it ended.
    ///
    /// # Errors
    /// [`HostError::Clock`] when no run can be bounded, [`HostError::System`] when no instance can
    /// be made, so none is started.
    pub async fn run(
        &self,
        component: &Component,
        request: RunRequest,
    ) -> Result<RunReport, HostError> {
        self.tick()?;
        let limit_ms = match request.command.timeout_ms {
            0 => RUN_MS,
            named => named.min(RUN_MS_MAX),
        };
        let output = CapturedOutput::default();
        let access = request.command.access;
        let mut policy = request.policy;
        policy.phase = match access {
            Access::Read => Phase::Read,
            Access::Write => Phase::Prepare,
        };
        let state = RunState {
            wasi: request.wasi.context(&output),
            table: RunState::capped_table(),
            limiter: Limiter::default(),
            clock: RunClock::new(limit_ms, u64::MAX, request.cancel.clone()),
            policy,
            transport: request.transport,
            sitedata: request.sitedata,
            observer: request.observer,
            columns: request.command.columns.clone(),
            emitted: vec![],
            meter: RowMeter::new(),
            requests: 0,
            log_lines: 0,
            last_progress: None,
            tally: Tally::default(),
        };
        let mut store = self.store(state);
        let mut committed = false;
        let wall = Duration::from_millis(u64::from(limit_ms) + GRACE_MS);
        let steps = self.steps(
            &mut store,
            component,
            &request.command,
            request.call,
            request.dry_run,
            &mut committed,
        );
        // A component that waits without asking this host is not told of the cancel: it is left.
        let left = async {
            request.cancel.cancelled().await;
            tokio::time::sleep(Duration::from_millis(CANCEL_GRACE_MS)).await;
        };
        let ended = tokio::select! {
            biased;
            ended = tokio::time::timeout(wall, steps) => Some(ended),
            () = left => None,
        };
        let end = match ended {
            Some(Ok(Ok(end))) => end,
            Some(Ok(Err(error))) => match of_the_system(&error) {
                Some(error) if !committed => return Err(HostError::System(error)),
                _ => RunEnd::from_error(&error, store.data(), &output),
            },
            Some(Err(_)) if !request.cancel.is_cancelled() => RunEnd::TimedOut { limit_ms },
            Some(Err(_)) | None => RunEnd::Cancelled,
        };
        Ok(RunReport {
            end,
            committed,
            output,
            tally: store.data().tally,
        })
    }

    async fn steps(
        &self,
        store: &mut Store<RunState>,
        component: &Component,
        command: &Command,
        call: Call,
        dry_run: bool,
        committed: &mut bool,
    ) -> wasmtime::Result<RunEnd> {
        let adapter = Adapter::instantiate_async(&mut *store, component, &self.linker).await?;
        let plugin = adapter.sr_runtime_plugin();
        let call = exports::sr::runtime::plugin::Call::from(call);
        let answer = match command.access {
            Access::Read => plugin.call_run(&mut *store, &call).await?,
            Access::Write => match plugin.call_prepare(&mut *store, &call).await? {
                Err(failure) => Err(failure),
                Ok(prepared) => {
                    let write = plugin.prepared();
                    let plan = write.call_plan(&mut *store, prepared).await?;
                    if dry_run {
                        prepared.resource_drop_async(&mut *store).await?;
                        return Ok(RunEnd::Planned(plan.into()));
                    }
                    if store.data().clock.cancel.is_cancelled() {
                        return Ok(RunEnd::Cancelled);
                    }
                    store.data_mut().policy.phase = Phase::Commit;
                    *committed = true;
                    write.call_commit(&mut *store, prepared).await?
                }
            },
        };
        match answer {
            Err(failure) => Ok(match Failure::from(failure) {
                Failure::Cancelled => RunEnd::Cancelled,
                failure => RunEnd::Failed(bounded(failure)),
            }),
            Ok(output) => Ok(finish(store, output.into())),
        }
    }

    fn tick(&self) -> Result<(), HostError> {
        let mut ticker = self.ticker.lock().unwrap_or_else(PoisonError::into_inner);
        if ticker.is_none() {
            *ticker = Some(Ticker::start(&self.engine).map_err(HostError::Clock)?);
        }
        Ok(())
    }

    fn store(&self, state: RunState) -> Store<RunState> {
        let mut store = Store::new(&self.engine, state);
        store.limiter(|state| &mut state.limiter);
        store.set_hostcall_fuel(HOSTCALL_BYTES);
        store.set_max_component_handles(COMPONENT_HANDLES);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|mut context| {
            context.data_mut().clock.tick()?;
            // Yields through tokio so that timers and signals get their turn.
            Ok(UpdateDeadline::YieldCustom(
                1,
                Box::pin(tokio::task::yield_now()),
            ))
        });
        store
    }
}

/// Early rows first, then the returned ones; broken rows end the run.
fn finish(store: &mut Store<RunState>, mut output: Output) -> RunEnd {
    let state = store.data_mut();
    if let Err(fault) = state.meter.check(&state.columns, &output.rows) {
        let reason = format!("its rows break its own columns: {fault}");
        return RunEnd::Trapped {
            reason,
            guest: None,
        };
    }
    if !state.emitted.is_empty() {
        let mut rows = std::mem::take(&mut state.emitted);
        rows.append(&mut output.rows);
        output.rows = rows;
    }
    RunEnd::Finished(output)
}

fn link(linker: &mut Linker<RunState>) -> wasmtime::Result<()> {
    link_wasi(linker)?;
    sr::runtime::log::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    sr::runtime::task::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    sr::runtime::fetch::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    sr::runtime::sitedata::add_to_linker::<_, HasSelf<_>>(linker, |state| state)?;
    Ok(())
}

impl sr::runtime::types::Host for RunState {}

fn metadata_policy() -> RequestPolicy {
    RequestPolicy {
        fetch: false,
        allowlist: Allowlist::default(),
        posts: vec![],
        phase: Phase::Metadata,
    }
}

/// The metadata call has no way out even if a check were missing.
struct NoTransport;

impl Transport for NoTransport {
    fn exchange<'a>(
        &'a self,
        _: Hop<'a>,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<Reply, Failure>> + Send + 'a>> {
        Box::pin(std::future::ready(Err(Failure::Unavailable(
            "no network here".into(),
        ))))
    }
}
