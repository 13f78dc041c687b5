//! The WIT package: its copies are copies, and what is released does not change.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::root;

/// Name and text of each WIT file of a folder.
fn texts(folder: &Path) -> BTreeMap<String, String> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut texts = BTreeMap::new();
    for entry in entries {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "wit") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            texts.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
    texts
}

#[test]
fn the_sdk_s_copy_is_the_contract() {
    let contract = texts(&root().join("wit"));
    assert!(!contract.is_empty());
    assert_eq!(texts(&root().join("guest-sdk/wit")), contract);
}

#[test]
fn the_released_copy_of_this_version_is_the_contract() {
    let contract = texts(&root().join("wit"));
    let world = &contract["world.wit"];
    let version = world
        .lines()
        .find_map(|line| line.strip_prefix("package sr:runtime@")?.strip_suffix(';'))
        .unwrap();
    let released = root().join("wit/released").join(version);
    assert_eq!(
        texts(&released),
        contract,
        "{version} is frozen; a change needs a new version"
    );
}
