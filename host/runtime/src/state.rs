//! The one word for how a plugin stands, the same in every list.

use sr_plugin::{LockEntry, Placement, VerifyState};
use sr_policy::command_rules::check_commands;

/// How a plugin stands. `docs/files-and-places.md` has the same table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PluginState {
    /// `linked`
    Linked,
    /// `copied`
    Copied,
    /// `verified`
    Verified,
    /// `changed`
    Changed,
    /// `tampered`
    Tampered,
    /// `broken`
    Broken,
    /// `missing`
    Missing,
    /// `unverified`
    Unverified,
    /// `not installed`
    NotInstalled,
}

impl PluginState {
    /// Every state, in the order of the document.
    pub const ALL: [Self; 9] = [
        Self::Linked,
        Self::Copied,
        Self::Verified,
        Self::Changed,
        Self::Tampered,
        Self::Broken,
        Self::Missing,
        Self::Unverified,
        Self::NotInstalled,
    ];

    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Linked => "linked",
            Self::Copied => "copied",
            Self::Verified => "verified",
            Self::Changed => "changed",
            Self::Tampered => "tampered",
            Self::Broken => "broken",
            Self::Missing => "missing",
            Self::Unverified => "unverified",
            Self::NotInstalled => "not installed",
        }
    }

    /// What it means.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Linked => {
                "recorded, and its place is a link to its author's folder; no file was read"
            }
            Self::Copied => "recorded, and its place is a folder of its own; no file was read",
            Self::Verified => "the files are those the lock records",
            Self::Changed => {
                "linked, and the files are others than the lock records: its author changed them"
            }
            Self::Tampered => {
                "copied or fetched, and the files are others than the lock records: nobody should have changed them"
            }
            Self::Broken => "what the lock records of it breaks a rule, so none of it is used",
            Self::Missing => "recorded, and its place holds no folder: nothing, or a dangling link",
            Self::Unverified => "its place holds something that the lock does not record",
            Self::NotInstalled => "a folder that was named by its path",
        }
    }

    /// What can be told without reading a file; `verify` tells the rest. `lengths_agree` is asked
    /// when the place holds a folder: another length is a change, the same one proves nothing.
    #[must_use]
    pub fn at_a_glance(
        entry: Option<&LockEntry>,
        placement: &Placement,
        lengths_agree: impl FnOnce(&LockEntry) -> bool,
    ) -> Self {
        let Some(entry) = entry else {
            return Self::Unverified;
        };
        let intact = match placement {
            Placement::Folder => Self::Copied,
            Placement::Link {
                dangling: false, ..
            } => Self::Linked,
            Placement::Link { .. } | Placement::Missing | Placement::Other => return Self::Missing,
        };
        if check_commands(&entry.commands).is_err() {
            return Self::Broken;
        }
        match lengths_agree(entry) {
            true => intact,
            false => Self::differing(&entry.source),
        }
    }

    /// The word for a verdict.
    #[must_use]
    pub fn of(verdict: &VerifyState, entry: Option<&LockEntry>) -> Self {
        match verdict {
            VerifyState::Verified { .. } => Self::Verified,
            VerifyState::Differs { .. } => {
                entry.map_or(Self::Unverified, |entry| Self::differing(&entry.source))
            }
            VerifyState::BrokenEntry { .. } => Self::Broken,
            VerifyState::Missing => Self::Missing,
            VerifyState::Unverified => Self::Unverified,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_every_state_with_these_words() {
        let document = include_str!("../../../docs/files-and-places.md");
        for state in PluginState::ALL {
            let line = format!("| `{}` | {} |", state.word(), state.meaning());
            assert!(document.contains(&line), "no line {line}");
        }
    }

    #[test]
    fn a_glance_never_says_that_files_are_good() {
        let link = |dangling| Placement::Link {
            target: "/x".into(),
            dangling,
        };
        for placement in [
            Placement::Folder,
            link(false),
            link(true),
            Placement::Missing,
            Placement::Other,
        ] {
            let state = PluginState::at_a_glance(None, &placement, |_| true);
            assert_eq!(state, PluginState::Unverified, "{placement:?}");
        }
    }
}
