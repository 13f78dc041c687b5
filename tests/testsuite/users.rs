//! Files that belong to somebody else, and folders that others can write.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use crate::support::{Guest, Package, Run, Sandbox, machine, program};

/// An account that owns nothing here.
const STRANGER: &str = "12345";

/// The program where any account may start it.
fn program_for_all() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    set_mode(folder.path(), 0o755);
    let copy = folder.path().join("sr-runtime");
    fs::copy(program(), &copy).unwrap();
    set_mode(&copy, 0o755);
    folder
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn owned_by(path: &Path, owner: &str) {
    let mut chown = machine::as_root("chown");
    let status = chown.args(["-R", owner]).arg(path).status().unwrap();
    assert!(status.success());
}

/// As the stranger, with this home.
fn as_stranger(programs: &tempfile::TempDir, home: &Path, words: &[&str]) -> Run {
    let mut command: Command = machine::as_root("setpriv");
    command
        .arg(format!("--reuid={STRANGER}"))
        .arg(format!("--regid={STRANGER}"))
        .args(["--clear-groups", "env", "-i"])
        .arg(format!("HOME={}", home.display()))
        .arg(programs.path().join("sr-runtime"))
        .args(words)
        .current_dir("/");
    Run::of(&mut command)
}

#[test]
fn a_home_of_somebody_else_is_an_error_and_not_an_empty_one() {
    if !machine::has("setpriv") || !machine::may_change_user() {
        return;
    }
    let programs = program_for_all();
    let package = Package::small();
    let sandbox = Sandbox::with(&package);
    let before = sandbox.written();
    // Closed to the stranger at its own door, and at that of its state.
    for mode in [0o700, 0o755] {
        set_mode(sandbox.home(), mode);
        let run = |words: &[&str]| as_stranger(&programs, sandbox.home(), words);
        run(&["plugin", "list"]).proves("home-of-another");
        run(&["plugin", "verify"]).proves("home-of-another");
        run(&[Package::NAME, Guest::COMMAND]).proves("home-of-another");
        run(&["plugin", "uninstall", Package::NAME]).refused();
        run(&["--help"]).exit(0);
    }
    // Open for reading alone: what only reads goes on, what writes says so.
    for folder in ["", ".sr", ".sr/plugins", ".sr/store", ".sr/store/aot"] {
        set_mode(&sandbox.home().join(folder), 0o755);
    }
    set_mode(&sandbox.lock(), 0o644);
    let path = package.path();
    let around = path.parent().unwrap();
    set_mode(around, 0o755);
    let run = |words: &[&str]| as_stranger(&programs, sandbox.home(), words);
    run(&["plugin", "verify"]).exit(0);
    run(&[Package::NAME, Guest::COMMAND]).proves("store-of-another");
    run(&["plugin", "uninstall", Package::NAME])
        .exit(1)
        .stderr_contains("Permission denied");
    assert_eq!(sandbox.written(), before);
}

#[test]
fn a_file_that_may_not_be_read_is_named() {
    if !machine::has("setpriv") || !machine::may_change_user() {
        return;
    }
    let programs = program_for_all();
    let package = Package::small();
    package.put("secret.txt", "text");
    set_mode(&package.path().join("secret.txt"), 0);
    set_mode(package.path().parent().unwrap(), 0o755);
    let sandbox = Sandbox::new();
    owned_by(sandbox.home(), STRANGER);
    as_stranger(
        &programs,
        sandbox.home(),
        &["plugin", "install", &package.url()],
    )
    .proves("file-unreadable")
    .stderr_contains("Permission denied");
    owned_by(sandbox.home(), "0");
    sandbox.wrote_nothing();
}

#[test]
fn a_store_that_others_can_write_is_not_used() {
    for folder in ["store", "store/aot"] {
        let sandbox = Sandbox::with(&Package::small());
        set_mode(&sandbox.state().join(folder), 0o770);
        sandbox
            .run(&[Package::NAME, Guest::COMMAND, "-v"])
            .proves("store-open")
            .stderr_contains("compiled 1 times");
    }
}
