//! What a build is made of, so that a change is seen: names, sizes and times, looked at now and then.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::error::AuthorError;
use crate::project::Project;

/// What is looked at, below the crate. `Cargo.lock` is not: cargo itself writes it.
const WATCHED: [&str; 6] = [
    "src",
    "plugin",
    "recordings",
    "fixtures",
    "Cargo.toml",
    "build.rs",
];
/// Between two looks.
const LOOK: Duration = Duration::from_millis(200);
/// An editor that never stops writing is not waited for longer.
const BURST: Duration = Duration::from_secs(2);
/// Files that are looked at; each costs a system call five times a second.
const MOST: usize = 4_096;

/// The files of a crate at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    files: BTreeMap<PathBuf, (u64, SystemTime)>,
}

impl Snapshot {
    /// What is there now. A file that goes away meanwhile is not there.
    ///
    /// # Errors
    /// More than 4,096 files, or the system refused.
    pub fn of(project: &Project) -> Result<Self, AuthorError> {
        let mut files = BTreeMap::new();
        for name in WATCHED {
            look(project.root(), &project.root().join(name), &mut files)?;
        }
        Ok(Self { files })
    }

    /// Waits until something differs from this snapshot and then has been still for one look, so
    /// that several files saved at once are one change. Waits as long as nothing changes.
    ///
    /// # Errors
    /// As [`Snapshot::of`].
    pub fn changed(&self, project: &Project) -> Result<Self, AuthorError> {
        let mut last = self.clone();
        let mut since = None;
        loop {
            thread::sleep(LOOK);
            let now = Self::of(project)?;
            let is_still = now == last;
            last = now;
            match since {
                None if last != *self => since = Some(Instant::now()),
                Some(start) if is_still || start.elapsed() > BURST => return Ok(last),
                _ => {}
            }
        }
    }
}

fn look(
    root: &Path,
    place: &Path,
    files: &mut BTreeMap<PathBuf, (u64, SystemTime)>,
) -> Result<(), AuthorError> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => Ok(()),
        _ => Err(AuthorError::io("look at", place)(error)),
    };
    let metadata = match place.symlink_metadata() {
        Ok(metadata) => metadata,
        Err(error) => return failed(error),
    };
    if metadata.is_dir() {
        let entries = match fs::read_dir(place) {
            Ok(entries) => entries,
            Err(error) => return failed(error),
        };
        for entry in entries.flatten() {
            look(root, &entry.path(), files)?;
        }
        return Ok(());
    }
    if files.len() >= MOST {
        return Err(AuthorError::TooManyFiles {
            path: root.to_owned(),
            most: MOST,
        });
    }
    let time = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    files.insert(place.to_owned(), (metadata.len(), time));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_files_saved_at_once_are_one_change() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path();
        fs::create_dir_all(root.join("plugin")).unwrap();
        fs::create_dir(root.join("src")).unwrap();
        fs::write(root.join("plugin/sr-plugin.json"), "{}").unwrap();
        let project = Project::at(root).unwrap();
        let before = Snapshot::of(&project).unwrap();
        thread::scope(|scope| {
            let waits = scope.spawn(|| before.changed(&project).unwrap());
            for number in 0..5 {
                fs::write(root.join(format!("src/{number}.rs")), "x").unwrap();
            }
            let after = waits.join().unwrap();
            assert_eq!(after.files.len(), 6);
            assert_eq!(after, Snapshot::of(&project).unwrap());
        });
    }

    #[test]
    fn what_cargo_writes_is_no_change() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path();
        fs::create_dir_all(root.join("plugin")).unwrap();
        fs::write(root.join("plugin/sr-plugin.json"), "{}").unwrap();
        let project = Project::at(root).unwrap();
        let before = Snapshot::of(&project).unwrap();
        fs::create_dir_all(root.join("target/x")).unwrap();
        fs::write(root.join("Cargo.lock"), "x").unwrap();
        assert_eq!(before, Snapshot::of(&project).unwrap());
        fs::write(root.join("Cargo.toml"), "x").unwrap();
        assert_ne!(before, Snapshot::of(&project).unwrap());
    }
}
