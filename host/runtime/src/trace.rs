//! `--trace FILE`: a run as lines of JSON, one for each host call.
//!
//! The file takes its place with its first line, before the guest runs, and grows while it does.
//! Lines are queued and written by a thread of their own, so a guest never waits for a disk; the
//! queue cannot outgrow the trace, which has a bound.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use sr_policy::observer::{Decision, HostCall, LogLevel, Observer, Outcome, Progress};
use sr_policy::{UntrustedText, redact};

use crate::fault::Fault;
use crate::new_file::NewFile;

/// Lines of a trace between the first and the last. A guest can make millions of cheap calls.
const LINES: u64 = 100_000;
/// Bytes of those lines: what a run may take of the disk, and of memory when the disk is slow.
const BYTES: usize = 16 * 1024 * 1024;
/// Bytes of a subject or of a logged text.
const TEXT_BYTES: usize = 2 * 1024;
/// How long the end of a run waits for a disk that does not answer.
const DISK_WAIT: Duration = Duration::from_secs(5);

/// What the first line says.
#[derive(Debug, Serialize)]
pub(crate) struct Start<'a> {
    pub(crate) plugin: &'a str,
    pub(crate) version: &'a str,
    pub(crate) hash: String,
    pub(crate) command: &'a str,
    pub(crate) started: String,
}

/// A trace that was asked for, before the run.
pub(crate) struct Prepared(NewFile);

impl Prepared {
    /// Makes the file beside its place: a command must not run and then lose its trace because a
    /// folder is missing.
    pub(crate) fn at(path: &Path) -> Result<Self, Fault> {
        NewFile::beside(path)
            .map(Self)
            .map_err(|reason| failed(path, reason))
    }

    /// Writes the first line, puts the file in its place and takes lines from now on.
    pub(crate) fn begin(self, run: String, start: &Start<'_>) -> Result<Trace, Fault> {
        let Self(mut new) = self;
        let path = new.path().to_owned();
        let refused = |error: io::Error| failed(&path, error.to_string());
        let line = line(&run, "start", start).map_err(refused)?;
        new.file.write_all(line.as_bytes()).map_err(refused)?;
        new.place().map_err(refused)?;
        let file = new.file.try_clone().map_err(refused)?;
        let shared = Arc::new(Shared::default());
        let (sender, done) = sync_channel(1);
        std::thread::Builder::new()
            .name("trace".into())
            .spawn({
                let shared = shared.clone();
                let whole = line.len() as u64;
                move || {
                    let _ = sender.send(write(&shared, file, whole));
                }
            })
            .map_err(refused)?;
        Ok(Trace {
            path,
            watch: Arc::new(Watch {
                run,
                begun: Instant::now(),
                shared,
            }),
            done,
        })
    }
}

/// A trace that is being written.
pub(crate) struct Trace {
    path: PathBuf,
    watch: Arc<Watch>,
    done: Receiver<io::Result<()>>,
}

impl Trace {
    /// Who sees the run for it.
    pub(crate) fn observer(&self) -> Arc<dyn Observer> {
        self.watch.clone()
    }

    /// Writes the last line and waits until the file has all of them, at most [`DISK_WAIT`].
    pub(crate) fn finish(self, outcome: &Outcome) -> Result<(), Fault> {
        self.watch.end(outcome);
        let written = match self.done.recv_timeout(DISK_WAIT) {
            Ok(written) => written.map_err(|error| error.to_string()),
            Err(_) => Err(format!(
                "the disk took longer than {} s",
                DISK_WAIT.as_secs()
            )),
        };
        written.map_err(|reason| failed(&self.path, reason))
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        self.watch.shared.close();
    }
}

fn failed(path: &Path, reason: String) -> Fault {
    Fault::Trace {
        path: path.to_owned(),
        reason,
    }
}

/// The observer behind a trace.
struct Watch {
    run: String,
    begun: Instant,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    more: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    /// Whole lines that are not written yet.
    text: String,
    /// Events so far, those that were left out among them.
    seq: u64,
    lines: u64,
    bytes: usize,
    left_out: u64,
    closed: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        self.lock().closed = true;
        self.more.notify_one();
    }

    /// The next lines to write; none when there will be no more.
    fn next(&self) -> Option<String> {
        let queue = self.lock();
        let mut queue = self
            .more
            .wait_while(queue, |queue| queue.text.is_empty() && !queue.closed)
            .unwrap_or_else(PoisonError::into_inner);
        let text = std::mem::take(&mut queue.text);
        (!text.is_empty()).then_some(text)
    }
}

