//! The files of a package that is listed somewhere else than in a folder: by git.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use crate::escape::{escaped, escaped_os};
use crate::limits;
use crate::path::{check_spelling, is_excluded, stays_inside};
use crate::tree_error::TreeError;

/// What stands at a path of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    /// A file of this many bytes.
    File {
        /// Its length.
        bytes: u64,
    },
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// Another repository.
    Submodule,
}

/// A file that may be part of a package; only [`FileList`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    pub(crate) path: String,
    bytes: u64,
}

impl ListedFile {
    /// Path in the package, `/` between components.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Length of its content.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Judges a list by the rules and limits of a package folder, before one file is read.
#[derive(Debug, Default)]
pub struct FileList {
    entries: usize,
    bytes: u64,
    /// Every path by its lower-case form.
    paths: BTreeMap<String, String>,
}

impl FileList {
    /// The file when it is part of the package; none for a folder and for what is left out.
    ///
    /// # Errors
    /// What a folder on disk would be refused for; and a path that leaves the package, or differs
    /// from another one in case only: a list can have both, a disk not.
    pub fn admit(&mut self, path: &[u8], what: Listed) -> Result<Option<ListedFile>, TreeError> {
        let shown = || escaped_os(OsStr::from_bytes(path));
        let Ok(path) = str::from_utf8(path) else {
            return Err(TreeError::NotUtf8 { path: shown() });
        };
        let parts: Vec<&str> = path.split('/').collect();
        if !stays_inside(path) {
            return Err(TreeError::Escapes { path: shown() });
        }
        if parts.iter().rev().skip(1).any(|part| is_excluded(part)) {
            return Ok(None);
        }
        self.entries += 1;
        if self.entries > limits::ENTRIES {
            return Err(TreeError::TooMany);
        }
        match what {
            Listed::Link => return Err(TreeError::Link { path: shown() }),
            Listed::Submodule => {
                return Err(TreeError::Special {
                    path: shown(),
                    kind: "submodule",
                });
            }
            Listed::File { .. } | Listed::Folder => {}
        }
        if parts.last().is_some_and(|name| is_excluded(name)) {
            return Ok(None);
        }
        check_spelling(path)?;
        let folders = parts.len() - usize::from(what != Listed::Folder);
        if folders >= limits::DEPTH {
            return Err(TreeError::TooDeep { path: shown() });
        }
        if let Some(other) = self.paths.insert(path.to_lowercase(), path.to_owned()) {
            return Err(TreeError::SameName {
                path: shown(),
                other: escaped(&other),
            });
        }
        let Listed::File { bytes } = what else {
            return Ok(None);
        };
        if bytes > limits::FILE_BYTES {
            return Err(TreeError::FileTooLarge { path: shown() });
        }
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > limits::TOTAL_BYTES {
            return Err(TreeError::TooLarge);
        }
        Ok(Some(ListedFile {
            path: path.to_owned(),
            bytes,
        }))
    }
}
