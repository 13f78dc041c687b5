//! A package folder, read once.
//!
//! # The package hash
//! SHA-256 over, in this order:
//! 1. the 21 bytes `sr-runtime package 1` and a line feed,
//! 2. the number of files as 8 bytes, little-endian,
//! 3. for every file, sorted by the bytes of its path: the length of the path (8 bytes,
//!    little-endian), the path (UTF-8, `/` between components), the length of the content
//!    (8 bytes, little-endian), the content.
//!
//! Only paths and contents count. Modes, times, owners, hard links and empty folders do not,
//! so two checkouts of the same files have the same hash on every machine. Bytes are taken as
//! they are: LF, CRLF and a lone CR give three different hashes.
//!
//! `.git`, `node_modules`, `target` and `*.log` are left out at any depth and never read.
//! Links, pipes, sockets and devices are refused, also under an excluded name, and never opened.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::Path;

use cap_std::fs::{Dir, File, Metadata, MetadataExt as _, OpenOptions, OpenOptionsExt as _};
use rustix::fs::{FileType, OFlags};
use sha2::{Digest as _, Sha256};

use crate::digest::Sha256Hex;
use crate::escape::{escaped, escaped_os};
use crate::file_list::ListedFile;
use crate::limits;
use crate::path::{check_spelling, is_excluded};
use crate::tree_error::TreeError;

const HEADER: &[u8] = b"sr-runtime package 1\n";

/// The files of a package with their contents, and the hash over both.
#[derive(Debug, Clone)]
pub struct Tree {
    hash: Sha256Hex,
    files: Vec<TreeFile>,
}

/// One file.
#[derive(Debug, Clone)]
pub struct TreeFile {
    /// Path in the package, `/` between components.
    pub path: String,
    /// Hash of the content.
    pub sha256: Sha256Hex,
    /// The bytes that were hashed.
    pub content: Vec<u8>,
}

/// Looks on while a package is read: tests count opens and change files in between.
pub trait ReadObserver {
    /// Every name is known, no file is open yet.
    fn listed(&self) {}
    /// The file was opened; not one byte is read yet.
    fn opened(&self, _path: &str) {}
    /// The file's bytes are in memory.
    fn read(&self, _path: &str) {}
}

impl ReadObserver for () {}

impl Tree {
    /// Reads the whole folder; each file is opened once.
    ///
    /// # Errors
    /// Any entry or size the rules above refuse. The first in path order is named.
    pub fn read(folder: &Dir) -> Result<Self, TreeError> {
        Self::read_observed(folder, &())
    }

    /// [`Tree::read`] with an onlooker.
    ///
    /// # Errors
    /// As [`Tree::read`].
    pub fn read_observed(folder: &Dir, observer: &dyn ReadObserver) -> Result<Self, TreeError> {
        Self::collect(folder, observer, &mut Err)
    }

    /// Reads what can be read and gives every entry that cannot stand in a package, up to a
    /// hundred. Without any, the tree is the one [`Tree::read`] gives; with some it is for looking
    /// at, not for use.
    #[must_use]
    pub fn survey(folder: &Dir) -> (Self, Vec<TreeError>) {
        let mut faults = Vec::new();
        let read = Self::collect(folder, &(), &mut |fault| {
            let ends = matches!(fault, TreeError::TooMany);
            let again = matches!(fault, TreeError::TooLarge)
                && faults
                    .iter()
                    .any(|known| matches!(known, TreeError::TooLarge));
            if ends || (faults.len() < MOST_FAULTS && !again) {
                faults.push(fault);
            }
            match ends {
                true => Err(TreeError::TooMany),
                false => Ok(()),
            }
        });
        let tree = read.unwrap_or_else(|_| Self {
            hash: Sha256Hex::of(&[]),
            files: Vec::new(),
        });
        (tree, faults)
    }

    fn collect(
        folder: &Dir,
        observer: &dyn ReadObserver,
        refused: &mut Refused<'_>,
    ) -> Result<Self, TreeError> {
        let mut listing = Listing {
            files: Vec::new(),
            entries: 0,
            refused,
        };
        listing.walk(folder, "", 0)?;
        listing.files.sort_unstable();
        let Listing {
            files: paths,
            refused,
            ..
        } = listing;
        observer.listed();

        let mut left = limits::TOTAL_BYTES;
        let mut growing = Growing::of(paths.len());
        for path in paths {
            let content = match read_file(folder, &path, left, observer) {
                Ok(content) => content,
                Err(fault) => {
                    refused(fault)?;
                    continue;
                }
            };
            left = left.saturating_sub(content.len() as u64);
            growing.add(path, content);
        }
        Ok(growing.done())
    }

    /// The tree of files that come from somewhere else than a folder.
    #[must_use]
    pub fn of(mut files: Vec<(ListedFile, Vec<u8>)>) -> Self {
        files.sort_unstable_by(|(left, _), (right, _)| left.path.cmp(&right.path));
        let mut growing = Growing::of(files.len());
        for (file, content) in files {
            growing.add(file.path, content);
        }
        growing.done()
    }

    /// The package hash.
    #[must_use]
    pub fn hash(&self) -> Sha256Hex {
        self.hash
    }

    /// The files, sorted by the bytes of their paths.
    #[must_use]
    pub fn files(&self) -> &[TreeFile] {
        &self.files
    }

    /// The file at this path.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&TreeFile> {
        let place = self
            .files
            .binary_search_by(|file| file.path.as_str().cmp(path))
            .ok()?;
        self.files.get(place)
    }

    pub(crate) fn into_files(self) -> Vec<TreeFile> {
        self.files
    }
}

/// A tree whose files are added in the order of their paths.
struct Growing {
    hasher: Sha256,
    files: Vec<TreeFile>,
}

