//! Paths inside a package, and the places that are no part of it.

use std::fmt;
use std::str::FromStr;

use crate::escape::escaped;
use crate::tree_error::TreeError;

/// Longest path inside a package, in bytes: what every common file system can hold.
pub(crate) const LONGEST_PATH: usize = 255;

/// Names that are never read and never hashed, wherever they stand. So is every `*.log`.
pub const EXCLUDED_NAMES: &[&str] = &[".git", "node_modules", "target"];

/// Whether an entry of this name is left out of the package.
#[must_use]
pub fn is_excluded(name: &str) -> bool {
    EXCLUDED_NAMES.contains(&name) || name.ends_with(".log")
}

/// A path the manifest names: relative, `/` between normal components, in no excluded place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PackagePath(String);

/// Why a path cannot stand in a manifest. Messages show it escaped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// Empty or longer than 255 bytes.
    #[error("a path has 1 to {LONGEST_PATH} bytes, found {bytes}: \"{path}\"")]
    Length {
        /// The path, escaped and cut.
        path: String,
        /// Its length.
        bytes: usize,
    },
    /// Absolute, or with `.`, `..` or an empty part.
    #[error(
        "a path must stay inside the package; write it relative to sr-plugin.json, without \".\" and \"..\": \"{path}\""
    )]
    Escapes {
        /// The path, escaped.
        path: String,
    },
    /// A backslash, a colon or a control character.
    #[error("a path uses / and no backslash, colon or control character: \"{path}\"")]
    Character {
        /// The path, escaped.
        path: String,
    },
    /// In a place the hash does not cover.
    #[error(
        "\"{excluded}\" is not part of a package (never hashed), so nothing used may lie there: \"{path}\""
    )]
    Excluded {
        /// The path, escaped.
        path: String,
        /// The excluded component.
        excluded: String,
    },
}

impl PackagePath {
    /// The path, `/` between components.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PackagePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PackagePath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let path = || escaped(text);
        if text.is_empty() || text.len() > LONGEST_PATH {
            return Err(PathError::Length {
                path: path(),
                bytes: text.len(),
            });
        }
        if text.contains([':', '\\']) || has_odd_character(text) {
            return Err(PathError::Character { path: path() });
        }
        for part in text.split('/') {
            if matches!(part, "" | "." | "..") {
                return Err(PathError::Escapes { path: path() });
            }
            if is_excluded(part) {
                return Err(PathError::Excluded {
                    path: path(),
                    excluded: escaped(part),
                });
            }
        }
        Ok(Self(text.to_owned()))
    }
}

/// The rule for the path of a file in a package, wherever it is listed: in a folder, by git, in a
/// lock. The manifest's own paths obey [`PackagePath`], which is narrower.
pub(crate) fn check_file_path(path: &str) -> Result<(), TreeError> {
    if !stays_inside(path) || path.split('/').any(is_excluded) {
        let path = escaped(path);
        return Err(TreeError::Escapes { path });
    }
    check_spelling(path)
}

/// Whether a path is relative and has normal components alone.
pub(crate) fn stays_inside(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// The characters and the length of a path in a package.
pub(crate) fn check_spelling(path: &str) -> Result<(), TreeError> {
    let shown = || escaped(path);
    if path.contains('\\') || has_odd_character(path) {
        return Err(TreeError::OddName { path: shown() });
    }
    if path.len() > LONGEST_PATH {
        return Err(TreeError::LongPath {
            path: shown(),
            bytes: path.len(),
        });
    }
    Ok(())
}

/// Control characters, line and paragraph separators, and the marks that turn text around:
/// none of them belongs in a name a person has to read.
pub(crate) fn has_odd_character(name: &str) -> bool {
    name.chars().any(|character| {
        character.is_control()
            || matches!(
                character,
                '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{61c}' | '\u{feff}'
            )
    })
}
