//! The lock file: what it does not say is not granted, and what it does not understand it leaves alone.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::SystemTime;

use serde_json::Value;

use crate::support::{Guest, Package, Run, Sandbox};

/// A change of the lock's text; none removes the file.
type Change = fn(String) -> Option<String>;

#[test]
fn a_lock_that_cannot_be_read_grants_nothing() {
    let changes: &[(&[&str], Change)] = &[
        (&["lock-absent"], |_| None),
        (&["lock-empty"], |_| Some(String::new())),
        (&["lock-half-written", "attack-39"], |text| {
            Some(text[..text.len() / 2].to_owned())
        }),
        (&["lock-newer"], |text| {
            let mut lock: Value = serde_json::from_str(&text).unwrap();
            lock["version"] = 99.into();
            Some(lock.to_string())
        }),
        (&["lock-duplicate-keys"], |text| {
            let lock: Value = serde_json::from_str(&text).unwrap();
            let entry = &lock["plugins"][Package::NAME];
            Some(format!(
                r#"{{"version":1,"plugins":{{"demo":{entry},"demo":{entry}}}}}"#
            ))
        }),
        (&["attack-39"], |text| {
            Some(format!(
                "<<<<<<< ours\n{text}\n=======\n{text}\n>>>>>>> theirs\n"
            ))
        }),
        (&["attack-39"], |text| Some(text.replace("sha256:", "md5:"))),
        (&["attack-39"], |text| {
            let lock: Value = serde_json::from_str(&text).unwrap();
            let hash = lock["plugins"][Package::NAME]["hash"].as_str().unwrap();
            let digits = hash.trim_start_matches("sha256:");
            Some(text.replace(hash, &format!("sha256:{}", digits.to_uppercase())))
        }),
        (&["attack-39"], |text| {
            let lock: Value = serde_json::from_str(&text).unwrap();
            let hash = lock["plugins"][Package::NAME]["hash"].as_str().unwrap();
            Some(text.replace(hash, &hash[..hash.len() - 2]))
        }),
    ];
    let sandbox = Sandbox::with(&Package::every_case());
    let good = fs::read_to_string(sandbox.lock()).unwrap();
    for (ids, change) in changes {
        let changed = change(good.clone());
        match &changed {
            Some(text) => fs::write(sandbox.lock(), text).unwrap(),
            None => fs::remove_file(sandbox.lock()).unwrap(),
        }
        for (id, strict) in ids.iter().flat_map(|id| [(id, "0"), (id, "1")]) {
            let mut command = sandbox.command(&[Package::NAME, "fetch", "https://example.com/"]);
            Run::of(command.env("SR_STRICT_INTEGRITY", strict)).proves(id);
        }
        let left = fs::read_to_string(sandbox.lock()).ok();
        assert_eq!(left, changed, "{ids:?}: a run wrote the lock");
    }
}

#[test]
fn a_lock_that_is_not_understood_is_never_overwritten() {
    for text in [
        r#"{"version":99,"plugins":{}}"#,
        "",
        "{\"version\":1,",
        "<<<<<<<",
    ] {
        let package = Package::every_case();
        let sandbox = Sandbox::new();
        fs::create_dir_all(sandbox.state()).unwrap();
        fs::write(sandbox.lock(), text).unwrap();
        sandbox
            .install(&package)
            .refused()
            .stderr_contains("plugins.lock.json");
        assert_eq!(fs::read_to_string(sandbox.lock()).unwrap(), text);
        assert!(!sandbox.state().join("plugins").join(Package::NAME).exists());
    }
}

#[test]
fn a_changed_plugin_warns_once_and_is_refused_when_strict() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    package.put("notes.txt", "new");
    let run = sandbox.run(&[Package::NAME, "echo"]).exit(0);
    assert_eq!(run.stderr.matches("warning").count(), 1, "{}", run.stderr);
    let sandbox = sandbox.env("SR_STRICT_INTEGRITY", "1");
    sandbox.run(&[Package::NAME, "echo"]).exit(76);
}

#[test]
fn a_live_holder_of_the_lock_is_never_robbed() {
    let package = Package::small();
    let sandbox = Sandbox::with(&package);
    let path = sandbox.state().join("plugins.lock");
    let held = fs::File::options().write(true).open(&path).unwrap();
    held.lock().unwrap();
    // As old as any lock: what counts is that its holder lives.
    held.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    let before = fs::read(sandbox.lock()).unwrap();
    let uninstall = ["plugin", "uninstall", Package::NAME];
    sandbox.run(&uninstall).proves("B054");
    assert_eq!(fs::read(sandbox.lock()).unwrap(), before);
    // Readers wait for nobody.
    sandbox.run(&["plugin", "verify"]).exit(0);
    drop(held);
    sandbox.run(&uninstall).exit(0);
}

#[test]
fn a_lock_file_that_somebody_deletes_is_no_error() {
    let package = Package::small();
    let sandbox = Sandbox::with(&package);
    let path = sandbox.state().join("plugins.lock");
    let done = AtomicBool::new(false);
    let runs = thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let _ = fs::remove_file(&path);
                thread::yield_now();
            }
        });
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let run = || sandbox.run(&[Package::NAME, Guest::COMMAND]);
                    (0..6).map(|_| run()).collect::<Vec<_>>()
                })
            })
            .collect();
        let mut runs: Vec<Run> = (0..8)
            .map(|_| sandbox.run(&["plugin", "update", Package::NAME]))
            .collect();
        runs.extend(
            readers
                .into_iter()
                .flat_map(|reader| reader.join().unwrap()),
        );
        done.store(true, Ordering::Relaxed);
        runs
    });
    assert_eq!(runs.len(), 20);
    for run in runs {
        run.exit(0).lacks("panicked at");
    }
    sandbox.run(&["plugin", "verify"]).proves("B030");
}

#[test]
fn the_lock_and_its_folder_are_private() {
    use std::os::unix::fs::MetadataExt;
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    let mode = |path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(sandbox.state()), 0o700);
    assert_eq!(mode(sandbox.lock()), 0o600);
}

#[test]
fn commands_of_the_lock_that_break_the_rules_are_refused() {
    let sandbox = Sandbox::with(&Package::every_case());
    let mut lock: serde_json::Value =
        serde_json::from_slice(&fs::read(sandbox.lock()).unwrap()).unwrap();
    let commands = &mut lock["plugins"][Package::NAME]["commands"];
    let first = commands[0].clone();
    commands.as_array_mut().unwrap().push(first);
    fs::write(sandbox.lock(), serde_json::to_vec(&lock).unwrap()).unwrap();
    for words in [&["cells"][..], &["--help"]] {
        sandbox
            .run(&[&[Package::NAME], words].concat())
            .exit(76)
            .stderr_contains("plugin update");
    }
    sandbox.run(&["plugin", "update", Package::NAME]).exit(0);
    sandbox.run(&[Package::NAME, "cells"]).exit(0);
}
