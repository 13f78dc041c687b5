//! A disk that is full, read-only, or loses its writer half-way.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;

use crate::support::{Guest, Package, Run, Sandbox, machine, spawn};

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
fn a_plugin_can_be_taken_away_from_a_full_disk_and_not_changed_on_it() {
    let package = Package::small();
    let sandbox = Sandbox::new();
    // Filled to the last byte, then: an update that does not fit, and the way out.
    let script = r#"
        mount -t tmpfs -o size=1m none "$HOME" || exit 111
        "$@" || exit 1
        cat /dev/zero > "$HOME/filler" 2>/dev/null
        "$1" plugin update demo --grant && exit 2
        "$1" plugin verify demo || exit 3
        "$1" plugin uninstall demo || exit 4
        ls -A "$HOME/.sr/plugins"
        "$1" plugin verify"#;
    let arguments = ["plugin", "install", &package.url(), "--copy"];
    let run = in_own_mounts(&sandbox, script, &arguments).proves("disk-full-uninstall");
    assert!(run.stdout.ends_with("uninstalled demo\n"), "{}", run.stdout);
    assert!(run.stderr.contains("No space left"), "{}", run.stderr);
}

#[test]
fn a_home_that_is_a_link_to_nowhere_is_not_an_empty_one() {
    let package = Package::small();
    for link in [".sr", ".sr/plugins"] {
        let sandbox = Sandbox::new();
        let place = sandbox.home().join(link);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        symlink("/nowhere", &place).unwrap();
        for words in [&["plugin", "list"], &["plugin", "verify"]] {
            let run = sandbox.run(words);
            run.refused().stderr_contains("this link leads nowhere");
        }
        sandbox
            .install(&package)
            .proves("dangling-home")
            .stderr_contains(&place.display().to_string());
    }
}

#[test]
fn state_folders_may_be_links() {
    let package = Package::small();
    let elsewhere = tempfile::tempdir().unwrap();
    let real = elsewhere.path().join("real");
    for link in ["", ".sr", ".sr/plugins"] {
        fs::create_dir(&real).unwrap();
        let around = Sandbox::new();
        let home = around.home().join("home");
        let place = home.join(link);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        symlink(&real, place.components().as_path()).unwrap();
        let run = |words: &[&str]| {
            let mut command = around.command(words);
            Run::of(command.env("HOME", &home).current_dir("/"))
        };
        run(&["plugin", "install", &package.url(), "--copy"]).exit(0);
        run(&["plugin", "verify"]).proves("B023");
        run(&[Package::NAME, Guest::COMMAND]).exit(0);
        run(&["plugin", "update", Package::NAME]).exit(0);
        run(&["plugin", "uninstall", Package::NAME]).exit(0);
        assert!(place.components().as_path().is_symlink(), "{link}");
        fs::remove_dir_all(&real).unwrap();
    }
}

#[test]
fn a_read_only_home_still_serves_reading_commands() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    let script = r#"
        mount --bind "$HOME" "$HOME" && mount -o remount,bind,ro "$HOME" || exit 111
        exec "$@""#;
    for arguments in [
        &["--help"][..],
        &["list"],
        &["plugin", "list"],
        &["plugin", "inspect", Package::NAME],
        &[Package::NAME, "cells"],
    ] {
        in_own_mounts(&sandbox, script, arguments).exit(0);
    }
    in_own_mounts(&sandbox, script, &["plugin", "verify"]).proves("B062");
    let arguments = ["plugin", "uninstall", Package::NAME];
    in_own_mounts(&sandbox, script, &arguments).proves("read-only");
    sandbox.run(&["plugin", "verify"]).exit(0);
}

/// Runs a shell script, with the program and its arguments as `"$@"`, in a mount namespace of its own:
/// as root if we are, as root of a user namespace otherwise.
#[track_caller]
pub(crate) fn in_own_mounts(sandbox: &Sandbox, script: &str, arguments: &[&str]) -> Run {
    let program = sandbox.command(arguments);
    let mut command = Command::new("unshare");
    if !machine::is_root() {
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

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
