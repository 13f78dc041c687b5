//! A folder for the time of one fetch, in the home so that what is fetched stays on its disk.
//!
//! Made and swept under the exclusive lock, but used without it: a fetch can take minutes, and no
//! other writer waits that long. A lock on a file inside says that its process is alive.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, DirBuilder, DirBuilderExt as _, OpenOptions, OpenOptionsExt as _};
use rustix::fs::OFlags;

use crate::files::remove;

const PREFIX: &str = ".fetch-";
const HELD: &str = "held";
/// Fetches of processes with one id: two containers can share a home.
const MOST: u32 = 64;

/// An empty private folder that is gone when this is.
#[derive(Debug)]
pub struct FetchFolder {
    root: Dir,
    name: String,
    path: PathBuf,
    _held: File,
}

impl FetchFolder {
    /// Its absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes one. Only under the exclusive lock, or a sweep could take it away.
    pub(crate) fn create(root: Dir, root_path: &Path) -> io::Result<Self> {
        let name = new_folder(&root)?;
        let held = hold(&root, &name, true)?;
        Ok(Self {
            path: root_path.join(&name),
            root,
            name,
            _held: held,
        })
    }
}

impl Drop for FetchFolder {
    fn drop(&mut self) {
        // What cannot be removed now is swept by the next change.
        let _ = remove(&self.root, &self.name);
    }
}

fn new_folder(root: &Dir) -> io::Result<String> {
    let mut private = DirBuilder::new();
    private.mode(0o700);
    for number in 0..MOST {
        let name = format!("{PREFIX}{}-{number}", std::process::id());
        match root.create_dir_with(&name, &private) {
            Ok(()) => return Ok(name),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn hold(root: &Dir, name: &str, create: bool) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let mut options = OpenOptions::new();
    options
        .write(true)
        .create(create)
        .mode(0o600)
        .custom_flags(flags.bits().cast_signed());
    let file = root.open_dir(name)?.open_with(HELD, &options)?.into_std();
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => io::ErrorKind::WouldBlock.into(),
        TryLockError::Error(error) => error,
    })?;
    Ok(file)
}

/// Removes what killed fetches left behind, as far as it can: the rest is only space, and nothing
/// waits for it. Only under the exclusive lock.
pub(crate) fn sweep(root: &Dir) {
    let _ = try_sweep(root);
}

fn try_sweep(root: &Dir) -> io::Result<()> {
    for entry in root.entries()? {
        let entry = entry?;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            continue;
        };
        if !name.starts_with(PREFIX) {
            continue;
        }
        let in_use = entry.file_type()?.is_dir()
            && hold(root, &name, false)
                .is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock);
        if !in_use {
            remove(root, &name)?;
        }
    }
    Ok(())
}
