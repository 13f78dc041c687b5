//! A disk that is full, read-only, or loses its writer half-way.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;

use crate::support::{Package, Run, Sandbox, spawn};

/// Moments of an install at which it is killed. A library test stops it after each of its steps.
const MOMENTS: u32 = 8;

#[test]
fn a_killed_install_leaves_nothing_half_done() {
    let package = Package::every_case();
    let sandbox = Sandbox::new();
    let url = package.url();
    let install = ["plugin", "install", &url, "--copy"];
    let start = Instant::now();
    sandbox.run(&install).exit(0);
    let whole = start.elapsed();
    for part in 1..=MOMENTS {
        sandbox.run(&["plugin", "uninstall", Package::NAME]).exit(0);
        let mut child = spawn(&mut sandbox.command(&install));
        let (never, ended) = channel::<()>();
        // Nothing is ever sent: this is the moment at which the install loses its process.
        let _ = ended.recv_timeout(whole * part / MOMENTS);
        drop(never);
        let _ = child.kill();
        child.wait().unwrap();

        sandbox.run(&["plugin", "list"]).exit(0);
        // Either the install got through whole, or it can be done now.
        let verdict = sandbox.run(&["plugin", "verify", Package::NAME]);
        if !verdict.succeeded() {
            sandbox.run(&install).exit(0);
        }
        sandbox.run(&["plugin", "verify"]).proves("install-killed");
        sandbox.run(&[Package::NAME, "cells"]).exit(0);
        let names = names(&sandbox.state().join("plugins"));
        assert_eq!(names, [Package::NAME], "leftovers of the killed install");
    }
}

#[test]
fn two_installs_at_once_give_one_plugin() {
    let package = Package::every_case();
    for _ in 0..3 {
        let sandbox = Sandbox::new();
        let install = || sandbox.install(&package);
        let (one, two) = thread::scope(|scope| {
            let one = scope.spawn(install);
            let two = scope.spawn(install);
            (one.join().unwrap(), two.join().unwrap())
        });
        assert_ne!(one.succeeded(), two.succeeded(), "{one:?}\n{two:?}");
        let loser = if one.succeeded() { two } else { one };
        loser.refused().stderr_contains("already installed");
        sandbox.run(&["plugin", "verify"]).proves("install-twice");
    }
}

#[test]
fn a_full_disk_is_named_and_nothing_is_left() {
    let package = Package::every_case();
    let sandbox = Sandbox::new();
    let script = r#"
        mount -t tmpfs -o size=64k none "$HOME" || exit 111
        "$@"; code=$?
        ls -A "$HOME/.sr/plugins" 2>/dev/null
        test ! -e "$HOME/.sr/plugins.lock.json" || echo locked
        exit $code"#;
    let arguments = ["plugin", "install", &package.url(), "--copy"];
    let run = in_own_mounts(&sandbox, script, &arguments).proves("disk-full");
    assert!(!run.stdout.contains(Package::NAME), "{}", run.stdout);
    assert!(!run.stdout.contains("locked"), "{}", run.stdout);
}

#[test]
fn a_read_only_home_still_serves_reading_commands() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    let script = r#"
        mount --bind "$HOME" "$HOME" && mount -o remount,bind,ro "$HOME" || exit 111
        exec "$@""#;
    for arguments in [
        &["list"][..],
        &["plugin", "list"],
        &["plugin", "verify"],
        &["plugin", "inspect", Package::NAME],
        &[Package::NAME, "cells"],
    ] {
        in_own_mounts(&sandbox, script, arguments).exit(0);
    }
    let arguments = ["plugin", "uninstall", Package::NAME];
    in_own_mounts(&sandbox, script, &arguments).proves("read-only");
    sandbox.run(&["plugin", "verify"]).exit(0);
}

/// Runs a shell script, with the program and its arguments as `"$@"`, in a mount namespace of its own:
/// as root if we are, as root of a user namespace otherwise.
#[track_caller]
fn in_own_mounts(sandbox: &Sandbox, script: &str, arguments: &[&str]) -> Run {
    let program = sandbox.command(arguments);
    let mut command = Command::new("unshare");
    if !is_root() {
        command.arg("--map-root-user");
    }
    command
        .args(["--mount", "sh", "-c", script, "sh"])
        .arg(program.get_program())
        .args(program.get_args())
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    for (name, value) in program.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    let run = Run::of(&mut command);
    assert!(
        !run.ended_with(111) && !run.stderr.contains("unshare:"),
        "this machine allows no mounts, not even in a user namespace: {}",
        run.stderr
    );
    run
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
