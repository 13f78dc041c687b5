//! One writer at a time: an exclusive lock on a file that is never deleted.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt as _};
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
    let file = root.open_with(FILE, &options).map_err(failed())?.into_std();
    let end = Instant::now() + wait;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Exclusive { _file: file }),
            Err(TryLockError::WouldBlock) if Instant::now() < end => thread::sleep(ASK_AGAIN),
            Err(TryLockError::WouldBlock) => {
                return Err(HomeError::Busy {
                    path: path.to_owned(),
                    waited: wait,
                });
            }
            Err(TryLockError::Error(error)) => return Err(failed()(error).into()),
        }
    }
}
