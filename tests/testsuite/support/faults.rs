//! System calls that fail, one at a time, for real: `strace` answers in the kernel's place.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Run, Sandbox};

/// Calls that touch files.
const CALLS: &str = "openat,openat2,read,write,fsync,rename,renameat,renameat2,mkdir,mkdirat,\
    symlink,symlinkat,unlink,unlinkat,flock,getdents64,statx,newfstatat,readlink,readlinkat,faccessat2";

/// One system call of a run: which one, and the how-manieth of its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) call: String,
    nth: usize,
    /// The call as it was made, for messages.
    pub(crate) text: String,
}

impl Point {
    /// The nth call of this name, wherever it is made.
    pub(crate) fn of(call: &str, nth: usize) -> Self {
        Self {
            call: call.to_owned(),
            nth,
            text: format!("{call}, call {nth}"),
        }
    }

    /// What can happen at it: errors the call is known for, a write that writes nothing, and for
    /// what changes something a signal that ends the program there.
    pub(crate) fn faults(&self) -> Vec<&'static str> {
        let even = self.nth.is_multiple_of(2);
        let signal = match self.nth % 3 {
            0 => "signal=SIGTERM",
            1 => "signal=SIGINT",
            _ => "signal=SIGKILL",
        };
        match self.call.as_str() {
            "write" => vec!["error=ENOSPC", "retval=0", "error=EINTR", signal],
            "fsync" => vec!["error=EIO", signal],
            "rename" | "renameat" | "renameat2" => vec!["error=ENOSPC", signal],
            "mkdir" | "mkdirat" | "symlink" | "symlinkat" => vec!["error=ENOSPC", signal],
            "unlink" | "unlinkat" => vec!["error=EIO", signal],
            "flock" => vec!["error=ENOLCK", "error=EINTR"],
            "read" if even => vec!["error=EIO"],
            "read" => vec!["error=EINTR"],
            "openat" | "openat2" if even => vec!["error=EMFILE"],
            "openat" | "openat2" => vec!["error=ESTALE"],
            _ => vec!["error=ESTALE"],
        }
    }
}

/// The calls with which a run touches files below these folders, in order.
pub(crate) fn points(sandbox: &Sandbox, arguments: &[&str], folders: &[&Path]) -> Vec<Point> {
    let log = tempfile::NamedTempFile::new().unwrap();
    let path = log.path().display().to_string();
    let trace = format!("trace={CALLS}");
    traced(sandbox, arguments, &["-y", "-e", &trace, "-o", &path]).exit(0);
    let mut counts = std::collections::HashMap::new();
    let mut points = Vec::new();
    for line in fs::read_to_string(log.path()).unwrap().lines() {
        let Some((call, _)) = line.split_once('(') else {
            continue;
        };
        let nth = counts.entry(call.to_owned()).or_insert(0);
        *nth += 1;
        if folders
            .iter()
            .any(|folder| line.contains(&*folder.to_string_lossy()))
        {
            points.push(Point {
                call: call.to_owned(),
                nth: *nth,
                text: line.chars().take(200).collect(),
            });
        }
    }
    points
}

/// The run with this fault at this point.
pub(crate) fn with_fault(sandbox: &Sandbox, arguments: &[&str], point: &Point, fault: &str) -> Run {
    let (call, nth) = (&point.call, point.nth);
    let trace = format!("trace={call}");
    let inject = format!("inject={call}:{fault}:when={nth}");
    traced(
        sandbox,
        arguments,
        &["-e", &trace, "-e", &inject, "-o", "/dev/null"],
    )
}

/// Only the main thread: it alone changes the home.
fn traced(sandbox: &Sandbox, arguments: &[&str], options: &[&str]) -> Run {
    let program = sandbox.command(arguments);
    let mut strace = Command::new("strace");
    strace
        .arg("-qq")
        .args(options)
        .arg(program.get_program())
        .args(program.get_args())
        .env_clear()
        // Not in the home: its path would stand in every line.
        .current_dir("/");
    for (name, value) in program.get_envs() {
        strace.env(name, value.unwrap_or_default());
    }
    strace.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    Run::of(&mut strace)
}
