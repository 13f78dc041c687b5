//! A person who wants to stop, and a system that asks to: a run ends within a second, whatever
//! its component does.

use std::io::{BufRead, BufReader, Read};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{Guest, Package, Run, Sandbox, spawn};

/// What is promised to a person who presses the interrupt key.
const PROMISE: Duration = Duration::from_secs(1);

const IMPORTS: &str = r#"
    (import "sr:runtime/log@0.1.0" "write" (func $log (param i32 i32 i32)))
    (import "wasi:clocks/monotonic-clock@0.2.6" "subscribe-duration"
        (func $subscribe (param i64) (result i32)))
    (import "wasi:io/poll@0.2.6" "[method]pollable.block" (func $block (param i32)))"#;
/// Says that it runs: the command's summary, as a line of the log.
const SAYS: &str = "(call $log (i32.const 2) (i32.const 264) (i32.const 3))";

#[test]
fn a_signal_ends_a_run_within_a_second() {
    for (id, body) in [
        ("B043", "(loop $again (br $again)) unreachable"),
        (
            "signal-sleep",
            "(call $block (call $subscribe (i64.const 3600000000000))) unreachable",
        ),
    ] {
        let guest = Guest::good().imports(IMPORTS).run(format!("{SAYS} {body}"));
        let sandbox = Sandbox::with(&Package::around(&guest.build()));
        for signal in [Signal::INT, Signal::TERM] {
            let mut child = spawn(&mut sandbox.command(&[Package::NAME, Guest::COMMAND, "-v"]));
            let mut stderr = BufReader::new(child.stderr.take().unwrap());
            let mut line = String::new();
            while !line.contains("Go!") {
                line.clear();
                assert_ne!(
                    stderr.read_line(&mut line).unwrap(),
                    0,
                    "{id}: it never ran"
                );
            }
            let asked = Instant::now();
            kill_process(Pid::from_child(&child), signal).unwrap();
            let status = child.wait().unwrap();
            let took = asked.elapsed();
            let mut said = String::new();
            stderr.read_to_string(&mut said).unwrap();
            Run::waited(status, &said).proves(id);
            assert!(took < PROMISE, "{id}: {signal:?}: {took:?}");
        }
    }
}
