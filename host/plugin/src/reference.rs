//! What can be taken of a repository: a branch, a tag, or a commit by its whole id.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::escape::escaped;
use crate::path::has_odd_character;

const BRANCHES: &str = "refs/heads/";
const TAGS: &str = "refs/tags/";
/// Digits of an object's id: SHA-1 and SHA-256 repositories.
const ID_DIGITS: [usize; 2] = [40, 64];
/// Bytes of a reference; git keeps one as a file name.
const LONGEST: usize = 255;

/// What a person asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitReference {
    /// A commit: it never moves.
    Commit(ObjectId),
    /// A branch or a tag.
    Name(RefName),
}

/// The id of a commit or tree: 40 or 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectId(String);

/// The name of a branch or tag, as `git check-ref-format` allows it, and never one that a program
/// could take for an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefName(String);

/// Why a text names no branch, tag or commit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReferenceError {
    /// Against the rules for names of branches and tags.
    #[error("no branch or tag can be called \"{name}\": {rule}")]
    Name {
        /// The name, escaped and cut.
        name: String,
        /// The rule it breaks.
        rule: &'static str,
    },
    /// Neither 40 nor 64 lower-case hexadecimal digits.
    #[error("an object id has 40 or 64 lower-case hexadecimal digits: \"{id}\"")]
    Id {
        /// The text, escaped and cut.
        id: String,
    },
}

impl ObjectId {
    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is of a repository that hashes with SHA-256.
    #[must_use]
    pub fn is_sha256(&self) -> bool {
        self.0.len() > 40
    }
}

impl RefName {
    /// The name as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The full names it can mean: of a branch and of a tag, or the one that was written in full.
    #[must_use]
    pub fn meanings(&self) -> Vec<Self> {
        match self.is_full() {
            true => vec![self.clone()],
            false => [BRANCHES, TAGS]
                .map(|place| Self(format!("{place}{}", self.0)))
                .to_vec(),
        }
    }

    /// Whether it names a tag in full.
    #[must_use]
    pub fn is_tag(&self) -> bool {
        self.0.starts_with(TAGS)
    }

    /// Whether it could be the beginning of a commit's id.
    #[must_use]
    pub fn looks_like_a_commit(&self) -> bool {
        self.0.len() >= 4 && self.0.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    fn is_full(&self) -> bool {
        self.0.starts_with("refs/")
    }
}

impl FromStr for ObjectId {
    type Err = ReferenceError;

    fn from_str(text: &str) -> Result<Self, ReferenceError> {
        let digits = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match ID_DIGITS.contains(&text.len()) && text.bytes().all(digits) {
            true => Ok(Self(text.to_owned())),
            false => Err(ReferenceError::Id { id: escaped(text) }),
        }
    }
}

impl FromStr for RefName {
    type Err = ReferenceError;

    fn from_str(text: &str) -> Result<Self, ReferenceError> {
        match fault(text) {
            None => Ok(Self(text.to_owned())),
            Some(rule) => Err(ReferenceError::Name {
                name: escaped(text),
                rule,
            }),
        }
    }
}

/// The rules of `git check-ref-format`, and three of our own: no leading hyphen, no character
/// that hides or turns text, branches and tags only.
fn fault(name: &str) -> Option<&'static str> {
    let part_is_odd =
        |part: &str| part.is_empty() || part.starts_with('.') || part.ends_with(".lock");
    if name.is_empty() || name.len() > LONGEST {
        Some("it has 1 to 255 bytes")
    } else if name.starts_with('-') {
        Some("it starts with a hyphen")
    } else if name.chars().any(char::is_whitespace) || has_odd_character(name) {
        Some("it has a blank, a control or a text-direction character")
    } else if name.contains(['~', '^', ':', '?', '*', '[', '\\', '\u{fffd}']) {
        Some("it has one of ~ ^ : ? * [ \\ or a byte that is not UTF-8")
    } else if name.contains("..") || name.contains("@{") || name == "@" || name.ends_with('.') {
        Some("it has \"..\" or \"@{\", is \"@\", or ends with a dot")
    } else if name.split('/').any(part_is_odd) {
        Some("a part between slashes is empty, starts with a dot or ends with \".lock\"")
    } else if name.starts_with("refs/") && !(name.starts_with(BRANCHES) || name.starts_with(TAGS)) {
        Some("of the full names only refs/heads/ and refs/tags/ are taken")
    } else {
        None
    }
}

impl FromStr for GitReference {
    type Err = ReferenceError;

    fn from_str(text: &str) -> Result<Self, ReferenceError> {
        let is_id = ID_DIGITS.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
        match is_id {
            true => Ok(Self::Commit(text.to_ascii_lowercase().parse()?)),
            false => Ok(Self::Name(text.parse()?)),
        }
    }
}

impl fmt::Display for GitReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Commit(id) => id.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}

/// One text, one spelling: shown, parsed, written and read alike.
macro_rules! as_text {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?
                    .parse()
                    .map_err(serde::de::Error::custom)
            }
        }
    };
}

as_text!(ObjectId);
as_text!(RefName);
