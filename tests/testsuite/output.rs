//! What a plugin writes is shown as text, and never as instructions to the terminal.

use std::io::Read;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Package, Sandbox, spawn};

/// OSC 52, OSC 8, CSI 2J, reset, a C1 control, BEL, a line overwrite and a BiDi override.
const HOSTILE: &str = "a\u{1b}]52;c;ZXZpbA==\u{7}b\u{1b}]8;;https://evil.test\u{1b}\\c\u{1b}[2Jd\u{1b}ce\u{9b}31mf\rg\u{202e}h👩‍🚀é";

#[track_caller]
fn is_harmless(text: &str) {
    for bad in ['\u{1b}', '\u{9b}', '\u{7}', '\r', '\u{202e}', '\u{2066}'] {
        assert!(!text.contains(bad), "{bad:?} in {text:?}");
    }
}

#[test]
fn no_escape_of_a_plugin_reaches_the_terminal() {
    let sandbox = Sandbox::with(&Package::every_case());
    let table = sandbox
        .run(&[Package::NAME, "echo", "--text", HOSTILE])
        .exit(0)
        .stdout_contains("👩‍🚀é");
    is_harmless(&table.stdout);

    let json = sandbox
        .run(&[Package::NAME, "echo", "--text", HOSTILE, "-f", "json"])
        .proves("attack-43");
    is_harmless(&json.stdout.replace("\r\n", "\n"));
    let rows: Value = json.json();
    let kept = rows.to_string().contains(r"\u001b]52;c;ZXZpbA==");
    assert!(kept, "the value itself is not filtered: {rows}");
}

#[test]
fn what_a_guest_prints_is_shown_with_v_and_filtered() {
    let sandbox = Sandbox::with(&Package::every_case());
    let quiet = sandbox.run(&[Package::NAME, "print"]).exit(0);
    is_harmless(&quiet.stdout);
    let loud = sandbox.run(&[Package::NAME, "print", "-v"]).exit(0);
    is_harmless(&loud.stdout);
    is_harmless(&loud.stderr);
    assert!(loud.stderr.len() > quiet.stderr.len());
}

#[test]
fn data_is_on_stdout_and_everything_else_on_stderr() {
    let sandbox = Sandbox::with(&Package::every_case());
    let run = sandbox
        .run(&[Package::NAME, "print", "-v", "-f", "json"])
        .exit(0);
    run.json();
    assert_ne!(run.stderr, "");
}

#[test]
fn an_interrupt_ends_long_output_to_a_slow_reader() {
    let sandbox = Sandbox::with(&Package::every_case());
    let mut command = sandbox.command(&[Package::NAME, "emit", "50000"]);
    let mut child = spawn(&mut command);
    // The first byte shows that the run is over; then nobody reads, and the pipe fills up.
    let mut first = [0];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut first)
        .unwrap();
    let pid = rustix::process::Pid::from_child(&child);
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(130));
            return;
        }
        assert!(Instant::now() < deadline, "it cannot be interrupted");
        // The thread that listens may not be there yet at the first signal.
        thread::sleep(Duration::from_millis(20));
    }
}
