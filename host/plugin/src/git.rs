//! Where a git source is: one text, `git+https://HOST/PATH[?path=FOLDER][#REF]`, for the command
//! line and for the lock alike.

use std::fmt;
use std::str::FromStr;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sr_policy::CheckedUrl;
use sr_policy::url::UrlError;

use crate::escape::escaped;
use crate::path::{PackagePath, PathError, has_odd_character};
use crate::reference::{GitReference, ObjectId, RefName, ReferenceError};

const PREFIX: &str = "git+";
const SCHEME: &str = "git+https://";
/// What would end a path or a reference, or be decoded, when the text is read again.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'`');

/// A repository, a folder in it, and what to take of it. Never a user name or password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitAddress {
    url: CheckedUrl,
    folder: Option<PackagePath>,
    reference: Option<GitReference>,
}

/// Why a text is not the address of a git source. No message repeats a user name, a password or
/// the value of an unknown parameter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GitAddressError {
    /// A blank, a backslash, a control or text-direction character.
    #[error("a source has no blank, backslash, control or text-direction character: {shown}")]
    Character {
        /// The character, escaped.
        shown: String,
    },
    /// Another way to a repository than https.
    #[error("a repository is fetched over https and in no other way, found: {scheme}")]
    Scheme {
        /// The scheme, escaped.
        scheme: String,
    },
    /// Not a URL, or one with a user name.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// A host without a path.
    #[error("the URL names no repository: {url}")]
    NoRepository {
        /// The URL.
        url: String,
    },
    /// Something else than `path=FOLDER` behind the `?`.
    #[error("behind ? stands path=FOLDER, once and nothing else, found: {key}")]
    Parameter {
        /// The parameter's name, escaped.
        key: String,
    },
    /// The folder is not a path inside the repository.
    #[error("path: {0}")]
    Folder(PathError),
    /// No branch, tag or commit can be called so.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
}

/// What the lock remembers of a git source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GitOrigin {
    /// The address with the folder that was taken and the reference that was asked for.
    pub from: GitAddress,
    /// The branch or tag in full; none for the default branch and for a commit.
    #[serde(rename = "ref", default, skip_serializing_if = "Option::is_none")]
    pub full_ref: Option<RefName>,
    /// The commit it stood for.
    pub commit: ObjectId,
    /// The tree of the folder that was taken.
    pub tree: ObjectId,
}

impl GitOrigin {
    /// Whether a person named the commit itself: it never moves.
    #[must_use]
    pub fn is_pinned(&self) -> bool {
        matches!(self.from.reference(), Some(GitReference::Commit(_)))
    }
}

impl GitAddress {
    /// Whether the text means a git source, right or wrong: it is then parsed as nothing else.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        text.get(..PREFIX.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(PREFIX))
    }

    /// The repository: https, no user name, no query, no fragment.
    #[must_use]
    pub fn url(&self) -> &CheckedUrl {
        &self.url
    }

    /// The folder that holds the package; none leaves the choice to the rules of `install`.
    #[must_use]
    pub fn folder(&self) -> Option<&PackagePath> {
        self.folder.as_ref()
    }

    /// What to take; none is the repository's default branch.
    #[must_use]
    pub fn reference(&self) -> Option<&GitReference> {
        self.reference.as_ref()
    }

    /// The same with this folder; none is the root.
    #[must_use]
    pub fn in_folder(mut self, folder: Option<PackagePath>) -> Self {
        self.folder = folder;
        self
    }
}

impl FromStr for GitAddress {
    type Err = GitAddressError;

    fn from_str(text: &str) -> Result<Self, GitAddressError> {
        // Before the URL parser, which mends some of these silently.
        let odd = |letter: &char| {
            letter.is_whitespace()
                || *letter == '\\'
                || has_odd_character(letter.encode_utf8(&mut [0; 4]))
        };
        if let Some(letter) = text.chars().find(odd) {
            return Err(GitAddressError::Character {
                shown: format!("\"{}\"", letter.escape_default()),
            });
        }
        if !text.starts_with(SCHEME) {
            let scheme = text.split(':').next().unwrap_or_default();
            return Err(GitAddressError::Scheme {
                scheme: escaped(scheme),
            });
        }
        let whole = CheckedUrl::parse(text.strip_prefix(PREFIX).unwrap_or_default())?;
        let url = CheckedUrl::parse(whole.without_query())?;
        if url.path().bytes().all(|byte| byte == b'/') {
            return Err(GitAddressError::NoRepository {
                url: url.to_string(),
            });
        }
        Ok(Self {
            url,
            folder: whole.query().map(folder).transpose()?,
            reference: whole.fragment().map(reference).transpose()?,
        })
    }
}

fn folder(query: &str) -> Result<PackagePath, GitAddressError> {
    let key = query.split('=').next().unwrap_or_default();
    match query.strip_prefix("path=") {
        Some(value) if !value.contains('&') => {
            decoded(value).parse().map_err(GitAddressError::Folder)
        }
        Some(value) => {
            let next = value.split('&').nth(1).unwrap_or_default();
            let key = next.split('=').next().unwrap_or_default();
            Err(GitAddressError::Parameter { key: escaped(key) })
        }
        None => Err(GitAddressError::Parameter { key: escaped(key) }),
    }
}

fn reference(fragment: &str) -> Result<GitReference, GitAddressError> {
    Ok(decoded(fragment).parse()?)
}

/// Bytes that are not UTF-8 become a character that the rules of the part refuse or git does not know.
fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

impl fmt::Display for GitAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.url)?;
        if let Some(folder) = &self.folder {
            write!(f, "?path={}", utf8_percent_encode(folder.as_str(), ENCODED))?;
        }
        if let Some(reference) = &self.reference {
            let text = reference.to_string();
            write!(f, "#{}", utf8_percent_encode(&text, ENCODED))?;
        }
        Ok(())
    }
}

impl Serialize for GitAddress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GitAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}
