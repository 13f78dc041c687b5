//! `--trace FILE`: each host call on a line, whatever ends the run, and no secret in it.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::disk::in_own_mounts;
use crate::support::{Package, Recording, Reply, Run, Sandbox, Server, spawn};

const SECRET: &str = "Zq9XwP4rT7yU2mK8vB3nC6sD1fG5hJ0LaQeR";

/// The lines of a trace: each of them whole, and all of one run.
#[track_caller]
fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n'), "the last line is cut: {text:?}");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    assert_eq!(lines[0]["kind"], "start", "{text}");
    assert!(lines.iter().all(|line| line["run"] == lines[0]["run"]));
    let order = |line: &Value| (line["seq"].as_u64(), line["at_us"].as_u64());
    assert!(lines.iter().map(order).is_sorted());
    lines
}

fn of_kind<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}

/// Runs a command with a trace, and gives both.
#[track_caller]
fn traced(sandbox: &Sandbox, words: &[&str]) -> (Run, Vec<Value>) {
    let path = place(sandbox);
    let run = sandbox.run(&[words, &["--trace", &path.display().to_string()]].concat());
    let lines = lines(&path);
    (run, lines)
}

fn place(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().join("trace.jsonl")
}

#[test]
fn each_host_call_is_a_line_between_what_runs_and_how_it_ended() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    let server = Server::start(|_| Reply::ok("hello"));
    let rule = server.connect_to("example.com");
    let (run, lines) = traced(
        &sandbox,
        &[
            Package::NAME,
            "fetch",
            "http://example.com/a",
            "--connect-to",
            &rule,
        ],
    );
    run.exit(0);
    let start = &lines[0];
    assert_eq!(start["plugin"], Package::NAME);
    assert_eq!(start["command"], "fetch");
    assert!(start["started"].as_str().unwrap().starts_with("20"));
    let lock: Value = serde_json::from_slice(&fs::read(sandbox.lock()).unwrap()).unwrap();
    let entry = &lock["plugins"][Package::NAME];
    assert_eq!(start["hash"], entry["hash"]);
    assert_eq!(start["version"], entry["version"]);

    let calls = of_kind(&lines, "call");
    assert_eq!(calls.len(), 1, "{lines:?}");
    assert_eq!(calls[0]["function"], "fetch.send");
    assert_eq!(calls[0]["decision"], "allowed");
    assert_eq!(calls[0]["subject"], "GET http://example.com/a");
    assert_eq!(calls[0]["bytes"], 5);
    assert!(calls[0]["micros"].as_u64().unwrap() > 0);
    assert!(calls[0]["at_us"].as_u64().unwrap() >= calls[0]["micros"].as_u64().unwrap());

    let end = lines.last().unwrap();
    assert_eq!(end["kind"], "end");
    assert_eq!(end["outcome"], "ok");
    assert_eq!(end["exit"], 0);
    assert_eq!((&end["calls"], &end["denied"]), (&1.into(), &0.into()));
    assert_eq!((&end["bytes"], &end["left_out"]), (&5.into(), &0.into()));
    assert!(end["rows"].as_u64().unwrap() > 0);
    let mode = fs::metadata(place(&sandbox)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_denied_call_has_its_rule_and_the_last_line_its_code_and_exit() {
    let sandbox = Sandbox::with(&Package::every_case());
    let fetch = [Package::NAME, "fetch", "https://evil.test/x", "-f", "json"];
    let (run, lines) = traced(&sandbox, &fetch);
    let error = run.exit(68).error();
    let call = of_kind(&lines, "call")[0].clone();
    assert_eq!(call["decision"], "denied");
    assert_eq!(call["rule"], "allowlist");
    let end = lines.last().unwrap();
    assert_eq!(end["code"], error["code"]);
    assert_eq!(end["exit"], error["exit"]);
    assert_eq!(end["rule"], "allowlist");
    assert_eq!(end["outcome"], "env");
    assert_eq!(end["denied"], 1);
    // A call of several requests that is refused as a whole is a line too.
    let many = [
        Package::NAME,
        "fetch-all",
        "https://example.com/",
        "--at-once",
        "9",
    ];
    let (_, lines) = traced(&sandbox, &many);
    let call = of_kind(&lines, "call")[0].clone();
    assert_eq!(
        (&call["function"], &call["decision"]),
        (&"fetch.send-all".into(), &"failed".into())
    );
}

#[test]
fn every_failure_of_a_command_has_the_code_and_exit_the_program_ends_with() {
    let sandbox = Sandbox::with(&Package::every_case());
    let lock: Value = serde_json::from_slice(&fs::read(sandbox.lock()).unwrap()).unwrap();
    let commands = lock["plugins"][Package::NAME]["commands"]
        .as_array()
        .unwrap();
    let command = commands.iter().find(|one| one["name"] == "fail").unwrap();
    let cases = command["args"][0]["kind"]["choice"].as_array().unwrap();
    assert!(cases.len() >= 12, "{command}");
    for case in cases {
        let words = [Package::NAME, "fail", case.as_str().unwrap(), "-f", "json"];
        let (run, lines) = traced(&sandbox, &words);
        let error = run.refused().error();
        let end = lines.last().unwrap();
        assert_eq!(end["code"], error["code"], "{case}");
        assert_eq!(end["exit"], error["exit"], "{case}");
    }
}

#[test]
fn no_secret_of_a_request_or_a_log_line_is_in_it() {
    let sandbox = Sandbox::with(&Package::every_case());
    let server = Server::start(|_| Reply::ok("hello"));
    let rule = server.connect_to("example.com");
    let url = format!("http://example.com/a?token={SECRET}&page=2#access_token={SECRET}");
    let header = format!("Authorization: Bearer {SECRET}");
    let fetch = [
        Package::NAME,
        "fetch",
        &url,
        "--header",
        &header,
        "--connect-to",
        &rule,
    ];
    let (run, lines) = traced(&sandbox, &fetch);
    run.exit(0);
    let subject = of_kind(&lines, "call")[0]["subject"].as_str().unwrap();
    assert!(
        subject.contains("page=2") && subject.contains("<redacted>"),
        "{subject}"
    );
    assert!(
        !lines.iter().any(|line| line.to_string().contains(SECRET)),
        "{lines:?}"
    );

    let said = format!("see https://example.com/?sid={SECRET} Bearer {SECRET} and");
    let log = [Package::NAME, "log", "1", "--line", &said];
    let (run, lines) = traced(&sandbox, &log);
    run.exit(0);
    let log = of_kind(&lines, "log");
    assert_eq!(log[0]["level"], "info");
    assert!(
        log[0]["text"]
            .as_str()
            .unwrap()
            .ends_with("Bearer <redacted> and 0"),
        "{log:?}"
    );
    assert!(
        !lines.iter().any(|line| line.to_string().contains(SECRET)),
        "{lines:?}"
    );
}

#[test]
fn the_last_line_is_written_whatever_ends_the_run() {
    let sandbox = Sandbox::with(&Package::hostile());
    for (command, code) in [
        ("panic", "PLUGIN_TRAPPED"),
        ("exit", "PLUGIN_TRAPPED"),
        ("memory", "PLUGIN_LIMIT"),
        ("loop", "PLUGIN_LIMIT"),
        ("wait", "TIMEOUT"),
        ("rows", "PLUGIN_TRAPPED"),
    ] {
        let (run, lines) = traced(&sandbox, &[Package::NAME, command, "-f", "json"]);
        let error = run.refused().error();
        let end = lines.last().unwrap();
        assert_eq!(
            (&end["kind"], &end["code"]),
            (&"end".into(), &code.into()),
            "{command}"
        );
        assert_eq!(end["code"], error["code"], "{command}");
        assert_eq!(end["exit"], error["exit"], "{command}");
    }
}

/// Waits until a running command has written this many lines.
fn wait_for(path: &Path, wanted: usize) {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let text = fs::read_to_string(path).unwrap_or_default();
        if text.matches('\n').count() >= wanted {
            return;
        }
        assert!(Instant::now() < deadline, "no lines: {text}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Starts the guest that waits a little, over and over, and gives it when it is at that.
fn waiting(sandbox: &Sandbox) -> Child {
    let path = place(sandbox);
    let trace = path.display().to_string();
    let child = spawn(&mut sandbox.command(&[Package::NAME, "wait", "--trace", &trace]));
    wait_for(&path, 3);
    child
}

#[test]
fn an_interrupt_leaves_the_calls_and_a_last_line() {
    let sandbox = Sandbox::with(&Package::hostile());
    let mut child = waiting(&sandbox);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    // Bounded by the host's own grace for a guest that does not stop.
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let lines = lines(&place(&sandbox));
    let end = lines.last().unwrap();
    assert_eq!(
        (&end["kind"], &end["code"]),
        (&"end".into(), &"CANCELLED".into())
    );
    let calls = of_kind(&lines, "call");
    assert_eq!(calls[0]["decision"], "allowed");
    assert_eq!(calls.last().unwrap()["decision"], "failed");
    // It ignores that it was cancelled and asks on, as fast as it can.
    let left_out = end["left_out"].as_u64().unwrap();
    assert_eq!(
        end["calls"].as_u64().unwrap(),
        calls.len() as u64 + left_out
    );
}

#[test]
fn a_flood_of_calls_is_cut_and_counted() {
    let sandbox = Sandbox::with(&Package::every_case());
    let (run, lines) = traced(&sandbox, &[Package::NAME, "repeat", "text", "130000"]);
    run.exit(0);
    let end = lines.last().unwrap();
    let calls = of_kind(&lines, "call").len() as u64;
    let left_out = end["left_out"].as_u64().unwrap();
    assert!(left_out > 0, "{end}");
    assert_eq!(end["calls"].as_u64().unwrap(), calls + left_out);
    assert!(fs::metadata(place(&sandbox)).unwrap().len() < 17 * 1024 * 1024);
}

#[test]
fn a_killed_run_leaves_whole_lines_and_no_other_file() {
    let sandbox = Sandbox::with(&Package::hostile());
    let mut child = waiting(&sandbox);
    child.kill().unwrap();
    child.wait().unwrap();
    let lines = lines(&place(&sandbox));
    assert!(of_kind(&lines, "end").is_empty(), "{lines:?}");
    assert_eq!(of_kind(&lines, "call")[0]["function"], "task.pause");
    assert!(leftovers(&sandbox).is_empty(), "{:?}", leftovers(&sandbox));
}

/// What a run left beside its trace.
fn leftovers(sandbox: &Sandbox) -> Vec<String> {
    fs::read_dir(sandbox.home())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".new"))
        .collect()
}

#[test]
fn an_old_trace_is_replaced_and_a_link_pipe_or_device_is_not() {
    let sandbox = Sandbox::with(&Package::every_case());
    let path = place(&sandbox);
    fs::write(&path, "old").unwrap();
    let (run, new) = traced(&sandbox, &[Package::NAME, "cells"]);
    run.exit(0);
    assert_eq!(new.last().unwrap()["outcome"], "ok");

    let target = sandbox.home().join("target");
    fs::write(&target, "kept").unwrap();
    let link = sandbox.home().join("link");
    symlink(&target, &link).unwrap();
    let pipe = sandbox.home().join("pipe");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    for odd in [&link, &pipe, Path::new("/dev/full"), sandbox.home()] {
        let odd = odd.display().to_string();
        sandbox
            .run(&[Package::NAME, "cells", "--trace", &odd])
            .exit(65)
            .stderr_contains("not a regular file, so it is not replaced [TRACE]");
    }
    assert_eq!(fs::read_to_string(&target).unwrap(), "kept");
    assert!(link.is_symlink());
    assert!(leftovers(&sandbox).is_empty());
}

#[test]
fn a_trace_that_cannot_be_made_stops_the_command_before_it_runs() {
    let sandbox = Sandbox::with(&Package::every_case());
    let server = Server::start(|_| Reply::ok("hello"));
    let nowhere = sandbox.home().join("no/such/folder/trace");
    let nowhere = nowhere.display().to_string();
    sandbox
        .fetch_from(&server, "http://example.com/", &["--trace", &nowhere])
        .exit(65)
        .stderr_contains("the trace cannot be written: No such file or directory");
    assert!(server.requests().is_empty());
}

#[test]
fn a_command_that_did_not_start_leaves_the_old_trace() {
    let sandbox = Sandbox::with(&Package::every_case());
    let path = place(&sandbox);
    fs::write(&path, "old").unwrap();
    let trace = path.display().to_string();
    let no_recording = sandbox.home().join("none").display().to_string();
    sandbox
        .run(&[
            Package::NAME,
            "cells",
            "--trace",
            &trace,
            "--replay",
            &no_recording,
        ])
        .exit(65);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert!(leftovers(&sandbox).is_empty());
}

#[test]
fn a_trace_is_a_file_of_its_own() {
    let sandbox = Sandbox::with(&Package::every_case());
    sandbox
        .run(&[Package::NAME, "cells", "--trace", "-"])
        .exit(2)
        .stderr_contains("-v shows the host calls");
    let replay = Recording::default()
        .get("https://example.com/", "x")
        .save(sandbox.home());
    let before = fs::read(&replay).unwrap();
    sandbox
        .run(&[
            Package::NAME,
            "cells",
            "--replay",
            &replay,
            "--trace",
            "./recording.json",
        ])
        .exit(2)
        .stderr_contains("--trace and --replay name the same file");
    assert_eq!(fs::read(&replay).unwrap(), before);
}

#[test]
fn a_full_disk_cuts_the_trace_at_a_whole_line_and_keeps_the_rows() {
    let sandbox = Sandbox::with(&Package::every_case());
    let script = r#"
        mkdir "$HOME/small" && mount -t tmpfs -o size=64k none "$HOME/small" || exit 111
        "$@"; code=$?
        cp "$HOME/small/trace.jsonl" "$HOME/trace.jsonl" || exit 112
        exit $code"#;
    let trace = sandbox.home().join("small/trace.jsonl");
    let trace = trace.display().to_string();
    let words = [Package::NAME, "log", "900", "--trace", &trace];
    in_own_mounts(&sandbox, script, &words)
        .exit(65)
        .stdout_contains("logged")
        .stderr_contains("the trace cannot be written: No space left on device");
    let lines = lines(&place(&sandbox));
    assert!(of_kind(&lines, "end").is_empty());
    assert!(of_kind(&lines, "log").len() > 100, "{}", lines.len());
}

#[test]
fn v_and_a_trace_tell_of_the_same_calls() {
    let sandbox = Sandbox::with(&Package::every_case());
    let (run, lines) = traced(&sandbox, &[Package::NAME, "sitedata", "/version", "-v"]);
    let calls = of_kind(&lines, "call");
    assert!(calls.len() >= 4, "{lines:?}");
    assert_eq!(
        run.stderr.matches("[call] ").count(),
        calls.len(),
        "{}",
        run.stderr
    );
    for call in calls {
        let (function, decision) = (&call["function"], &call["decision"]);
        let line = format!(
            "[call] {:<18} {:<7} ",
            function.as_str().unwrap(),
            decision.as_str().unwrap()
        );
        assert!(run.stderr.contains(&line), "no {line}: {}", run.stderr);
    }
    let end = lines.last().unwrap();
    let summary = format!(
        "[run] {}, exit {}: {} calls, 0 denied, 0 bytes",
        end["code"].as_str().or(end["outcome"].as_str()).unwrap(),
        end["exit"],
        end["calls"]
    );
    assert!(
        run.stderr.contains(&summary),
        "no {summary}: {}",
        run.stderr
    );
}
