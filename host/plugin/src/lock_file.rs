//! The lock as text: `{"version": 1, "plugins": {name: entry}}`.
//!
//! It is written with the lowest version that can say what it says, so that an older program reads
//! it as long as it can, and otherwise says that a newer one is needed.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt as _};
use rustix::fs::OFlags;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Serializer;
use sr_policy::json::{self, JsonError, JsonFault, JsonRules, UniqueMap};

use crate::command_lines::CommandIndex;
use crate::files::write_new;
use crate::lock::{Lock, LockEntry};
use crate::lock_text::LockText;
use crate::name::{NameError, PluginName};
use crate::place::IoFault;

/// The lock's file name.
pub(crate) const FILE: &str = "plugins.lock.json";
const TEMPORARY: &str = ".plugins.lock.json.new";
pub(crate) const FIRST_VERSION: u64 = 1;
/// Since this version a source can be git.
pub(crate) const VERSION: u64 = 2;
/// Thousands of plugins fit; a file beyond this was not written by this program.
const RULES: JsonRules = JsonRules {
    max_bytes: 32 * 1024 * 1024,
    max_depth: 32,
};

/// Why a lock file cannot be used. Nothing is granted by such a file, and it is not overwritten.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// No bytes, or blanks only.
    #[error("the lock file is empty: {}{}", path.display(), MoveAway(path))]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// It ends in the middle.
    #[error("the lock file ends in the middle (line {line}): {}{}", path.display(), MoveAway(path))]
    HalfWritten {
        /// The file.
        path: PathBuf,
        /// The last line.
        line: usize,
    },
    /// A version control system left both sides of a merge in it.
    #[error("the lock file holds merge conflict markers (line {line}): {}{}", path.display(), MoveAway(path))]
    ConflictMarkers {
        /// The file.
        path: PathBuf,
        /// The first marker's line.
        line: usize,
    },
    /// A later program wrote it.
    #[error("the lock file has version {version}, this program reads versions up to {VERSION}; use a newer sr-runtime: {}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u64,
    },
    /// Not a lock: duplicate keys, an unknown hash algorithm, a wrong type, an illegal name.
    #[error("the lock file cannot be read: {error}{}", MoveAway(path))]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        error: JsonError,
    },
    /// The system refused.
    #[error(transparent)]
    Io(#[from] IoFault),
}

struct MoveAway<'a>(&'a Path);

impl fmt::Display for MoveAway<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\nmove this file away, then run for each plugin: sr-runtime plugin update NAME --grant; the file: {}",
            self.0.display()
        )
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    version: u64,
    plugins: UniqueMap<LockEntry>,
}

#[derive(Serialize)]
struct Written<'a> {
    version: u64,
    plugins: &'a BTreeMap<PluginName, LockEntry>,
}

/// Parses a lock; `path` is for messages.
///
/// # Errors
/// See [`LockError`].
pub fn parse_lock(path: &Path, bytes: &[u8]) -> Result<Lock, LockError> {
    let shape = |rule: String| {
        let error = JsonError {
            file: FILE.to_owned(),
            line: 0,
            column: 0,
            rule: JsonFault::Shape(rule),
        };
        LockError::Json {
            path: path.to_owned(),
            error,
        }
    };
    let text: Text =
        json::parse_unique(FILE, bytes, &RULES).map_err(|error| reason(path, bytes, error))?;
    match text.version {
        FIRST_VERSION..=VERSION => {}
        version if version > VERSION => {
            return Err(LockError::Newer {
                path: path.to_owned(),
                version,
            });
        }
        version => {
            return Err(shape(format!(
                "there is no lock of this version: {version}"
            )));
        }
    }
    let plugins = text
        .plugins
        .into_iter()
        .map(|(name, entry)| Ok((name.parse::<PluginName>()?, entry)));
    let plugins = plugins
        .collect::<Result<_, NameError>>()
        .map_err(|error| shape(error.to_string()))?;
    Ok(Lock::of(plugins))
}

