//! Running one command of an open plugin.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use sr_capabilities::{Cancel, RunEnd, RunReport, RunRequest};
use sr_egress::{Live, Options as EgressOptions, Recorder, Replay, Transport};
use sr_engine::WasiSettings;
use sr_policy::command::{Call, Command};
use sr_policy::observer::{Observer, Outcome, Several};

use crate::ending::Ending;
use crate::fault::Fault;
use crate::install::now_ms;
use crate::open::OpenPlugin;
use crate::outcome::{Facts, host_failed, outcome};
use crate::runtime::block_on;
use crate::trace::Trace;
use crate::{recording, trace};

/// How to run.
#[derive(Default)]
pub struct RunOptions {
    /// Recorded replies instead of the network.
    pub replay: Option<PathBuf>,
    /// Where to write the replies of this run.
    pub record: Option<PathBuf>,
    /// Where to write the host calls of this run.
    pub trace: Option<PathBuf>,
    /// Resolver and proxy rules, certificates.
    pub egress: EgressOptions,
    /// A write stops after `prepare`.
    pub dry_run: bool,
    /// Who watches, if anyone.
    pub observer: Option<Arc<dyn Observer>>,
    /// Cancels the run.
    pub cancel: Cancel,
    /// Cancel on an interrupt from the terminal and on a request to terminate.
    pub cancel_on_interrupt: bool,
}

/// How a command ended, for output and exit code.
#[derive(Debug)]
pub struct Ran {
    /// How it ended.
    pub end: RunEnd,
    /// Whether `commit` was entered.
    pub committed: bool,
    /// The component's stdout and stderr; untrusted.
    pub output: sr_engine::CapturedOutput,
    /// The first request a replay had no answer for.
    pub replay_missed: Option<sr_egress::Missed>,
    /// One line about the run, as its trace has it.
    pub outcome: Outcome,
    /// What was asked for and is not there or not whole: the recording, the trace.
    pub lost: Vec<Fault>,
}

/// The command of this name or alias.
#[must_use]
pub fn command_named<'c>(commands: &'c [Command], name: &str) -> Option<&'c Command> {
    commands
        .iter()
        .find(|command| command.name == name || command.aliases.iter().any(|alias| alias == name))
}

impl OpenPlugin {
    /// The command of this name or alias.
    #[must_use]
    pub fn command(&self, name: &str) -> Option<&Command> {
        command_named(&self.commands, name)
    }

    /// Runs a command to its end.
    ///
    /// # Errors
    /// Before anything ran: options, recordings or a trace that cannot be used, live metadata
    /// that differs from the index. What is lost after that is in [`Ran::lost`].
    pub fn run(&self, command: &Command, call: Call, options: RunOptions) -> Result<Ran, Fault> {
        if self.ungranted_writes.contains(&command.name) {
            return Err(Fault::WriteNotGranted {
                name: self.name.clone(),
                command: command.name.clone(),
            });
        }
        let trace = options.trace.as_deref().map(trace::Prepared::at);
        let trace = trace.transpose()?;
        match (&options.replay, &options.record) {
            (Some(path), _) => {
                let recording = recording::read(path)?;
                let wasi = recording::settings(&recording);
                let replay = Arc::new(Replay::new(recording));
                let transport: Arc<dyn Transport> = replay.clone();
                let done = self.run_with(command, call, &options, trace, transport, wasi)?;
                Ok(self.ran(command, done, replay.missed(), None))
            }
            (None, Some(path)) => {
                let target = recording::Target::prepare(path)?;
                let (clock_ms, seed) = recording::fresh_clock_and_seed()?;
                let live = Live::new(options.egress.clone())?;
                let recorder = Arc::new(Recorder::new(live, clock_ms, seed));
                let transport: Arc<dyn Transport> = recorder.clone();
                let wasi = WasiSettings::Fixed { clock_ms, seed };
                let done = self.run_with(command, call, &options, trace, transport, wasi)?;
                // The run has happened: its rows are shown even when its recording is lost.
                let lost = match recorder.is_full() {
                    true => Some(Fault::RecordingFull { path: path.clone() }),
                    false => target.write(&recorder.finish()).err(),
                };
                Ok(self.ran(command, done, None, lost))
            }
            (None, None) => {
                let live = Arc::new(Live::new(options.egress.clone())?);
                let wasi = WasiSettings::Live;
                let done = self.run_with(command, call, &options, trace, live, wasi)?;
                Ok(self.ran(command, done, None, None))
            }
        }
    }

