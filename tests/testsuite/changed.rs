//! Files that are others than the lock records: what is told, before what, and what mends it.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::support::{Guest, Package, Run, Sandbox};

/// The guest with many commands, installed as a copy.
fn copied(package: &Package) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["plugin", "install", &package.url(), "--copy"])
        .exit(0);
    sandbox
}

/// A file of the installed copy.
fn installed(sandbox: &Sandbox, package: &Package) -> PathBuf {
    let name = package.component();
    let name = name.strip_prefix(package.path()).unwrap();
    sandbox
        .state()
        .join("plugins")
        .join(Package::NAME)
        .join(name)
}

/// The installed copy with another component: it has the command `go` and no other.
fn with_other_component() -> (Sandbox, Package) {
    let package = Package::every_case();
    let sandbox = copied(&package);
    fs::write(installed(&sandbox, &package), Guest::good().build()).unwrap();
    (sandbox, package)
}

fn names_the_change(run: Run, package: &Package) -> Run {
    let file = package.component();
    let file = file.file_name().unwrap().to_str().unwrap();
    let first = run.stderr.lines().next().unwrap_or_default().to_owned();
    assert!(
        first.starts_with("warning: demo ") && first.contains(&format!("changed {file}")),
        "the first line is not about the change: {}",
        run.stderr
    );
    run
}

#[test]
fn a_command_that_the_changed_component_has_not_is_told_with_the_change() {
    let (sandbox, package) = with_other_component();
    let run = sandbox.run(&[Package::NAME, "cells"]).exit(76);
    names_the_change(run, &package)
        .stderr_contains("tampered")
        .stderr_contains("[INTEGRITY]")
        .stderr_contains("fits the commands recorded for demo")
        .stderr_contains("plugin verify demo")
        .stderr_contains("plugin update demo");
    // What neither knows is an error of the line, and the change is told with it.
    let run = sandbox.run(&[Package::NAME, "nobody"]).exit(2);
    names_the_change(run, &package)
        .stderr_contains("[USAGE]")
        .stderr_contains("hint: demo is not what was installed");
    // What only the changed one knows runs, with the one warning.
    let run = sandbox.run(&[Package::NAME, Guest::COMMAND]).exit(0);
    assert_eq!(run.stderr.matches("warning").count(), 1, "{}", run.stderr);
}

#[test]
fn a_component_that_cannot_be_read_is_told_with_the_change() {
    let package = Package::every_case();
    let sandbox = copied(&package);
    let component = installed(&sandbox, &package);
    fs::write(&component, b"no component").unwrap();
    let run = sandbox.run(&[Package::NAME, "cells"]).exit(78);
    names_the_change(run, &package)
        .stderr_contains("[COMPONENT]")
        .stderr_contains("plugin update demo");
    fs::remove_file(&component).unwrap();
    sandbox
        .run(&[Package::NAME, "cells"])
        .exit(78)
        .stderr_contains("removed ")
        .stderr_contains("plugin update demo");
    std::os::unix::fs::symlink("/etc/passwd", &component).unwrap();
    sandbox
        .run(&[Package::NAME, "cells"])
        .exit(78)
        .stderr_contains("warning: demo is not what was installed")
        .stderr_contains("plugin update demo");
}

#[test]
fn help_and_completion_of_a_changed_plugin_are_those_recorded() {
    let (sandbox, package) = with_other_component();
    let help = sandbox.run(&[Package::NAME, "--help"]).exit(0);
    names_the_change(help, &package)
        .stdout_contains("cells")
        .stderr_contains("this help is of the recorded commands")
        .stderr_contains("new go");
    sandbox
        .run(&[Package::NAME, "cells", "--help", "-f", "json"])
        .exit(0)
        .stdout_contains("cells")
        .stderr_contains("new go");
    let offered = sandbox
        .run(&["__complete", "--", Package::NAME, ""])
        .exit(0);
    assert!(offered.stdout.contains("cells"), "{}", offered.stdout);
    assert!(!offered.stdout.contains("go\t"), "{}", offered.stdout);
    // A command that is new has the help it brings.
    sandbox
        .run(&[Package::NAME, Guest::COMMAND, "--help"])
        .exit(0)
        .stdout_contains("Go!");
    fs::write(installed(&sandbox, &package), b"no component").unwrap();
    sandbox
        .run(&[Package::NAME, "--help"])
        .exit(0)
        .stdout_contains("cells")
        .stderr_contains("cannot be read");
}

#[test]
fn strict_integrity_comes_before_everything_and_names_the_files() {
    let (sandbox, package) = with_other_component();
    let sandbox = sandbox.env("SR_STRICT_INTEGRITY", "1");
    let file = package.component();
    let file = file.file_name().unwrap().to_str().unwrap();
    for words in [&["cells"][..], &["nobody"], &["--help"], &["go"], &[]] {
        sandbox
            .run(&[&[Package::NAME], words].concat())
            .exit(76)
            .stderr_contains("[INTEGRITY]")
            .stderr_contains(&format!("changed {file}"))
            .stderr_contains("plugin verify demo");
    }
    fs::write(installed(&sandbox, &package), b"no component").unwrap();
    sandbox.run(&[Package::NAME, "cells"]).exit(76);
    fs::remove_file(installed(&sandbox, &package)).unwrap();
    sandbox.run(&[Package::NAME, "cells"]).exit(76);
    std::os::unix::fs::symlink("/etc/passwd", installed(&sandbox, &package)).unwrap();
    sandbox
        .run(&[Package::NAME, "cells"])
        .exit(76)
        .stderr_contains("no symbolic links");
}

