//! Facts about a file operation that failed.

use std::io;
use std::path::{Path, PathBuf};

use crate::escape::shown_path;

/// What could not be done, where, and what the system said.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}", shown_path(path))]
pub struct IoFault {
    /// The verb and its object: "write the lock file".
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// The system's answer.
    pub source: io::Error,
}

impl IoFault {
    pub(crate) fn at(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self {
            action,
            path,
            source,
        }
    }
}