    fn run_with(
        &self,
        command: &Command,
        call: Call,
        options: &RunOptions,
        trace: Option<trace::Prepared>,
        transport: Arc<dyn Transport>,
        wasi: WasiSettings,
    ) -> Result<Done, Fault> {
        let cancel = options.cancel.clone();
        let interruptible = options.cancel_on_interrupt;
        block_on(async {
            if self.indexed {
                let live = self.machine.host.metadata(&self.component).await?;
                if live != self.commands {
                    return Err(Fault::LiveMetadata {
                        name: self.name.clone(),
                    });
                }
            }
            let trace = trace.map(|trace| self.begin(trace, command)).transpose()?;
            let mut watching: Vec<Arc<dyn Observer>> = options.observer.iter().cloned().collect();
            watching.extend(trace.as_ref().map(Trace::observer));
            let begun = Instant::now();
            let request = RunRequest {
                command: command.clone(),
                call,
                policy: self.policy(),
                transport,
                sitedata: self.sitedata(),
                observer: match watching.len() {
                    0 | 1 => watching.pop(),
                    _ => Some(Arc::new(Several(watching))),
                },
                wasi,
                cancel: options.cancel.clone(),
                dry_run: options.dry_run,
            };
            let run = self.machine.host.run(&self.component, request);
            let mut ending = match interruptible {
                true => Some(Ending::listen().map_err(Fault::NoRuntime)?),
                false => None,
            };
            tokio::pin!(run);
            let report = loop {
                tokio::select! {
                    report = &mut run => break report,
                    () = asked(&mut ending), if !cancel.is_cancelled() => cancel.cancel(),
                }
            };
            let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
            match report {
                Ok(report) => Ok(Done {
                    report,
                    trace,
                    micros,
                }),
                Err(error) => {
                    if let Some(trace) = trace {
                        // The host's own fault is the one to tell.
                        let name = self.name.as_str();
                        let _ = trace.finish(&host_failed(name, &command.name, micros));
                    }
                    Err(error.into())
                }
            }
        })?
    }

    fn begin(&self, trace: trace::Prepared, command: &Command) -> Result<Trace, Fault> {
        let now_ms = now_ms();
        let run = format!("{now_ms:x}-{:x}", std::process::id());
        let start = trace::Start {
            plugin: self.name.as_str(),
            version: &self.package.manifest.version,
            hash: self.package.hash.to_string(),
            command: &command.name,
            started: sr_policy::date::text(now_ms),
        };
        trace.begin(run, &start)
    }

    /// What the run came to; the trace gets its last line.
    fn ran(
        &self,
        command: &Command,
        done: Done,
        replay_missed: Option<sr_egress::Missed>,
        recording_lost: Option<Fault>,
    ) -> Ran {
        let report = done.report;
        let outcome = outcome(&Facts {
            site: self.name.as_str(),
            command: &command.name,
            end: &report.end,
            committed: report.committed,
            missed: replay_missed.is_some(),
            recording_lost: recording_lost.is_some(),
            micros: done.micros,
            tally: report.tally,
        });
        let trace_lost = done.trace.and_then(|trace| trace.finish(&outcome).err());
        Ran {
            end: report.end,
            committed: report.committed,
            output: report.output,
            outcome,
            replay_missed,
            lost: recording_lost.into_iter().chain(trace_lost).collect(),
        }
    }
}

/// A run that ended, and the trace that waits for its last line.
struct Done {
    report: RunReport,
    trace: Option<Trace>,
    micros: u64,
}

/// Returns when somebody asks the run to end; never, when nobody listens.
async fn asked(ending: &mut Option<Ending>) {
    match ending {
        Some(ending) => ending.asked().await,
        None => std::future::pending().await,
    }
}
