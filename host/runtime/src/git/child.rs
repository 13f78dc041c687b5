//! A run of git that ends: by itself, at the bounds of time and disk, or with the person's interrupt.

use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{
    Pid, Resource, Rlimit, Signal as Kill, getrlimit, kill_process_group, setrlimit,
    test_kill_process_group,
};
use tokio::sync::oneshot;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};

use super::fault::GitFault;
use super::limits;
use crate::ending::Ending;

/// How often a process that has closed its streams is asked whether it has ended.
const ASK_AGAIN: Duration = Duration::from_millis(1);
/// How long the children of a killed process are waited for; where nobody collects them they would
/// be waited for without end.
const GONE: Duration = Duration::from_millis(500);

/// What a run may cost, for all runs of one fetch together.
pub(crate) struct Watch {
    url: String,
    folder: PathBuf,
    time: Duration,
    deadline: Instant,
    ending: Ending,
}

/// How a run ended.
pub(crate) struct Output {
    /// It ended with 0.
    pub(crate) succeeded: bool,
    /// What it wrote, within the asked bound.
    pub(crate) stdout: Vec<u8>,
    /// The end of what it said.
    pub(crate) stderr: Vec<u8>,
}

impl Watch {
    /// From now on. Takes the signals of [`Ending`].
    pub(crate) fn start(url: &str, folder: &Path, time: Duration) -> Result<Self, GitFault> {
        Ok(Self {
            url: url.to_owned(),
            folder: folder.to_owned(),
            time,
            deadline: Instant::now() + time,
            ending: Ending::listen().map_err(GitFault::Start)?,
        })
    }

    /// Runs to the end; none when it wrote more than `most` bytes. However this ends, no process
    /// of it is left.
    pub(crate) async fn run(
        &mut self,
        command: &mut Command,
        stdin: Stdio,
        most: usize,
    ) -> Result<Option<Output>, GitFault> {
        command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut running = spawn_bounded(command).map_err(GitFault::Start)?;
        let stdout = reading(running.0.stdout.take(), move |pipe| first(pipe, most));
        let stderr = reading(running.0.stderr.take(), |pipe| {
            last(pipe, limits::WORDS_BYTES)
        });
        let streams = async {
            (
                stdout.await.ok().flatten(),
                stderr.await.unwrap_or_default(),
            )
        };
        tokio::pin!(streams);
        let mut look = interval(limits::LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (stdout, stderr) = loop {
            tokio::select! {
                streams = &mut streams => break streams,
                () = self.ending.asked() => {
                    return Err(GitFault::Interrupted { url: self.url.clone() });
                }
                () = sleep_until(self.deadline) => return Err(self.timeout()),
                _ = look.tick() => self.look_at_the_disk()?,
            }
        };
        let Some(stdout) = stdout else {
            return Ok(None);
        };
        let status = loop {
            if let Some(status) = running.0.try_wait().map_err(GitFault::Start)? {
                break status;
            }
            if Instant::now() >= self.deadline {
                return Err(self.timeout());
            }
            sleep(ASK_AGAIN).await;
        };
        self.look_at_the_disk()?;
        Ok(Some(Output {
            succeeded: status.success(),
            stdout,
            stderr,
        }))
    }

    fn timeout(&self) -> GitFault {
        GitFault::Timeout {
            url: self.url.clone(),
            seconds: self.time.as_secs(),
        }
    }

    fn look_at_the_disk(&self) -> Result<(), GitFault> {
        let mut files = limits::COUNTED_FILES;
        match bytes_below(&self.folder, &mut files) {
            Some(bytes) if bytes <= limits::FETCH_BYTES => Ok(()),
            _ => Err(GitFault::TooLarge {
                url: self.url.clone(),
            }),
        }
    }
}

/// The process and those it started, which are of one group. Killed when it is dropped too early.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // An id that was reaped may be somebody else's by now.
        if matches!(self.0.try_wait(), Ok(None)) {
            let group = Pid::from_child(&self.0);
            let _ = kill_process_group(group, Kill::KILL);
            let _ = self.0.wait();
            // Its children die a moment later, and until then could still write to the folder.
            let end = std::time::Instant::now() + GONE;
            while test_kill_process_group(group).is_ok() && std::time::Instant::now() < end {
                std::thread::sleep(ASK_AGAIN);
            }
        }
    }
}

/// Starts it with a bound on each file that it and its children write, in force also when this
/// process is killed and nobody looks at the disk. A pack is one file.
///
/// A child takes over the limits of its parent, so this process has the bound for that moment: a
/// bound set afterwards would come too late for what the child has started by then.
fn spawn_bounded(command: &mut Command) -> std::io::Result<Running> {
    let before = getrlimit(Resource::Fsize);
    let most = before.maximum.unwrap_or(u64::MAX).min(limits::FETCH_BYTES);
    let bound = Rlimit {
        current: Some(before.current.unwrap_or(u64::MAX).min(most)),
        ..before
    };
    setrlimit(Resource::Fsize, bound)?;
    let child = command.spawn();
    let restored = setrlimit(Resource::Fsize, before);
    let running = Running(child?);
    restored?;
    Ok(running)
}

/// Reads a pipe in a thread of its own; it ends with the last process that writes.
fn reading<P: Read + Send + 'static, T: Send + 'static>(
    pipe: Option<P>,
    read: impl FnOnce(P) -> T + Send + 'static,
) -> oneshot::Receiver<T> {
    let (sender, receiver) = oneshot::channel();
    if let Some(pipe) = pipe {
        // Without the thread nothing is sent, and the run counts as failed.
        let _ = std::thread::Builder::new()
            .name("git output".into())
            .spawn(move || sender.send(read(pipe)));
    }
    receiver
}

/// Everything, or none when it is more than `most`.
fn first(pipe: impl Read, most: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.take(most as u64 + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() <= most).then_some(bytes)
}

/// The last bytes; all are read, so that the writer never waits.
fn last(mut pipe: impl Read, most: usize) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut piece = [0; 4_096];
    while let Ok(count @ 1..) = pipe.read(&mut piece) {
        kept.extend(piece.iter().take(count));
        if kept.len() > 2 * most {
            kept.drain(..kept.len() - most);
        }
    }
    kept.drain(..kept.len().saturating_sub(most));
    kept
}

/// Bytes of all files below; none when there are more files than `left`.
fn bytes_below(folder: &Path, left: &mut usize) -> Option<u64> {
    // What vanishes while it is looked at takes no room.
    let Ok(entries) = folder.read_dir() else {
        return Some(0);
    };
    let mut bytes = 0_u64;
    for entry in entries.flatten() {
        *left = left.checked_sub(1)?;
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        bytes = bytes.saturating_add(match metadata.is_dir() {
            true => bytes_below(&entry.path(), left)?,
            false => metadata.len(),
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_much_is_kept_of_a_stream() {
        assert_eq!(first(&b"abc"[..], 3), Some(b"abc".to_vec()));
        assert_eq!(first(&b"abcd"[..], 3), None);
        assert_eq!(last(&b"abcdef"[..], 3), b"def");
        assert_eq!(last(&vec![b'x'; 100_000][..], 10).len(), 10);
    }
}
