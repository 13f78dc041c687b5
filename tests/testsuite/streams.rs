//! Standard output that is closed, full, or read by nobody: nothing is lost without a word.

use std::process::Command;

use crate::support::{Guest, Package, Run, Sandbox};

/// The program and its arguments as `"$@"` of a shell script.
fn shell(sandbox: &Sandbox, script: &str, arguments: &[&str]) -> Run {
    let program = sandbox.command(arguments);
    let mut command = Command::new("sh");
    command
        .args(["-c", script, "sh"])
        .arg(program.get_program())
        .args(program.get_args())
        .env("HOME", sandbox.home())
        .current_dir(sandbox.home());
    Run::of(&mut command)
}

#[test]
fn a_closed_or_full_standard_output_is_an_error() {
    let sandbox = Sandbox::with(&Package::every_case());
    for arguments in [
        &["plugin", "list"][..],
        &["plugin", "verify"],
        &["list", "-f", "json"],
        &["--help"],
        &[Package::NAME, "cells"],
        &[Package::NAME, "--help"],
    ] {
        shell(&sandbox, "exec \"$@\" >&-", arguments).proves("closed-stdout");
        shell(&sandbox, "exec \"$@\" >/dev/full", arguments).proves("full-stdout");
        shell(&sandbox, "exec \"$@\" >/dev/null", arguments).exit(0);
        // Opened for both, as other programs open it for a child.
        shell(&sandbox, "exec \"$@\" 1<>/dev/null", arguments).exit(0);
        // The other streams are not needed for an answer.
        shell(&sandbox, "exec \"$@\" <&- 2>&-", arguments).exit(0);
    }
}

#[test]
fn a_command_without_a_place_for_its_rows_does_not_begin() {
    let sandbox = Sandbox::with(&Package::writer());
    let run = shell(
        &sandbox,
        "exec \"$@\" >&- 2>said; true",
        &[Package::NAME, "send", "lamp", "-v"],
    );
    assert_eq!(run.stdout, "");
    shell(
        &sandbox,
        "exec \"$@\" >&-",
        &[Package::NAME, "send", "lamp", "-v"],
    )
    .proves("closed-stdout")
    .lacks("[stderr]");
}

#[test]
fn a_reader_that_goes_away_is_a_normal_end_and_the_change_is_made() {
    let package = Package::small();
    let sandbox = Sandbox::new();
    let install = ["plugin", "install", &package.url()];
    shell(&sandbox, "\"$@\" | true", &install).exit(0);
    sandbox.run(&[Package::NAME, Guest::COMMAND]).exit(0);
}