#[test]
fn an_authors_own_change_of_a_linked_folder_is_no_tampering() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    package.put_component(&Guest::good().build());
    let run = sandbox.run(&[Package::NAME, Guest::COMMAND]).exit(0);
    names_the_change(run, &package)
        .stderr_contains("demo was changed since it was recorded")
        .stderr_contains("sr-runtime plugin update demo records it")
        .lacks("tampered");
    sandbox
        .run(&["plugin", "verify"])
        .exit(76)
        .stdout_contains("demo: changed\n")
        .stdout_contains("to record it: sr-runtime plugin update demo");
    sandbox
        .run(&["plugin", "inspect", Package::NAME])
        .exit(0)
        .stdout_contains("state        changed");
    let sandbox = sandbox.env("SR_STRICT_INTEGRITY", "1");
    sandbox
        .run(&[Package::NAME, Guest::COMMAND])
        .exit(76)
        .stderr_contains("was changed since it was recorded");
}

fn listed_state(sandbox: &Sandbox) -> String {
    let list = sandbox.run(&["plugin", "list", "-f", "json"]).exit(0);
    list.json()[0]["state"].as_str().unwrap().to_owned()
}

#[test]
fn a_list_sees_another_length_and_leaves_the_rest_to_verify() {
    let (sandbox, package) = with_other_component();
    assert_eq!(listed_state(&sandbox), "tampered");
    sandbox
        .run(&["plugin", "list", "--help"])
        .exit(0)
        .stdout_contains("for plugin verify");
    sandbox.run(&["plugin", "update", Package::NAME]).exit(0);
    assert_eq!(listed_state(&sandbox), "copied");
    // The same length proves nothing: the list does not call it verified.
    let component = installed(&sandbox, &package);
    let mut bytes = fs::read(&component).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&component, bytes).unwrap();
    assert_eq!(listed_state(&sandbox), "copied");
    sandbox.run(&["plugin", "verify"]).exit(76);

    let package = Package::small();
    let sandbox = Sandbox::with(&package);
    assert_eq!(listed_state(&sandbox), "linked");
    fs::remove_file(package.component()).unwrap();
    assert_eq!(listed_state(&sandbox), "changed");
}

fn outcome(sandbox: &Sandbox, more: &[&str]) -> String {
    let words = [&["plugin", "update", Package::NAME, "-f", "json"], more].concat();
    let document = sandbox.run(&words).exit(0).json();
    document["outcome"].as_str().unwrap().to_owned()
}

#[test]
fn an_update_says_what_it_did() {
    let package = Package::small();
    let sandbox = copied(&package);
    assert_eq!(outcome(&sandbox, &[]), "unchanged");
    fs::write(installed(&sandbox, &package), b"x").unwrap();
    sandbox
        .run(&["plugin", "update", Package::NAME])
        .exit(0)
        .stdout_contains("restored demo");
    assert_eq!(outcome(&sandbox, &[]), "unchanged");
    fs::remove_dir_all(sandbox.state().join("plugins").join(Package::NAME)).unwrap();
    assert_eq!(outcome(&sandbox, &[]), "restored");
    package.put("notes.txt", "new");
    assert_eq!(outcome(&sandbox, &[]), "updated");
    fs::remove_file(sandbox.lock()).unwrap();
    assert_eq!(outcome(&sandbox, &["--grant"]), "recorded");
    sandbox.run(&["plugin", "verify"]).exit(0);
}

/// Changes the lock entry of the installed plugin.
fn edit_entry(sandbox: &Sandbox, change: impl FnOnce(&mut Value)) {
    let mut lock: Value = serde_json::from_slice(&fs::read(sandbox.lock()).unwrap()).unwrap();
    change(&mut lock["plugins"][Package::NAME]);
    fs::write(sandbox.lock(), serde_json::to_vec(&lock).unwrap()).unwrap();
}

#[test]
fn every_command_agrees_that_a_lock_entry_is_broken_and_update_mends_it() {
    let package = Package::small();
    let sandbox = Sandbox::with(&package);
    edit_entry(&sandbox, |entry| {
        entry["commands"][0]["summary"] = "two\nlines".into();
    });
    for words in [&["--help"][..], &[Guest::COMMAND]] {
        sandbox
            .run(&[&[Package::NAME], words].concat())
            .exit(76)
            .stderr_contains("summary")
            .stderr_contains("plugin update demo");
    }
    sandbox
        .run(&["plugin", "verify"])
        .exit(76)
        .stdout_contains("demo: broken")
        .stdout_contains("summary")
        .stdout_contains("plugin update demo");
    assert_eq!(listed_state(&sandbox), "broken");
    sandbox
        .run(&["plugin", "inspect", Package::NAME])
        .exit(0)
        .stdout_contains("state        broken");
    sandbox
        .run(&["plugin", "update", Package::NAME])
        .exit(0)
        .stdout_contains("recorded demo");
    sandbox.run(&["plugin", "verify"]).exit(0);
    sandbox.run(&[Package::NAME, Guest::COMMAND]).exit(0);
}

#[test]
fn a_lock_that_names_a_file_outside_of_its_package_is_refused() {
    for path in [
        "../../x",
        "/etc/passwd",
        "a/./b",
        "",
        "a\\b",
        "x.log",
        "a\u{202e}b",
    ] {
        let sandbox = Sandbox::with(&Package::small());
        edit_entry(&sandbox, |entry| entry["files"][0]["path"] = path.into());
        let before = fs::read(sandbox.lock()).unwrap();
        for words in [
            &["plugin", "verify"][..],
            &["plugin", "list"],
            &[Package::NAME, Guest::COMMAND],
            &["plugin", "update", Package::NAME],
        ] {
            sandbox
                .run(words)
                .exit(76)
                .stderr_contains("not the path of a file in a package")
                .stderr_contains("plugins.lock.json");
        }
        assert_eq!(fs::read(sandbox.lock()).unwrap(), before);
    }
}
