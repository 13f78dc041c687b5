//! How the files of a plugin differ from what the lock records, in the words every command uses.

use std::fmt;

use sr_plugin::{Change, ChangeKind, LockEntry, PluginName, Sha256Hex, Source, VerifyState};

use crate::state::PluginState;

/// Files that are named in one line; `verify` names all.
const NAMED: usize = 3;

/// Files that are others than the lock records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The plugin.
    pub name: PluginName,
    /// `changed` or `tampered`.
    pub state: PluginState,
    /// What the lock records.
    pub expected: Sha256Hex,
    /// What the folder has; none when it could not be read.
    pub found: Option<Sha256Hex>,
    /// Which files differ, by path.
    pub changes: Vec<Change>,
    /// Why the folder could not be read.
    pub refused: Option<String>,
}

impl Changed {
    /// What a verdict says about files that differ; none when it says something else.
    #[must_use]
    pub fn of(name: &PluginName, entry: &LockEntry, verdict: &VerifyState) -> Option<Self> {
        let VerifyState::Differs {
            expected,
            actual,
            changes,
            refused,
        } = verdict
        else {
            return None;
        };
        Some(Self {
            name: name.clone(),
            state: PluginState::differing(&entry.source),
            expected: *expected,
            found: *actual,
            changes: changes.clone(),
            refused: refused.clone(),
        })
    }

    /// The files that differ, the first ones by name.
    #[must_use]
    pub fn files(&self) -> String {
        if let Some(refused) = &self.refused {
            return refused.clone();
        }
        let named = self.changes.iter().take(NAMED);
        let mut words: Vec<String> = named
            .map(|change| format!("{} {}", kind_word(change.kind), change.path))
            .collect();
        if self.changes.len() > NAMED {
            words.push(format!("{} more", self.changes.len() - NAMED));
        }
        words.join(", ")
    }

    /// What to do about it.
    #[must_use]
    pub fn advice(&self) -> String {
        let name = &self.name;
        match self.state {
            PluginState::Changed => format!("sr-runtime plugin update {name} records it"),
            _ => format!(
                "sr-runtime plugin verify {name} shows it, sr-runtime plugin update {name} takes it from its source again"
            ),
        }
    }
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.state {
            PluginState::Changed => write!(f, "{name} was changed since it was recorded")?,
            _ => write!(f, "{name} is not what was installed, it was tampered with")?,
        }
        write!(f, " ({})", self.files())
    }
}

/// How a file differs, in one word.
#[must_use]
pub fn kind_word(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
        ChangeKind::Changed => "changed",
    }
}

impl PluginState {
    /// The word for files that differ: an author changes a linked folder, nobody should change a
    /// copy.
    #[must_use]
    pub fn differing(source: &Source) -> Self {
        match source {
            Source::Link { .. } => Self::Changed,
            Source::Copy { .. } | Source::Git(_) => Self::Tampered,
        }
    }
}