impl Growing {
    fn of(count: usize) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(HEADER);
        hasher.update(length(count));
        Self {
            hasher,
            files: Vec::with_capacity(count),
        }
    }

    fn add(&mut self, path: String, content: Vec<u8>) {
        self.hasher.update(length(path.len()));
        self.hasher.update(path.as_bytes());
        self.hasher.update(length(content.len()));
        self.hasher.update(&content);
        self.files.push(TreeFile {
            sha256: Sha256Hex::of(&content),
            path,
            content,
        });
    }

    fn done(self) -> Tree {
        Tree {
            hash: Sha256Hex::finish(self.hasher),
            files: self.files,
        }
    }
}

fn length(count: usize) -> [u8; 8] {
    (count as u64).to_le_bytes()
}

/// What happens with an entry that is refused: an error ends the reading.
type Refused<'r> = dyn FnMut(TreeError) -> Result<(), TreeError> + 'r;

/// Refused entries a survey gives.
const MOST_FAULTS: usize = 100;

struct Listing<'r, 'f> {
    files: Vec<String>,
    entries: usize,
    refused: &'r mut Refused<'f>,
}

impl Listing<'_, '_> {
    fn walk(&mut self, folder: &Dir, path: &str, depth: usize) -> Result<(), TreeError> {
        let failed = |source| TreeError::Io {
            path: shown_folder(path),
            source,
        };
        let entries = match folder.entries().map_err(failed) {
            Ok(entries) => entries,
            Err(fault) => return (self.refused)(fault),
        };
        let mut names = Vec::new();
        for entry in entries {
            self.entries += 1;
            if self.entries > limits::ENTRIES {
                return (self.refused)(TreeError::TooMany);
            }
            match entry.map_err(failed) {
                Ok(entry) => names.push(entry.file_name()),
                Err(fault) => (self.refused)(fault)?,
            }
        }
        names.sort_unstable();
        for name in names {
            match self.entry(folder, path, &name, depth) {
                Ok(None) => {}
                Ok(Some((inner, path))) => self.walk(&inner, &path, depth + 1)?,
                Err(fault) => (self.refused)(fault)?,
            }
        }
        Ok(())
    }

    /// Keeps a file; gives a folder that is to be walked.
    fn entry(
        &mut self,
        folder: &Dir,
        parent: &str,
        name: &OsStr,
        depth: usize,
    ) -> Result<Option<(Dir, String)>, TreeError> {
        let shown = || join(&escaped(parent), &escaped_os(name));
        let failed = |source| TreeError::Io {
            path: shown(),
            source,
        };
        let metadata = folder.symlink_metadata(name).map_err(failed)?;
        let kind = ordinary(&metadata, shown)?;
        let Some(name) = name.to_str() else {
            return Err(TreeError::NotUtf8 { path: shown() });
        };
        if is_excluded(name) {
            return Ok(None);
        }
        let path = join(parent, name);
        check_spelling(&path)?;
        if kind == Kind::File {
            self.files.push(path);
            return Ok(None);
        }
        if depth + 1 >= limits::DEPTH {
            return Err(TreeError::TooDeep { path: shown() });
        }
        let inner = open(folder, name, OFlags::DIRECTORY).map_err(failed)?;
        Ok(Some((Dir::from_std_file(inner.into_std()), path)))
    }
}

#[derive(PartialEq)]
enum Kind {
    File,
    Folder,
}

fn ordinary(metadata: &Metadata, shown: impl Fn() -> String) -> Result<Kind, TreeError> {
    let kind = match FileType::from_raw_mode(metadata.mode()) {
        FileType::RegularFile => return Ok(Kind::File),
        FileType::Directory => return Ok(Kind::Folder),
        FileType::Symlink => return Err(TreeError::Link { path: shown() }),
        FileType::Fifo => "pipe",
        FileType::Socket => "socket",
        _ => "device",
    };
    Err(TreeError::Special {
        path: shown(),
        kind,
    })
}

/// The one open of a file. What the path stands for may have changed since it was listed, so
/// a link is not followed, a pipe does not block, and the open file is looked at again. Opened
/// from the root, so that a package of many folders does not hold as many descriptors.
fn read_file(
    root: &Dir,
    path: &str,
    left: u64,
    observer: &dyn ReadObserver,
) -> Result<Vec<u8>, TreeError> {
    let failed = |source| TreeError::Io {
        path: escaped(path),
        source,
    };
    let mut file = open(root, path, OFlags::empty()).map_err(failed)?;
    observer.opened(path);
    let metadata = file.metadata().map_err(failed)?;
    if ordinary(&metadata, || escaped(path))? != Kind::File {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    let limit = limits::FILE_BYTES.min(left);
    let too_large = || match limit == limits::FILE_BYTES {
        true => TreeError::FileTooLarge {
            path: escaped(path),
        },
        false => TreeError::TooLarge,
    };
    if metadata.len() > limit {
        return Err(too_large());
    }
    let expected = metadata.len();
    // One read of the known length, then what was added meanwhile; a file that shrank fails.
    let mut content = vec![0; usize::try_from(expected).unwrap_or_default()];
    file.read_exact(&mut content).map_err(failed)?;
    file.take(limit + 1 - expected)
        .read_to_end(&mut content)
        .map_err(failed)?;
    if content.len() as u64 > limit {
        return Err(too_large());
    }
    observer.read(path);
    Ok(content)
}

fn open(folder: &Dir, path: &str, more: OFlags) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | more;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.bits().cast_signed());
    folder.open_with(Path::new(path), &options)
}

fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() {
        name.to_owned()
    } else {
        format!("{parent}/{name}")
    }
}

fn shown_folder(path: &str) -> String {
    if path.is_empty() {
        ".".to_owned()
    } else {
        escaped(path)
    }
}
