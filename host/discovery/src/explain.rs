//! What became of every place: the answer to "why is my browser not listed?".

use serde::Serialize;

use crate::machine::Source;

/// One place and what was found there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// The source that looked.
    pub source: Source,
    /// The file, folder, process, address or package.
    pub place: String,
    /// What became of it.
    pub outcome: Outcome,
    /// More, for a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// What became of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It led to an entry.
    Listed,
    /// It led to an entry that another source found, too, and whose word counts more.
    Merged,
    /// Nothing is there.
    Absent,
    /// The system does not let it be looked at.
    Denied,
    /// It is not of the form that is expected there.
    Malformed,
    /// The file is of a browser that ended: another one, or none, listens on its port.
    Stale,
    /// Nothing listens.
    Refused,
    /// No connection came about in time.
    Timeout,
    /// Something listens and does not answer as a browser.
    NotABrowser,
    /// Its Chromium is older than the oldest that is listed.
    TooOld,
    /// It is deliberately not looked at.
    Skipped,
}

impl Outcome {
    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Merged => "merged",
            Self::Absent => "absent",
            Self::Denied => "denied",
            Self::Malformed => "malformed",
            Self::Stale => "stale",
            Self::Refused => "refused",
            Self::Timeout => "timeout",
            Self::NotABrowser => "not-a-browser",
            Self::TooOld => "too-old",
            Self::Skipped => "skipped",
        }
    }
}

/// The notes of a run.
#[derive(Debug, Default)]
pub(crate) struct Notes(pub(crate) Vec<Note>);

impl Notes {
    pub(crate) fn add(&mut self, source: Source, place: impl Into<String>, outcome: Outcome) {
        self.0.push(Note {
            source,
            place: place.into(),
            outcome,
            detail: None,
        });
    }

    pub(crate) fn tell(
        &mut self,
        source: Source,
        place: impl Into<String>,
        outcome: Outcome,
        detail: impl Into<String>,
    ) {
        self.0.push(Note {
            source,
            place: place.into(),
            outcome,
            detail: Some(detail.into()),
        });
    }
}
