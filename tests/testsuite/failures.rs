//! How a command fails decides the exit code, whatever the output format.

use crate::support::{Package, Sandbox};

#[test]
fn each_way_to_fail_has_its_exit_code() {
    let sandbox = Sandbox::with(&Package::every_case());
    for (failure, exit) in [
        ("denied", 68),
        ("login-wall", 77),
        ("empty", 66),
        ("selector-miss", 1),
        ("timeout", 75),
        ("stale", 1),
        ("busy", 75),
        ("throttled", 75),
        ("invalid", 2),
        ("unavailable", 69),
        ("cancelled", 130),
        ("other", 1),
    ] {
        let run = sandbox
            .run(&[Package::NAME, "fail", failure, "-f", "json"])
            .exit(exit);
        assert_eq!(run.error()["exit"], exit, "{failure}");
        assert_eq!(run.stdout, "", "{failure}");
        sandbox
            .run(&[Package::NAME, "fail", failure])
            .exit(exit)
            .stderr_contains("error: ");
    }
}

#[test]
fn a_command_line_that_does_not_fit_is_usage() {
    let sandbox = Sandbox::with(&Package::every_case());
    for arguments in [
        &["nobody", "cells"][..],
        &[Package::NAME, "no-such-command"],
        &[Package::NAME, "fetch"],
        &[Package::NAME, "cells", "--no-such-option"],
        &["plugin", "nonsense"],
        &["plugin", "install"],
        &[Package::NAME, "cells", "-f", "nonsense"],
    ] {
        sandbox.run(arguments).exit(2).stderr_contains("error: ");
    }
}

#[test]
fn every_kind_of_cell_arrives_in_both_formats() {
    let sandbox = Sandbox::with(&Package::every_case());
    let rows = sandbox
        .run(&[Package::NAME, "cells", "-f", "json"])
        .exit(0)
        .json();
    assert!(rows.as_array().is_some_and(|rows| !rows.is_empty()));
    sandbox
        .run(&[Package::NAME, "cells", "-f", "json"])
        .stdout_contains("9223372036854775807");
    sandbox
        .run(&[Package::NAME, "cells"])
        .exit(0)
        .stdout_contains("9223372036854775807");
}
