//! Why a manifest is refused.

use sr_policy::json::JsonError;

use crate::manifest::{FILE, LONGEST_DESCRIPTION, LONGEST_VERSION, MOST_ENTRIES};
use crate::name::NameError;
use crate::path::PathError;
use crate::world::WorldError;

/// Why a manifest is refused.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// Not JSON under the one rule, or a value of the wrong type.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// A key no manifest has.
    #[error("{FILE}: unknown key{}: \"{key}\"", hint(.meant))]
    UnknownKey {
        /// The key, escaped.
        key: String,
        /// The key that was probably meant.
        meant: Option<&'static str>,
    },
    /// A key every manifest has.
    #[error("{FILE}: a key is missing: \"{0}\"")]
    MissingKey(&'static str),
    /// Not a plugin name.
    #[error("{FILE}: name: {0}")]
    Name(#[from] NameError),
    /// Not a version.
    #[error(
        "{FILE}: version: write 1 to {LONGEST_VERSION} characters of a-z, A-Z, 0-9, \".\", \"+\" and \"-\": \"{0}\""
    )]
    Version(String),
    /// Too long a description.
    #[error("{FILE}: description: at most {LONGEST_DESCRIPTION} characters, found: {0}")]
    Description(usize),
    /// A world that is not served.
    #[error("{FILE}: world: {0}")]
    World(#[from] WorldError),
    /// A path that leaves the package.
    #[error("{FILE}: {key}: {error}")]
    Path {
        /// Which key.
        key: &'static str,
        /// Why.
        error: PathError,
    },
    /// An update URL that is not https, or no URL.
    #[error(
        "{FILE}: sitedata.update_url: write an https URL without user name ({reason}): \"{url}\""
    )]
    UpdateUrl {
        /// The URL, escaped.
        url: String,
        /// Why.
        reason: String,
    },
    /// A list that is too long.
    #[error("{FILE}: {key}: at most {MOST_ENTRIES} entries, found: {count}")]
    TooMany {
        /// Which list.
        key: &'static str,
        /// Its length.
        count: usize,
    },
    /// An entry that stands in a list twice.
    #[error("{FILE}: {key}: listed twice: \"{entry}\"")]
    Repeated {
        /// Which list.
        key: &'static str,
        /// The entry, escaped.
        entry: String,
    },
    /// `posts` without the capability that a person is shown.
    #[error("{FILE}: posts needs a capability; write: \"capabilities\": [\"fetch\", \"posts\"]")]
    PostsNotAsked,
}

fn hint(meant: &Option<&'static str>) -> String {
    meant
        .map(|key| format!(" (did you mean \"{key}\"?)"))
        .unwrap_or_default()
}
