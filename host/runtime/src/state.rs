//! The one word for how a plugin stands, the same in every list.

use sr_plugin::{LockEntry, Placement, VerifyState};

/// How a plugin stands. `docs/files-and-places.md` has the same table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PluginState {
    /// `linked`
    Linked,
    /// `copied`
    Copied,
    /// `verified`
    Verified,
    /// `tampered`
    Tampered,
    /// `missing`
    Missing,
    /// `unverified`
    Unverified,
    /// `not installed`
    NotInstalled,
}

impl PluginState {
    /// Every state, in the order of the document.
    pub const ALL: [Self; 7] = [
        Self::Linked,
        Self::Copied,
        Self::Verified,
        Self::Tampered,
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
            Self::Tampered => "tampered",
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
                "recorded, and its place is a link to its author's folder; the files were not read"
            }
            Self::Copied => {
                "recorded, and its place is a folder of its own; the files were not read"
            }
            Self::Verified => "the files are those the lock records",
            Self::Tampered => "the files are others than the lock records, or cannot be accepted",
            Self::Missing => "recorded, and its place holds no folder: nothing, or a dangling link",
            Self::Unverified => "its place holds something that the lock does not record",
            Self::NotInstalled => "a folder that was named by its path",
        }
    }

    /// What can be told without reading the package; `verify` tells the rest.
    #[must_use]
    pub fn at_a_glance(entry: Option<&LockEntry>, placement: &Placement) -> Self {
        match (entry, placement) {
            (None, _) => Self::Unverified,
            (_, Placement::Folder) => Self::Copied,
            (
                _,
                Placement::Link {
                    dangling: false, ..
                },
            ) => Self::Linked,
            (_, Placement::Link { .. } | Placement::Missing | Placement::Other) => Self::Missing,
        }
    }
}

impl From<&VerifyState> for PluginState {
    fn from(verdict: &VerifyState) -> Self {
        match verdict {
            VerifyState::Verified { .. } => Self::Verified,
            VerifyState::Tampered { .. } => Self::Tampered,
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
            let state = PluginState::at_a_glance(None, &placement);
            assert_eq!(state, PluginState::Unverified, "{placement:?}");
        }
    }
}
