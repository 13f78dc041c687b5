//! What was found held against what was recorded.

use std::fs;
use std::os::unix::fs::symlink;

use sr_plugin::{Change, ChangeKind, Found, Tree, VerifyState, verify};

use crate::support::{Folder, copy_entry};

#[test]
fn an_unchanged_folder_is_verified() {
    let folder = Folder::good();
    let entry = copy_entry(&folder, &folder.read().unwrap());
    let state = verify(
        Found::Tree(&Tree::read(&folder.open()).unwrap()),
        Some(&entry),
    );
    assert_eq!(state, VerifyState::Verified { hash: entry.hash });
    assert!(state.is_verified());
}

#[test]
fn a_changed_folder_names_both_hashes_and_each_file() {
    let folder = Folder::good();
    folder.write("gone", "x");
    let entry = copy_entry(&folder, &folder.read().unwrap());
    folder.write("component.wasm", "evil");
    folder.write("added", "x");
    fs::remove_file(folder.join("gone")).unwrap();
    let tree = Tree::read(&folder.open()).unwrap();
    let change = |path: &str, kind| Change {
        path: path.to_owned(),
        kind,
    };
    assert_eq!(
        verify(Found::Tree(&tree), Some(&entry)),
        VerifyState::Differs {
            expected: entry.hash,
            actual: Some(tree.hash()),
            changes: vec![
                change("added", ChangeKind::Added),
                change("component.wasm", ChangeKind::Changed),
                change("gone", ChangeKind::Removed),
            ],
            refused: None,
        }
    );
}

#[test]
fn a_link_made_after_install_is_tampering() {
    let folder = Folder::good();
    let entry = copy_entry(&folder, &folder.read().unwrap());
    symlink("/etc/passwd", folder.join("late")).unwrap();
    let error = Tree::read(&folder.open()).unwrap_err();
    let VerifyState::Differs {
        refused: Some(refused),
        actual: None,
        ..
    } = verify(Found::Refused(&error), Some(&entry))
    else {
        panic!("must differ");
    };
    assert!(refused.ends_with("late"), "{refused}");
}

#[test]
fn a_broken_manifest_is_tampering_with_the_file_named() {
    let folder = Folder::good();
    let entry = copy_entry(&folder, &folder.read().unwrap());
    folder.write("sr-plugin.json", "{");
    let state = verify(
        Found::Tree(&Tree::read(&folder.open()).unwrap()),
        Some(&entry),
    );
    let VerifyState::Differs { changes, .. } = state else {
        panic!("must differ")
    };
    assert_eq!(
        changes,
        [Change {
            path: "sr-plugin.json".to_owned(),
            kind: ChangeKind::Changed
        }]
    );
}

#[test]
fn nothing_there_is_missing_and_nothing_recorded_is_unverified() {
    let folder = Folder::good();
    let entry = copy_entry(&folder, &folder.read().unwrap());
    let tree = Tree::read(&folder.open()).unwrap();
    assert_eq!(verify(Found::Nothing, Some(&entry)), VerifyState::Missing);
    assert_eq!(verify(Found::Tree(&tree), None), VerifyState::Unverified);
    assert_eq!(verify(Found::Nothing, None), VerifyState::Unverified);
    assert!(!verify(Found::Tree(&tree), None).is_verified());
}

#[test]
fn an_entry_whose_commands_break_a_rule_is_broken_whatever_the_files_are() {
    let folder = Folder::good();
    let mut entry = copy_entry(&folder, &folder.read().unwrap());
    entry.commands[0].summary = "two\nlines".to_owned();
    let tree = Tree::read(&folder.open()).unwrap();
    let VerifyState::BrokenEntry { faults } = verify(Found::Tree(&tree), Some(&entry)) else {
        panic!("must be broken");
    };
    assert!(faults[0].contains("summary"), "{faults:?}");
    assert_eq!(verify(Found::Nothing, Some(&entry)), VerifyState::Missing);
}
