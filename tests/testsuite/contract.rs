//! The WIT package: its copies are copies, and what is released does not change.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

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

/// Each released version with the hash of its folder. A line is added with a release and never
/// changed: components of that version are out there.
const RELEASED: &[(&str, &str)] = &[(
    "0.1.0",
    "a129486d427f3c1c96b6fac6ba418fb2ff0eb0fde1356fbdf4c6e26571463c83",
)];

/// SHA-256 over each file by name: length and name, length and content, lengths as 8 bytes LE.
fn hash(folder: &Path) -> String {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let mut hasher = Sha256::new();
    for path in paths {
        let name = path.file_name().unwrap().as_encoded_bytes().to_vec();
        for bytes in [name, fs::read(&path).unwrap()] {
            hasher.update((bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        }
    }
    format!("{:x}", hasher.finalize())
}

#[test]
fn what_is_released_never_changes() {
    let folder = root().join("wit/released");
    let versions: BTreeSet<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let known: BTreeSet<String> = RELEASED
        .iter()
        .map(|(version, _)| (*version).to_owned())
        .collect();
    assert_eq!(versions, known);
    for (version, wanted) in RELEASED {
        assert_eq!(
            hash(&folder.join(version)),
            *wanted,
            "{version} was changed"
        );
    }
}