/// Where an event stands in its run.
#[derive(Serialize)]
struct At<T> {
    seq: u64,
    at_us: u64,
    #[serde(flatten)]
    event: T,
}

impl Watch {
    fn event(&self, kind: &str, event: impl Serialize) {
        let at_us = micros_since(self.begun);
        let mut queue = self.shared.lock();
        queue.seq += 1;
        let seq = queue.seq;
        let made = match queue.lines < LINES && queue.bytes < BYTES {
            true => line(&self.run, kind, &At { seq, at_us, event }).ok(),
            false => None,
        };
        match made {
            Some(line) if queue.bytes + line.len() <= BYTES => {
                queue.lines += 1;
                queue.bytes += line.len();
                queue.text.push_str(&line);
            }
            _ => queue.left_out += 1,
        }
        drop(queue);
        self.shared.more.notify_one();
    }

    fn end(&self, outcome: &Outcome) {
        #[derive(Serialize)]
        struct End<'a> {
            #[serde(flatten)]
            outcome: &'a Outcome,
            left_out: u64,
        }
        let at_us = micros_since(self.begun);
        let mut queue = self.shared.lock();
        queue.seq += 1;
        let (seq, left_out) = (queue.seq, queue.left_out);
        let event = End { outcome, left_out };
        if let Ok(line) = line(&self.run, "end", &At { seq, at_us, event }) {
            queue.text.push_str(&line);
        }
        drop(queue);
        self.shared.close();
    }
}

impl Observer for Watch {
    fn host_call(&self, call: &HostCall<'_>) {
        #[derive(Serialize)]
        struct Call<'a> {
            function: &'a str,
            decision: Decision,
            #[serde(skip_serializing_if = "Option::is_none")]
            rule: Option<&'a str>,
            subject: &'a str,
            micros: u64,
            bytes: u64,
        }
        self.event(
            "call",
            Call {
                function: call.function,
                decision: call.decision,
                rule: call.rule,
                subject: cut(call.subject),
                micros: call.micros,
                bytes: call.bytes,
            },
        );
    }

    fn log(&self, level: LogLevel, message: &UntrustedText) {
        #[derive(Serialize)]
        struct Log<'a> {
            level: LogLevel,
            text: &'a str,
        }
        let text = redact::words(message.raw());
        let text = cut(&text);
        self.event("log", Log { level, text });
    }

    fn log_enabled(&self, _: LogLevel) -> bool {
        true
    }

    fn progress(&self, progress: &Progress) {
        #[derive(Serialize)]
        struct Step<'a> {
            done: u64,
            total: Option<u64>,
            label: &'a str,
        }
        let label = redact::words(progress.label.raw());
        self.event(
            "progress",
            Step {
                done: progress.done,
                total: progress.total,
                label: cut(&label),
            },
        );
    }
}

/// One whole line.
fn line(run: &str, kind: &str, event: impl Serialize) -> io::Result<String> {
    #[derive(Serialize)]
    struct Line<'a, T> {
        run: &'a str,
        kind: &'a str,
        #[serde(flatten)]
        event: T,
    }
    let mut text = serde_json::to_string(&Line { run, kind, event })?;
    text.push('\n');
    Ok(text)
}

fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(TEXT_BYTES))
        .unwrap_or_default()
}

fn micros_since(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// Writes what is queued until there is no more. On an error the file is cut back to its last
/// whole line, and what comes later is dropped.
fn write(shared: &Shared, mut file: std::fs::File, mut whole: u64) -> io::Result<()> {
    while let Some(text) = shared.next() {
        if let Err(error) = file.write_all(text.as_bytes()) {
            let length = file.metadata().map_or(whole, |metadata| metadata.len());
            let partial = usize::try_from(length.saturating_sub(whole)).unwrap_or_default();
            let kept = text
                .as_bytes()
                .get(..partial)
                .and_then(|written| written.iter().rposition(|byte| *byte == b'\n'))
                .map_or(0, |place| place as u64 + 1);
            // Nothing can be done about a disk that refuses this too.
            let _ = file.set_len(whole + kept);
            return Err(error);
        }
        whole += text.len() as u64;
    }
    Ok(())
}
