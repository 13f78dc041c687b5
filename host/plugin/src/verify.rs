//! Whether an installed plugin is the one that was recorded.

use std::path::Path;

use cap_std::fs::Dir;
use sr_policy::command_rules::check_commands;

use crate::digest::Sha256Hex;
use crate::lock::LockEntry;
use crate::tree::Tree;
use crate::tree_error::TreeError;

/// What lies at the plugin's place.
#[derive(Debug, Clone, Copy)]
pub enum Found<'a> {
    /// A folder that could be read.
    Tree(&'a Tree),
    /// A folder with something in it that no package holds, such as a link made after install.
    Refused(&'a TreeError),
    /// Nothing, or a link that leads nowhere.
    Nothing,
}

/// The verdict. Only the first is good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerifyState {
    /// The folder is what the lock records.
    Verified {
        /// The one hash.
        hash: Sha256Hex,
    },
    /// It is something else.
    Differs {
        /// What the lock records.
        expected: Sha256Hex,
        /// What the folder has; none when it could not be read.
        actual: Option<Sha256Hex>,
        /// Which files differ, by path.
        changes: Vec<Change>,
        /// Why the folder could not be read.
        refused: Option<String>,
    },
    /// What the lock records of it breaks a rule, so none of it is used.
    BrokenEntry {
        /// Each fault names command and field.
        faults: Vec<String>,
    },
    /// The lock records it and nothing is there.
    Missing,
    /// Something is there and the lock does not record it.
    Unverified,
}

/// One file that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its path in the package.
    pub path: String,
    /// How.
    pub kind: ChangeKind,
}

/// How a file differs from what the lock records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// Not recorded.
    Added,
    /// Recorded and gone.
    Removed,
    /// Another content.
    Changed,
}

impl VerifyState {
    /// Whether the folder is what the lock records.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        matches!(self, Self::Verified { .. })
    }
}

/// Holds what was found against what is recorded. No entry is never trusted.
#[must_use]
pub fn verify(found: Found<'_>, entry: Option<&LockEntry>) -> VerifyState {
    let Some(entry) = entry else {
        return VerifyState::Unverified;
    };
    let expected = entry.hash;
    if matches!(found, Found::Nothing) {
        return VerifyState::Missing;
    }
    // The lock is only a file: what help and parsing are made of is checked again.
    if let Err(faults) = check_commands(&entry.commands) {
        return VerifyState::BrokenEntry { faults };
    }
    match found {
        Found::Nothing => VerifyState::Missing,
        Found::Refused(error) => VerifyState::Differs {
            expected,
            actual: None,
            changes: Vec::new(),
            refused: Some(error.to_string()),
        },
        Found::Tree(tree) if tree.hash() == expected => VerifyState::Verified { hash: expected },
        Found::Tree(tree) => VerifyState::Differs {
            expected,
            actual: Some(tree.hash()),
            changes: changes(tree, entry),
            refused: None,
        },
    }
}

/// Whether every recorded file is there with its recorded length. No proof that its content is the
/// recorded one, but proof of a change where it is not so; no file is opened.
#[must_use]
pub fn lengths_agree(folder: &Dir, entry: &LockEntry) -> bool {
    entry.files.iter().all(|recorded| {
        folder
            .symlink_metadata(Path::new(&recorded.path))
            .is_ok_and(|found| found.is_file() && found.len() == recorded.bytes)
    })
}

fn changes(tree: &Tree, entry: &LockEntry) -> Vec<Change> {
    let change = |path: &str, kind| Change {
        path: path.to_owned(),
        kind,
    };
    let mut changes: Vec<Change> = tree
        .files()
        .iter()
        .filter_map(|file| {
            match entry
                .files
                .iter()
                .find(|recorded| recorded.path == file.path)
            {
                None => Some(change(&file.path, ChangeKind::Added)),
                Some(recorded) if recorded.sha256 != file.sha256 => {
                    Some(change(&file.path, ChangeKind::Changed))
                }
                Some(_) => None,
            }
        })
        .collect();
    let gone = entry
        .files
        .iter()
        .filter(|recorded| tree.file(&recorded.path).is_none());
    changes.extend(gone.map(|recorded| change(&recorded.path, ChangeKind::Removed)));
    changes.sort_by(|left, right| left.path.cmp(&right.path));
    changes
}
