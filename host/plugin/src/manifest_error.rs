//! Why a manifest is refused.

use std::fmt;

use sr_policy::capability;
use sr_policy::json::JsonError;

use crate::manifest::{ACCESS_CLASSES, FILE, LONGEST_DESCRIPTION, LONGEST_VERSION, MOST_ENTRIES};
use crate::name::NameError;
use crate::path::PathError;
use crate::world::WorldError;

/// Every fault of a manifest, each on its line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ManifestFaults(pub Vec<ManifestFault>);

impl fmt::Display for ManifestFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, fault) in self.0.iter().enumerate() {
            let separator = if place == 0 { "" } else { "\n" };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

/// One fault of a manifest and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestFault {
    /// JSON pointer of the value; empty for the whole document.
    pub pointer: String,
    /// Line and character from 1; none for a key that is missing.
    pub place: Option<(usize, usize)>,
    /// The rule it breaks.
    pub rule: ManifestError,
}

impl fmt::Display for ManifestFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.rule, self.place) {
            // It names file and place itself.
            (ManifestError::Json(error), _) => error.fmt(f),
            (rule, Some((line, column))) => {
                write!(f, "{FILE}: line {line}, column {column}: {rule}")
            }
            (rule, None) => write!(f, "{FILE}: {rule}"),
        }
    }
}

/// The rule a manifest breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// Not JSON under the one rule.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// Something else than an object.
    #[error("a manifest is an object, found: {0}")]
    NotAnObject(&'static str),
    /// A value of the wrong type.
    #[error("{key}: must be {wanted}, found: {found}")]
    Kind {
        /// Which key.
        key: &'static str,
        /// What it must be.
        wanted: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// A key no manifest has.
    #[error("unknown key{}: \"{key}\"", hint(.meant))]
    UnknownKey {
        /// The key, escaped.
        key: String,
        /// The key that was probably meant.
        meant: Option<&'static str>,
    },
    /// A key every manifest has.
    #[error("a key is missing: \"{0}\"")]
    MissingKey(&'static str),
    /// Not a plugin name.
    #[error("name: {0}")]
    Name(#[from] NameError),
    /// Not a version.
    #[error(
        "version: write 1 to {LONGEST_VERSION} characters of a-z, A-Z, 0-9, \".\", \"+\" and \"-\": \"{0}\""
    )]
    Version(String),
    /// Too long a description.
    #[error("description: at most {LONGEST_DESCRIPTION} characters, found: {0}")]
    Description(usize),
    /// A world that is not served.
    #[error("world: {0}")]
    World(#[from] WorldError),
    /// A path that leaves the package.
    #[error("{key}: {error}")]
    Path {
        /// Which key.
        key: &'static str,
        /// Why.
        error: PathError,
    },
    /// A path that is the manifest's own, or below it.
    #[error("{key}: {FILE} is the manifest, so it is nothing else and no folder: \"{path}\"")]
    ManifestPath {
        /// Which key.
        key: &'static str,
        /// The path, escaped.
        path: String,
    },
    /// An update URL that is not https, or no URL.
    #[error("sitedata.update_url: write an https URL without user name ({reason}): \"{url}\"")]
    UpdateUrl {
        /// The URL, escaped.
        url: String,
        /// Why.
        reason: String,
    },
    /// A list that is too long.
    #[error("{key}: at most {MOST_ENTRIES} entries, found: {count}")]
    TooMany {
        /// Which list.
        key: &'static str,
        /// Its length.
        count: usize,
    },
    /// An entry that stands in a list twice.
    #[error("{key}: listed twice: \"{entry}\"")]
    Repeated {
        /// Which list.
        key: &'static str,
        /// The entry, escaped.
        entry: String,
    },
    /// A word that is no capability.
    #[error("capabilities: there is no capability \"{word}\"{}; there are: {}", hint(.meant), capability::names())]
    Capability {
        /// The word, escaped.
        word: String,
        /// The capability that was probably meant.
        meant: Option<&'static str>,
    },
    /// A word that is no access class.
    #[error("access: one of {}{}: \"{word}\"", ACCESS_CLASSES.join(", "), hint(.meant))]
    Access {
        /// The word, escaped.
        word: String,
        /// The class that was probably meant.
        meant: Option<&'static str>,
    },
    /// `posts` without the capability that a person is shown.
    #[error("posts needs a capability; write: \"capabilities\": [\"fetch\", \"posts\"]")]
    PostsNotAsked,
}

fn hint(meant: &Option<&'static str>) -> String {
    meant
        .map(|key| format!(" (did you mean \"{key}\"?)"))
        .unwrap_or_default()
}