/// A slower second look, to say what is wrong rather than where parsing stopped.
fn reason(path: &Path, bytes: &[u8], error: JsonError) -> LockError {
    let path = path.to_owned();
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return LockError::Empty { path };
    }
    let marker = bytes
        .split(|byte| *byte == b'\n')
        .position(|line| line.starts_with(b"<<<<<<< "));
    if let Some(line) = marker {
        return LockError::ConflictMarkers {
            path,
            line: line + 1,
        };
    }
    if let Err(end) = serde_json::from_slice::<IgnoredAny>(bytes)
        && end.is_eof()
    {
        return LockError::HalfWritten {
            path,
            line: end.line(),
        };
    }
    // The general rules first: they name a duplicate key, a mark or an encoding as such.
    match json::parse::<serde_json::Value>(FILE, bytes, &RULES) {
        Err(error) => LockError::Json { path, error },
        Ok(value) => match value.get("version").and_then(serde_json::Value::as_u64) {
            Some(version) if version > VERSION => LockError::Newer { path, version },
            _ => LockError::Json { path, error },
        },
    }
}

/// Reads the lock in this folder; no file is an empty lock that says so.
pub(crate) fn read(root: &Dir, path: &Path) -> Result<Lock, LockError> {
    match content(root, path)? {
        Some(bytes) => parse_lock(path, &bytes),
        None => Ok(Lock::absent()),
    }
}

/// Reads the lock for its command lines alone; none without a file.
pub(crate) fn read_command_index(
    root: &Dir,
    path: &Path,
) -> Result<Option<CommandIndex>, LockError> {
    let bytes = content(root, path)?;
    Ok(bytes.map(|bytes| CommandIndex::new(path.to_owned(), bytes, RULES)))
}

/// The file's bytes; none without a file.
fn content(root: &Dir, path: &Path) -> Result<Option<Vec<u8>>, LockError> {
    let failed = || IoFault::at("read the lock file", path);
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.bits().cast_signed());
    let file = match root.open_with(FILE, &options) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed()(error).into()),
    };
    let metadata = file.metadata().map_err(failed())?;
    if !metadata.is_file() {
        return Err(failed()(io::Error::other("it is no regular file")).into());
    }
    let expected = usize::try_from(metadata.len()).unwrap_or_default();
    // Pages that were never written are free until the system fills them.
    let mut bytes = vec![0; expected.min(RULES.max_bytes) + 1];
    let mut file = file.take(RULES.max_bytes as u64 + 1);
    let mut read = 0;
    loop {
        if read == bytes.len() {
            bytes.resize(2 * read, 0);
        }
        match file.read(bytes.get_mut(read..).unwrap_or_default()) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(failed()(error).into()),
        }
    }
    bytes.truncate(read);
    Ok(Some(bytes))
}

/// Writes the lock whole or not at all. Only under the exclusive lock.
pub(crate) fn write(root: &Dir, path: &Path, lock: &Lock) -> Result<(), IoFault> {
    let failed = || IoFault::at("write the lock file", path);
    let has_git = lock.iter().any(|(_, entry)| entry.source.git().is_some());
    let written = Written {
        version: if has_git { VERSION } else { FIRST_VERSION },
        plugins: lock.plugins(),
    };
    let mut text = Vec::new();
    written
        .serialize(&mut Serializer::with_formatter(
            &mut text,
            LockText::default(),
        ))
        .map_err(|error| failed()(error.into()))?;
    text.push(b'\n');
    discard(root).map_err(failed())?;
    let result =
        write_new(root, TEMPORARY, &text).and_then(|()| root.rename(TEMPORARY, root, FILE));
    if let Err(error) = result {
        // What is left of it is removed by the next write, if not now.
        let _ = discard(root);
        return Err(failed()(error));
    }
    sync(root).map_err(failed())
}

/// Removes the temporary file of a write that was killed.
pub(crate) fn discard(root: &Dir) -> io::Result<()> {
    match root.remove_file(TEMPORARY) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Makes names in a folder last.
pub(crate) fn sync(folder: &Dir) -> io::Result<()> {
    folder.open(".")?.sync_all()
}
