//! Why a calibration document is refused.

use std::fmt;

use sr_policy::json::JsonError;

use crate::escape::escaped;

/// Domains of one document: each costs at every request.
pub(crate) const MOST_DOMAINS: usize = 200;

/// Every fault of a document, each on its line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct SitedataFaults(pub Vec<SitedataFault>);

impl fmt::Display for SitedataFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, fault) in self.0.iter().enumerate() {
            let separator = if place == 0 { "" } else { "\n" };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

/// One fault of a document and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitedataFault {
    /// The file, as the manifest names it.
    pub file: String,
    /// JSON pointer of the value; empty for the whole document.
    pub pointer: String,
    /// Line and character from 1; none for a key that is missing.
    pub place: Option<(usize, usize)>,
    /// The rule it breaks.
    pub rule: SitedataError,
}

impl fmt::Display for SitedataFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.rule, self.place) {
            // It names file and place itself.
            (SitedataError::Json(error), _) => error.fmt(f),
            (rule, Some((line, column))) => {
                let file = escaped(&self.file);
                write!(f, "{file}: line {line}, column {column}: {rule}")
            }
            (rule, None) => write!(f, "{}: {rule}", escaped(&self.file)),
        }
    }
}

/// The rule a document breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SitedataError {
    /// Not JSON under the one rule.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// Something else than an object.
    #[error("a sitedata document is an object")]
    NotAnObject,
    /// A key of the wrong kind, or without it.
    #[error("{key} must be {kind}")]
    Kind {
        /// Which key, escaped.
        key: String,
        /// What it must be.
        kind: &'static str,
    },
    /// Too many domains.
    #[error("domains: at most {MOST_DOMAINS} entries, found: {0}")]
    TooManyDomains(usize),
}
