//! Running one command of an open plugin.

use std::path::PathBuf;
use std::sync::Arc;

use sr_capabilities::{Cancel, RunEnd, RunReport, RunRequest};
use sr_egress::{Live, Options as EgressOptions, Recorder, Replay, Transport};
use sr_engine::WasiSettings;
use sr_policy::command::{Call, Command};
use sr_policy::observer::Observer;

use crate::ending::Ending;
use crate::fault::Fault;
use crate::open::OpenPlugin;
use crate::recording;
use crate::runtime::block_on;

/// How to run.
#[derive(Default)]
pub struct RunOptions {
    /// Recorded replies instead of the network.
    pub replay: Option<PathBuf>,
    /// Where to write the replies of this run.
    pub record: Option<PathBuf>,
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
    pub replay_missed: Option<String>,
    /// Why the recording of this run is not there.
    pub recording_failed: Option<Fault>,
}

impl OpenPlugin {
    /// The command of this name or alias.
    #[must_use]
    pub fn command(&self, name: &str) -> Option<&Command> {
        self.commands.iter().find(|command| {
            command.name == name || command.aliases.iter().any(|alias| alias == name)
        })
    }

    /// Runs a command to its end.
    ///
    /// # Errors
    /// Before anything ran: options or recordings that cannot be used, live metadata that
    /// differs from the index. After the run: a recording that cannot be written.
    pub fn run(&self, command: &Command, call: Call, options: RunOptions) -> Result<Ran, Fault> {
        if self.ungranted_writes.contains(&command.name) {
            return Err(Fault::WriteNotGranted {
                name: self.name.clone(),
                command: command.name.clone(),
            });
        }
        match (&options.replay, &options.record) {
            (Some(path), _) => {
                let recording = recording::read(path)?;
                let wasi = recording::settings(&recording);
                let replay = Arc::new(Replay::new(recording));
                let transport: Arc<dyn Transport> = replay.clone();
                let report = self.run_with(command, call, &options, transport, wasi)?;
                Ok(ran(report, replay.missed()))
            }
            (None, Some(path)) => {
                let target = recording::Target::prepare(path)?;
                let (clock_ms, seed) = recording::fresh_clock_and_seed()?;
                let live = Live::new(options.egress.clone())?;
                let recorder = Arc::new(Recorder::new(live, clock_ms, seed));
                let transport: Arc<dyn Transport> = recorder.clone();
                let wasi = WasiSettings::Fixed { clock_ms, seed };
                let report = self.run_with(command, call, &options, transport, wasi)?;
                // The run has happened: its rows are shown even when its recording is lost.
                let recording_failed = match recorder.is_full() {
                    true => Some(Fault::RecordingFull { path: path.clone() }),
                    false => target.write(&recorder.finish()).err(),
                };
                Ok(Ran {
                    recording_failed,
                    ..ran(report, None)
                })
            }
            (None, None) => {
                let live = Arc::new(Live::new(options.egress.clone())?);
                let report = self.run_with(command, call, &options, live, WasiSettings::Live)?;
                Ok(ran(report, None))
            }
        }
    }

    fn run_with(
        &self,
        command: &Command,
        call: Call,
        options: &RunOptions,
        transport: Arc<dyn Transport>,
        wasi: WasiSettings,
    ) -> Result<RunReport, Fault> {
        let request = RunRequest {
            command: command.clone(),
            call,
            policy: self.policy(),
            transport,
            sitedata: self.sitedata(),
            observer: options.observer.clone(),
            wasi,
            cancel: options.cancel.clone(),
            dry_run: options.dry_run,
        };
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
            let run = self.machine.host.run(&self.component, request);
            if !interruptible {
                return Ok(run.await?);
            }
            let mut ending = Ending::listen().map_err(Fault::NoRuntime)?;
            tokio::pin!(run);
            loop {
                tokio::select! {
                    report = &mut run => return Ok(report?),
                    () = ending.asked(), if !cancel.is_cancelled() => cancel.cancel(),
                }
            }
        })?
    }
}

fn ran(report: RunReport, replay_missed: Option<String>) -> Ran {
    Ran {
        end: report.end,
        committed: report.committed,
        output: report.output,
        replay_missed,
        recording_failed: None,
    }
}
