//! Processes of Linux, with their arguments apart: no program is started, and a space in a path is
//! no question.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;
use std::time::Instant;

use crate::ask::{Answer, ArgvProcess};

/// Bytes of one command line: a browser's has a few thousand.
const COMMAND_BYTES: u64 = 128 * 1024;
/// What a command line must hold to be looked at.
const SWITCH: &[u8] = b"--remote-debugging-port";

/// The processes that were started with a debugging port.
pub(super) fn of_proc(proc: &Path, until: Instant) -> Answer {
    let Ok(entries) = fs::read_dir(proc) else {
        return Answer::Denied;
    };
    let mut processes = Vec::new();
    let mut bytes = Vec::new();
    for entry in entries.flatten() {
        if Instant::now() >= until {
            break;
        }
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        bytes.clear();
        // One that ended in between, or is another person's, is passed over.
        let read = File::open(entry.path().join("cmdline"))
            .and_then(|file| file.take(COMMAND_BYTES).read_to_end(&mut bytes));
        if read.is_err() || !bytes.windows(SWITCH.len()).any(|window| window == SWITCH) {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes);
        let argv = text.trim_end_matches('\0').split('\0').map(str::to_owned);
        processes.push(ArgvProcess {
            pid,
            argv: argv.collect(),
        });
    }
    processes.sort_by_key(|process| process.pid);
    Answer::Argv { processes }
}
