//! Why a folder cannot be a package.

use std::io;

use crate::limits;
use crate::path::LONGEST_PATH;

/// Why a folder cannot be a package.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// A symbolic link.
    #[error("a package holds no symbolic links; replace it by the file or remove it: {path}")]
    Link {
        /// Path in the package, escaped.
        path: String,
    },
    /// Neither a file nor a folder.
    #[error("a package holds files and folders only; remove this {kind}: {path}")]
    Special {
        /// Path in the package, escaped.
        path: String,
        /// "pipe", "socket", "device" or "submodule".
        kind: &'static str,
    },
    /// A name that is not UTF-8.
    #[error("a file name in a package is UTF-8; rename: {path}")]
    NotUtf8 {
        /// Path in the package, escaped.
        path: String,
    },
    /// A backslash or a character that turns or hides text.
    #[error(
        "a file name in a package has no backslash, control or text-direction character; rename: {path}"
    )]
    OddName {
        /// Path in the package, escaped.
        path: String,
    },
    /// A path over 255 bytes.
    #[error("a path in a package has at most {LONGEST_PATH} bytes, found {bytes}: {path}")]
    LongPath {
        /// Path in the package, escaped and cut.
        path: String,
        /// Its length.
        bytes: usize,
    },
    /// A path with `.`, `..` or an empty part.
    #[error("a path in a package stays inside the package; rename: {path}")]
    Escapes {
        /// Path in the package, escaped.
        path: String,
    },
    /// Two paths that are one on a disk that does not tell the case of letters apart.
    #[error(
        "the paths of a package differ in more than the case of letters; rename one of: {path}, {other}"
    )]
    SameName {
        /// Path in the package, escaped.
        path: String,
        /// The other one.
        other: String,
    },
    /// Too many files and folders.
    #[error("a package holds at most {} files and folders", limits::ENTRIES)]
    TooMany,
    /// Too many folders inside folders.
    #[error("folders in a package are at most {} deep: {path}", limits::DEPTH)]
    TooDeep {
        /// Path in the package, escaped.
        path: String,
    },
    /// A file over 16 MiB.
    #[error("a file in a package has at most {} bytes: {path}", limits::FILE_BYTES)]
    FileTooLarge {
        /// Path in the package, escaped.
        path: String,
    },
    /// More than 64 MiB in all.
    #[error("a package has at most {} bytes in all", limits::TOTAL_BYTES)]
    TooLarge,
    /// The system refused.
    #[error("cannot read in the package: {path}: {source}")]
    Io {
        /// Path in the package, escaped; "." is the folder itself.
        path: String,
        /// The system's answer.
        source: io::Error,
    },
}
