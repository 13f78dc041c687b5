//! Compiled code in the store: used when it is exactly what it should be, made again otherwise.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Package, Run, Sandbox};

/// The one compiled entry of a home: the largest file of the store.
fn entry(sandbox: &Sandbox) -> PathBuf {
    let files = sandbox.written().into_iter();
    let store = sandbox.state().join("store");
    files
        .filter(|path| path.starts_with(&store))
        .max_by_key(|path| fs::metadata(path).unwrap().len())
        .unwrap()
}

fn run(sandbox: &Sandbox) -> Run {
    sandbox.run(&[Package::NAME, "cells", "-v"]).exit(0)
}

fn flip(path: &Path, place: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[place] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn compiled_code_that_was_touched_is_compiled_again() {
    let sandbox = Sandbox::with(&Package::every_case());
    let path = entry(&sandbox);
    let good = fs::read(&path).unwrap();
    run(&sandbox).lacks("made anew");
    // Header, authentication, code, and the very end.
    for place in [0, 41, 105, good.len() / 2, good.len() - 1] {
        flip(&path, place);
        run(&sandbox).proves("attack-31");
        run(&sandbox).lacks("made anew");
    }
    for length in [0, good.len() - 1] {
        fs::write(&path, &good[..length]).unwrap();
        run(&sandbox).proves("attack-31");
    }
}

#[test]
fn another_plugin_s_entry_is_not_used() {
    let ours = Sandbox::with(&Package::every_case());
    let path = entry(&ours);
    // The same user's key made the other entry too: only its content is foreign.
    let other = Package::writer().manifest(|manifest| manifest["name"] = "other".into());
    ours.install(&other).exit(0);
    let others: Vec<PathBuf> = ours
        .written()
        .into_iter()
        .filter(|file| file.parent() == path.parent() && *file != path)
        .collect();
    fs::copy(others.first().unwrap(), &path).unwrap();
    run(&ours).proves("attack-31");
}

#[test]
fn a_missing_entry_is_made_again_without_a_word() {
    let sandbox = Sandbox::with(&Package::every_case());
    let path = entry(&sandbox);
    fs::remove_file(&path).unwrap();
    sandbox
        .run(&[Package::NAME, "cells"])
        .exit(0)
        .lacks("warning");
    assert!(path.exists());
}

#[test]
fn a_run_after_install_compiles_nothing() {
    let sandbox = Sandbox::with(&Package::every_case());
    for _ in 0..2 {
        sandbox
            .run(&[Package::NAME, "cells", "-v"])
            .exit(0)
            .stderr_contains("[code] from the store; compiled 0 times");
    }
}
