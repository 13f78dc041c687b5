//! A package folder that holds exactly what was built, and is replaced whole or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Files of a folder, by their paths below it.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Files and folders that are read at most: what a package may hold.
const ENTRIES: usize = 4_096;
/// Folders inside each other.
const DEPTH: usize = 16;
/// Bytes in all.
const BYTES: u64 = 64 * 1024 * 1024;

/// Why a folder cannot be read or replaced.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The system refused.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A link, pipe, socket or device.
    #[error("{}: neither a file nor a folder", .path.display())]
    Special {
        /// What it is called.
        path: PathBuf,
    },
    /// More than a package may hold.
    #[error("{}: more than a package may hold: {what}", .path.display())]
    TooMuch {
        /// The folder.
        path: PathBuf,
        /// Which bound.
        what: &'static str,
    },
}

impl FolderError {
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}

/// All files below a folder. Links are refused, not followed.
///
/// # Errors
/// Something that is neither file nor folder, more than a package may hold, or the system refused.
pub fn read_folder(root: &Path) -> Result<Files, FolderError> {
    let mut reading = Reading {
        root,
        files: Files::new(),
        entries: 0,
        bytes: 0,
    };
    reading.walk(Path::new(""), 0)?;
    Ok(reading.files)
}

struct Reading<'a> {
    root: &'a Path,
    files: Files,
    entries: usize,
    bytes: u64,
}

impl Reading<'_> {
    fn walk(&mut self, below: &Path, depth: usize) -> Result<(), FolderError> {
        let folder = self.root.join(below);
        let too_much = |what| FolderError::TooMuch {
            path: self.root.to_owned(),
            what,
        };
        if depth >= DEPTH {
            return Err(too_much("folders inside each other"));
        }
        for entry in fs::read_dir(&folder).map_err(FolderError::at(&folder))? {
            let entry = entry.map_err(FolderError::at(&folder))?;
            self.entries += 1;
            if self.entries > ENTRIES {
                return Err(too_much("entries"));
            }
            let place = entry.path();
            let metadata = entry.metadata().map_err(FolderError::at(&place))?;
            let path = below.join(entry.file_name());
            if metadata.is_dir() {
                self.walk(&path, depth + 1)?;
            } else if metadata.is_file() {
                self.bytes = self.bytes.saturating_add(metadata.len());
                if self.bytes > BYTES {
                    return Err(too_much("bytes"));
                }
                let bytes = fs::read(&place).map_err(FolderError::at(&place))?;
                self.files.insert(path, bytes);
            } else {
                return Err(FolderError::Special { path: place });
            }
        }
        Ok(())
    }
}

/// Puts exactly these files into the folder: written beside it, then renamed over it. Says whether
/// anything changed.
///
/// # Errors
/// The system refused; the folder is then as it was.
pub fn replace_folder(folder: &Path, files: &Files) -> Result<bool, FolderError> {
    if folder.is_dir() && read_folder(folder).is_ok_and(|present| present == *files) {
        return Ok(false);
    }
    let new = beside(folder, "new");
    let old = beside(folder, "old");
    remove(&new)?;
    remove(&old)?;
    let placed = write(&new, files).and_then(|()| swap(folder, &new, &old));
    if placed.is_err() {
        // What is said is why it could not be placed.
        let _ = remove(&new);
    }
    placed?;
    remove(&old)?;
    Ok(true)
}

fn write(folder: &Path, files: &Files) -> Result<(), FolderError> {
    fs::create_dir_all(folder).map_err(FolderError::at(folder))?;
    for (path, bytes) in files {
        let place = folder.join(path);
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent).map_err(FolderError::at(parent))?;
        }
        fs::write(&place, bytes).map_err(FolderError::at(&place))?;
    }
    Ok(())
}

fn swap(folder: &Path, new: &Path, old: &Path) -> Result<(), FolderError> {
    let was_there = folder.symlink_metadata().is_ok();
    if was_there {
        fs::rename(folder, old).map_err(FolderError::at(folder))?;
    }
    fs::rename(new, folder).map_err(|source| {
        if was_there {
            let _ = fs::rename(old, folder);
        }
        FolderError::at(folder)(source)
    })
}

fn beside(folder: &Path, word: &str) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!(".{name}.{word}"))
}

fn remove(folder: &Path) -> Result<(), FolderError> {
    match folder.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(folder),
        Ok(_) => fs::remove_file(folder),
        Err(_) => return Ok(()),
    }
    .map_err(FolderError::at(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(pairs: &[(&str, &str)]) -> Files {
        let pair = |(path, text): &(&str, &str)| (PathBuf::from(path), text.as_bytes().to_vec());
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn a_package_folder_holds_exactly_what_was_built() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("sr-demo");
        let first = files(&[("a.wasm", "1"), ("data/old.json", "{}")]);
        assert!(replace_folder(&folder, &first).unwrap());
        assert!(!replace_folder(&folder, &first).unwrap());

        let second = files(&[("a.wasm", "2")]);
        assert!(replace_folder(&folder, &second).unwrap());
        assert_eq!(read_folder(&folder).unwrap(), second);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_cannot_be_written_stays_as_it_was() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("sr-demo");
        let first = files(&[("a.wasm", "1")]);
        replace_folder(&folder, &first).unwrap();
        // A file cannot be a folder too.
        let broken = files(&[("a", "1"), ("a/b", "2")]);
        let error = replace_folder(&folder, &broken).unwrap_err().to_string();
        assert!(error.contains("/a"), "{error}");
        assert_eq!(read_folder(&folder).unwrap(), first);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_is_named_and_not_followed() {
        let home = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc", home.path().join("link")).unwrap();
        let error = read_folder(home.path()).unwrap_err().to_string();
        assert!(
            error.ends_with("link: neither a file nor a folder"),
            "{error}"
        );
    }
}
