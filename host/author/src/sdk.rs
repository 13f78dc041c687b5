//! The SDK the program carries, laid out for cargo in `~/.sr/sdk/VERSION`.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::AuthorError;

/// Every file by its path, in order.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/sdk.rs"));
/// Held by the one process that lays it out; never deleted.
const LOCK: &str = "lock";
/// How long another process may take: it writes half a megabyte.
const WAIT: Duration = Duration::from_secs(10);
/// The system has no bounded wait for a lock, so it is asked again this often.
const ASK_AGAIN: Duration = Duration::from_millis(15);

/// The laid-out SDK.
#[derive(Debug, Clone)]
pub struct Sdk {
    folder: PathBuf,
}

impl Sdk {
    /// The version a crate depends on.
    pub const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// Lays the SDK out below `~/.sr`, or repairs it; writes nothing when it is there and whole.
    ///
    /// # Errors
    /// The system refused, or another process holds the lock for longer than 10 s.
    pub fn ensure(state: &Path) -> Result<Self, AuthorError> {
        let parent = state.join("sdk");
        let folder = parent.join(Self::VERSION);
        if is_whole(&folder) {
            return Ok(Self { folder });
        }
        make_folder(&parent)?;
        let _held = lock(&parent.join(LOCK))?;
        // Another process may have done it while this one waited.
        if !is_whole(&folder) {
            place(&parent, &folder)?;
        }
        Ok(Self { folder })
    }

    /// Where it lies.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Whether every file has the bytes it should. Others do not matter: nothing names them.
fn is_whole(folder: &Path) -> bool {
    FILES.iter().all(|(path, wanted)| {
        let place = folder.join(path);
        place
            .symlink_metadata()
            .is_ok_and(|metadata| metadata.is_file() && metadata.len() == wanted.len() as u64)
            && fs::read(&place).is_ok_and(|found| found == *wanted)
    })
}

/// Written beside its place and renamed, so that no build ever sees half of it.
fn place(parent: &Path, folder: &Path) -> Result<(), AuthorError> {
    let new = parent.join(format!(".new-{}", Sdk::VERSION));
    let old = parent.join(format!(".old-{}", Sdk::VERSION));
    remove(&new)?;
    remove(&old)?;
    let written = write(&new);
    if written.is_err() {
        // What is said is why it could not be written.
        let _ = remove(&new);
    }
    written?;
    if folder.symlink_metadata().is_ok() {
        fs::rename(folder, &old).map_err(AuthorError::io("set aside the folder", folder))?;
    }
    fs::rename(&new, folder).map_err(AuthorError::io("place the folder", folder))?;
    remove(&old)
}

fn write(folder: &Path) -> Result<(), AuthorError> {
    for (path, bytes) in FILES {
        let place = folder.join(path);
        if let Some(parent) = place.parent() {
            make_folder(parent)?;
        }
        let failed = || AuthorError::io("write the file", &place);
        let mut options = File::options();
        options.write(true).create_new(true).mode(0o600);
        let mut file = options.open(&place).map_err(failed())?;
        file.write_all(bytes).map_err(failed())?;
        file.sync_all().map_err(failed())?;
    }
    Ok(())
}

fn make_folder(path: &Path) -> Result<(), AuthorError> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(AuthorError::io("make the folder", path))
}

fn remove(path: &Path) -> Result<(), AuthorError> {
    let removed = match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => return Ok(()),
    };
    removed.map_err(AuthorError::io("remove", path))
}

fn lock(path: &Path) -> Result<File, AuthorError> {
    let failed = || AuthorError::io("lock the file", path);
    let mut options = File::options();
    options.write(true).create(true).truncate(false).mode(0o600);
    let file = options.open(path).map_err(failed())?;
    let end = Instant::now() + WAIT;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < end => thread::sleep(ASK_AGAIN),
            Err(TryLockError::WouldBlock) => {
                return Err(AuthorError::Busy {
                    path: path.to_owned(),
                    seconds: WAIT.as_secs(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(failed()(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sdk_is_laid_out_whole_by_any_number_of_processes() {
        let home = tempfile::tempdir().unwrap();
        let state = home.path().join(".sr");
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| Sdk::ensure(&state).unwrap());
            }
        });
        let sdk = Sdk::ensure(&state).unwrap();
        assert!(is_whole(sdk.folder()));
        let mut left: Vec<_> = fs::read_dir(state.join("sdk"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, [Sdk::VERSION, LOCK]);
    }

    #[test]
    fn what_is_missing_or_different_is_repaired_and_what_is_whole_stays_untouched() {
        let home = tempfile::tempdir().unwrap();
        let state = home.path().join(".sr");
        let sdk = Sdk::ensure(&state).unwrap();
        let file = sdk.folder().join("guest-sdk/sdk/src/lib.rs");
        let before = file.metadata().unwrap().modified().unwrap();
        Sdk::ensure(&state).unwrap();
        assert_eq!(file.metadata().unwrap().modified().unwrap(), before);

        fs::write(&file, "evil").unwrap();
        Sdk::ensure(&state).unwrap();
        assert!(is_whole(sdk.folder()));
        fs::remove_dir_all(sdk.folder().join("guest-sdk/wit")).unwrap();
        fs::create_dir(state.join("sdk").join(format!(".new-{}", Sdk::VERSION))).unwrap();
        Sdk::ensure(&state).unwrap();
        assert!(is_whole(sdk.folder()));
    }

    #[test]
    fn the_carried_sources_have_no_tests_and_no_path_of_this_machine() {
        let root = env!("CARGO_MANIFEST_DIR");
        for (path, bytes) in FILES {
            assert!(
                !path.contains("/tests/") && !path.ends_with("_tests.rs"),
                "{path}"
            );
            assert!(!path.starts_with('/'), "{path}");
            assert!(!String::from_utf8_lossy(bytes).contains(root), "{path}");
        }
        assert!(FILES.len() > 50);
    }
}
