//! Output formats: what a pipe gets, what `-f` asks for, and what stays apart from it.

use std::fs::OpenOptions;
use std::io::Read;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{Package, Run, Sandbox, read_yaml, spawn};

const FORMATS: [&str; 6] = ["table", "json", "yaml", "csv", "md", "plain"];

#[test]
fn every_format_shows_every_kind_of_cell() {
    let sandbox = Sandbox::with(&Package::every_case());
    let cells = |format: &str| sandbox.run(&[Package::NAME, "cells", "-f", format]).exit(0);
    let json = cells("json").json();
    assert_eq!(cells("yaml").yaml(), json);
    assert_eq!(cells("yml").yaml(), json);
    assert_eq!(json[0]["no-text"], Value::Null);

    let csv = cells("csv").stdout;
    assert!(csv.starts_with("flag,flag-off,int-max,"), "{csv}");
    assert!(
        csv.trim_end().ends_with(",,,,,,,"),
        "nulls are empty: {csv}"
    );
    assert!(
        csv.contains(r#""{""a"":[1,null,""\u001b""],""é"":true}""#),
        "{csv}"
    );
    let plain = cells("plain").stdout;
    for line in [
        "int-max: 9223372036854775807",
        "no-text:",
        r#"json: {"a":[1,null,"\u001b"],"é":true}"#,
    ] {
        assert!(plain.lines().any(|one| one == line), "no {line:?}: {plain}");
    }
    assert_eq!(cells("md").stdout, cells("markdown").stdout);
    assert_eq!(cells("md").stdout.lines().count(), 3);
    cells("table")
        .stdout_contains("Grüße, 世界")
        .stderr_contains("guest footer");
}

#[test]
fn a_pipe_gets_yaml_and_the_asked_format_always_wins() {
    let sandbox = Sandbox::with(&Package::every_case());
    let rows = json!([{ "name": "logged", "value": "1" }]);
    let log = [Package::NAME, "log", "1"];
    assert_eq!(sandbox.run(&log).exit(0).yaml(), rows);
    let table = sandbox.run(&[&log[..], &["-f", "table"]].concat()).exit(0);
    assert_eq!(table.stdout, "name    value\n------  -----\nlogged  1\n");
    // The last one counts, before the site or behind it.
    let both = ["-f", "csv", Package::NAME, "log", "1"];
    assert_eq!(sandbox.run(&both).exit(0).stdout, "name,value\nlogged,1\n");
    let both = [&both[..], &["-f", "json"]].concat();
    assert_eq!(sandbox.run(&both).exit(0).json(), rows);
    for list in [&["list"][..], &["plugin", "list"]] {
        let read = sandbox.run(list).exit(0).yaml();
        assert_eq!(read, sandbox.run(&[list, &["-f", "json"]].concat()).json());
    }
}

#[test]
fn reports_are_short_text_and_data_on_request() {
    let package = Package::every_case();
    let sandbox = Sandbox::new();
    let url = package.url();
    let install = ["plugin", "install", url.as_str(), "-f", "yaml"];
    let installed = sandbox.run(&install).exit(0).yaml();
    assert_eq!(installed["name"], Package::NAME);
    assert_eq!(installed["ok"], true);
    for format in FORMATS {
        for command in ["verify", "inspect", "update"] {
            let run = sandbox.run(&["plugin", command, Package::NAME, "-f", format]);
            run.exit(0).stdout_contains(Package::NAME);
        }
    }
    let verify = ["plugin", "verify", "-f", "csv"];
    let csv = sandbox.run(&verify).exit(0).stdout;
    assert!(
        csv.starts_with("name,state,hash\ndemo,verified,sha256:"),
        "{csv}"
    );
    sandbox
        .run(&["plugin", "verify"])
        .exit(0)
        .stdout_contains("demo: verified sha256:");
    let removed = sandbox.run(&["plugin", "uninstall", Package::NAME, "-f", "json"]);
    assert_eq!(removed.exit(0).json()["name"], Package::NAME);
}

#[test]
fn nothing_installed_is_an_empty_list_in_every_format() {
    let sandbox = Sandbox::new();
    let list = |format: &str| sandbox.run(&["list", "-f", format]).exit(0).stdout;
    assert_eq!(list("json"), "[]\n");
    assert_eq!(list("yaml"), "[]\n");
    assert_eq!(list("csv"), "command,access,arguments,summary\n");
    assert_eq!(list("plain"), "");
    assert_eq!(list("table"), "");
    let told = sandbox.run(&["list"]).exit(0);
    assert_eq!(told.stdout, "[]\n");
    told.stderr_contains("no plugins installed");
}

#[test]
fn an_unknown_format_is_a_usage_error_that_lists_them() {
    let sandbox = Sandbox::with(&Package::every_case());
    for line in [
        &["-f", "bogus", "list"][..],
        &["list", "--format=bogus"],
        &["plugin", "list", "-fbogus"],
        &[Package::NAME, "cells", "-f", "bogus"],
        &["-f", "bogus", Package::NAME, "cells"],
        &["--help", "-f", "bogus"],
        &[Package::NAME, "cells", "--help", "-f", "bogus"],
    ] {
        let run = sandbox.run(line).exit(2);
        assert_eq!(run.stdout, "");
        run.stderr_contains("unknown output format: bogus")
            .stderr_contains("formats: table, json, yaml, csv, md, plain");
    }
}

#[test]
fn an_error_is_told_in_the_asked_format_even_when_nothing_parses() {
    let sandbox = Sandbox::with(&Package::every_case());
    for line in [
        &["nosuch"][..],
        &["--bogus"],
        &["plugin", "instal"],
        &[Package::NAME, "echo", "--int", "1000"],
        &[Package::NAME, "echo", "--bogus"],
        &[Package::NAME, "fail", "nosuch"],
        &["plugin"],
    ] {
        let json = sandbox.run(&[line, &["-f", "json"]].concat()).refused();
        let wanted = json.error();
        let yaml = sandbox.run(&[line, &["-f", "yaml"]].concat()).refused();
        assert!(
            yaml.stderr.starts_with("ok: false\nerror:\n  code: "),
            "{yaml:?}"
        );
        let read = read_yaml(&yaml.stderr);
        assert_eq!(read, [json!({ "ok": false, "error": wanted })]);
        let text = sandbox.run(&[line, &["-f", "csv"]].concat()).refused();
        assert_eq!(
            (json.stdout, yaml.stdout, text.stdout.as_str()),
            (String::new(), String::new(), "")
        );
        assert!(!text.stderr.contains("ok: false"), "{text:?}");
    }
}

#[test]
fn every_notice_is_on_stderr_and_stdout_is_one_document() {
    let package = Package::every_case().domains(&[]);
    let sandbox = Sandbox::with(&package);
    // Two notices at once: no domains, and other files than the lock says.
    package.put("added.txt", "x");
    let cells = |format: &str| sandbox.run(&[Package::NAME, "cells", "-f", format]);
    let json = cells("json").proves("B080");
    json.json();
    let warnings: Vec<Value> = json
        .stderr
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(warnings.len(), 2, "{json:?}");
    assert!(warnings.iter().all(|one| one["warning"].is_string()));
    let yaml = cells("yaml").exit(0);
    yaml.yaml();
    assert_eq!(read_yaml(&yaml.stderr), warnings);
    for line in [
        &["list"][..],
        &["plugin", "list"],
        &["plugin", "verify"],
        &["plugin", "inspect", "demo"],
    ] {
        sandbox.run(&[line, &["-f", "json"]].concat()).json();
        sandbox.run(&[line, &["-f", "yaml"]].concat()).yaml();
    }
    // A warning before an error: still one document each.
    let failed = sandbox
        .run(&[Package::NAME, "fail", "empty", "-f", "yaml"])
        .refused();
    assert_eq!(read_yaml(&failed.stderr).len(), 3, "{failed:?}");
}

#[test]
fn a_reader_that_goes_away_is_a_quiet_end_and_a_full_device_is_an_error() {
    let sandbox = Sandbox::with(&Package::every_case());
    for format in FORMATS {
        let line = [Package::NAME, "emit", "50000", "-f", format];
        let mut child = spawn(&mut sandbox.command(&line));
        let mut first = [0; 16];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let mut told = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut told)
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{format}: {told}");
        assert_eq!(told, "", "{format}");

        // Run::of would pipe it.
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = sandbox.command(&line);
        let output = command.stdin(Stdio::null()).stdout(full).output().unwrap();
        Run::ended(&line, output).proves("B082");
    }
}

#[test]
fn standard_streams_that_are_closed_are_no_panic() {
    let sandbox = Sandbox::with(&Package::every_case());
    for closed in ["2>&-", ">&- 2>&-", "2>/dev/full", ">/dev/full 2>&1"] {
        for line in [
            "demo emit 2000",
            "demo nosuch",
            "list",
            "--help",
            "demo --help -f json",
        ] {
            let mut shell = std::process::Command::new("/bin/sh");
            let program = crate::support::program();
            shell
                .args(["-c", &format!("'{}' {line} {closed}", program.display())])
                .env_clear()
                .env("HOME", sandbox.home());
            let run = Run::of(&mut shell);
            assert!(!run.ended_with(101) && !run.ended_with(134), "{run:?}");
        }
    }
}
