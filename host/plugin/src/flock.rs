//! One writer at a time: an exclusive lock on a file that is never deleted.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use cap_std::fs::{Dir, MetadataExt as _, OpenOptions, OpenOptionsExt as _};
use rustix::fs::OFlags;

use crate::home_error::HomeError;
use crate::place::IoFault;

/// The file's name. Deleting it would let two writers hold locks on two files of one name.
pub(crate) const FILE: &str = "plugins.lock";
/// The system has no bounded wait for such a lock, so it is asked again this often.
const ASK_AGAIN: Duration = Duration::from_millis(15);

/// Held while it lives; the system lets go of it also when the process is killed.
#[derive(Debug)]
pub(crate) struct Exclusive {
    _file: File,
}

pub(crate) fn exclusive(root: &Dir, path: &Path, wait: Duration) -> Result<Exclusive, HomeError> {
    let failed = || IoFault::at("lock the file", path);
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let mut options = OpenOptions::new();
    options
        .read(true)
        .write(true)
        .create(true)
        .mode(0o600)
        .custom_flags(flags.bits().cast_signed());
    let end = Instant::now() + wait;
    let mut file = root.open_with(FILE, &options).map_err(failed())?.into_std();
    loop {
        match file.try_lock() {
            Ok(()) if is_named(root, &file).map_err(failed())? => {
                return Ok(Exclusive { _file: file });
            }
            // Somebody deleted it meanwhile: the next writer would lock another file.
            Ok(()) if Instant::now() < end => {
                file = root.open_with(FILE, &options).map_err(failed())?.into_std();
            }
            Ok(()) => return Err(failed()(io::ErrorKind::NotFound.into()).into()),
            Err(TryLockError::WouldBlock) if Instant::now() < end => thread::sleep(ASK_AGAIN),
            Err(TryLockError::WouldBlock) => {
                return Err(HomeError::Busy {
                    path: path.to_owned(),
                    waited: wait,
                });
            }
            Err(TryLockError::Error(error))
                if error.kind() == io::ErrorKind::Interrupted && Instant::now() < end => {}
            Err(TryLockError::Error(error)) => return Err(failed()(error).into()),
        }
    }
}

/// Whether the open file is still the one of this name.
fn is_named(root: &Dir, file: &File) -> io::Result<bool> {
    let own = file.metadata()?;
    match root.symlink_metadata(FILE) {
        Ok(named) => Ok((named.dev(), named.ino()) == (own.dev(), own.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
