//! The driver for the machine this program runs on.
//!
//! Each round is answered whole: what is on the disk by one thread, every address at once. Nothing
//! waits longer than [`ASK`] for one question or [`RUN`] for all; a question that is not answered
//! by then counts as one that could not be answered.

mod disk;
mod processes;
mod programs;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use sr_egress::{Peeked, peek};
use sr_policy::CheckedUrl;
use tokio::task::JoinSet;

use crate::ask::{Address, Answer, Ask, Facts};
use crate::core::Core;
use crate::machine::{Machine, Os};
use crate::report::Report;
use crate::step::{Step, StepError};

/// How long one question waits for its answer.
pub const ASK: Duration = Duration::from_secs(1);
/// How long a whole run takes at most.
pub const RUN: Duration = Duration::from_secs(3);

/// Why a run came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The core refused the machine.
    #[error(transparent)]
    Step(#[from] StepError),
    /// No thread or no socket to work with.
    #[error("cannot look at this machine: {0}")]
    System(#[from] std::io::Error),
}

/// Where the parts of a machine are. Tests and callers with another view of the system name other
/// places; no test looks at the real ones.
#[derive(Debug, Clone)]
pub struct System {
    /// Folders that are searched for programs, as `PATH` has them.
    pub search: OsString,
    /// The file system of processes; none looks for no process.
    pub proc: Option<PathBuf>,
    /// The person's home, for what only this driver looks for below it.
    pub home: Option<PathBuf>,
    /// What stands before an absolute path of the system, such as `/usr/share/applications`. The
    /// root itself on a real machine.
    pub root: PathBuf,
}

impl System {
    /// The real machine, with these folders searched for programs.
    #[must_use]
    pub fn real(search: OsString, home: Option<PathBuf>) -> Self {
        Self {
            search,
            home,
            proc: Some("/proc".into()),
            root: "/".into(),
        }
    }
}

/// Runs discovery on this machine.
///
/// # Errors
/// [`RunError`]. A peer, a file or a program that misbehaves is never one.
pub fn run(core: &Core, machine: &Machine, system: &System) -> Result<Report, RunError> {
    let end = Instant::now() + RUN;
    let mut facts = Facts::new();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    loop {
        match core.step(machine, &facts)? {
            Step::Done(report) => {
                // A lookup that hangs is left behind.
                runtime.shutdown_background();
                return Ok(report);
            }
            Step::Need(asks) => facts.extend(answer(asks, machine.os, system, end, &runtime)?),
        }
    }
}

/// Answers a round.
fn answer(
    asks: Vec<Ask>,
    os: Os,
    system: &System,
    end: Instant,
    runtime: &tokio::runtime::Runtime,
) -> Result<Vec<(Ask, Answer)>, RunError> {
    let left = end.saturating_duration_since(Instant::now()).min(ASK);
    let until = Instant::now() + left;
    let (remote, local): (Vec<Ask>, Vec<Ask>) = asks
        .into_iter()
        .partition(|ask| matches!(ask, Ask::Version(_) | Ask::List(_)));
    let on_disk = start_on_disk(local.clone(), os, system.clone(), left)?;
    let mut answers = match remote.is_empty() {
        true => Vec::new(),
        false => runtime.block_on(remotely(remote, left)),
    };
    let mut open: BTreeSet<Ask> = local.into_iter().collect();
    while !open.is_empty() {
        let wait = until.saturating_duration_since(Instant::now());
        let Ok((ask, found)) = on_disk.recv_timeout(wait) else {
            break;
        };
        open.remove(&ask);
        answers.push((ask, found));
    }
    // A file system that hangs: the thread is left to it.
    answers.extend(open.into_iter().map(|ask| (ask, Answer::Denied)));
    Ok(answers)
}

fn start_on_disk(
    asks: Vec<Ask>,
    os: Os,
    system: System,
    time: Duration,
) -> std::io::Result<mpsc::Receiver<(Ask, Answer)>> {
    let (sender, receiver) = mpsc::channel();
    if asks.is_empty() {
        return Ok(receiver);
    }
    std::thread::Builder::new()
        .name("discovery".to_owned())
        .spawn(move || {
            let mut disk = disk::Disk::new(os, system, Instant::now() + time);
            for ask in asks {
                let answer = disk.answer(&ask);
                if sender.send((ask, answer)).is_err() {
                    return;
                }
            }
        })?;
    Ok(receiver)
}

async fn remotely(asks: Vec<Ask>, time: Duration) -> Vec<(Ask, Answer)> {
    let mut all = JoinSet::new();
    for ask in asks {
        all.spawn(async move {
            let answer = match &ask {
                Ask::Version(address) => peeked(address, "/json/version", time).await,
                Ask::List(address) => peeked(address, "/json/list", time).await,
                _ => Answer::Denied,
            };
            (ask, answer)
        });
    }
    all.join_all().await
}

async fn peeked(address: &Address, path: &str, time: Duration) -> Answer {
    let Address { scheme, host, port } = address;
    let Ok(url) = CheckedUrl::parse(&format!("{scheme}://{host}:{port}{path}")) else {
        return Answer::Refused;
    };
    match peek(&url, time, crate::BODY_BYTES).await {
        Peeked::Refused => Answer::Refused,
        Peeked::Timeout => Answer::Timeout,
        Peeked::Open => Answer::Open,
        Peeked::Http { status, body } => Answer::Http {
            status,
            body: String::from_utf8_lossy(&body).into_owned(),
        },
    }
}
