//! Questions about files, and about what is installed.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use rustix::fs::OFlags;

use super::{System, processes, programs};
use crate::ask::{Answer, Ask};
use crate::machine::Os;

/// Names of one folder that are looked at: profile folders are few.
const MOST_NAMES: usize = 10_000;
/// Bytes of the list of Debian packages that are read.
const PACKAGES_BYTES: u64 = 64 * 1024 * 1024;

/// Answers from this machine, for one round.
pub(super) struct Disk {
    os: Os,
    system: System,
    until: Instant,
    /// Versions of Debian packages, once the list was read.
    debs: Option<BTreeMap<String, String>>,
}

impl Disk {
    pub(super) fn new(os: Os, system: System, until: Instant) -> Self {
        Self {
            os,
            system,
            until,
            debs: None,
        }
    }

    pub(super) fn answer(&mut self, ask: &Ask) -> Answer {
        let found = match ask {
            Ask::ReadText { path } => {
                read(&self.place(path), crate::FILE_BYTES as u64).map(|bytes| Answer::Text {
                    text: String::from_utf8_lossy(&bytes).into_owned(),
                })
            }
            Ask::ListDirs { path } => {
                folders(&self.place(path)).map(|names| Answer::Names { names })
            }
            Ask::Canonical { path } => self.canonical(path),
            Ask::Exists { path } => {
                fs::metadata(self.place(path)).map(|_| Answer::Path { path: path.clone() })
            }
            Ask::Which { name } => Ok(self.which(name)),
            Ask::Processes => Ok(self.processes()),
            Ask::PackageVersion { kind, name } if kind == "deb" => self.deb(name),
            Ask::Bundles => Ok(programs::bundles(&self.system, self.until)),
            _ => Ok(Answer::Absent),
        };
        found.unwrap_or_else(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Answer::Absent,
            _ => Answer::Denied,
        })
    }

    /// Where a path of the system lies for this driver.
    fn place(&self, path: &str) -> PathBuf {
        let path = Path::new(path);
        match path.strip_prefix("/") {
            Ok(inner) => self.system.root.join(inner),
            Err(_) => path.to_owned(),
        }
    }

    /// The same path as the system itself would tell it.
    fn told(&self, path: &Path) -> Option<String> {
        let told = match path.strip_prefix(&self.system.root) {
            Ok(inner) => Path::new("/").join(inner),
            Err(_) => path.to_owned(),
        };
        told.into_os_string().into_string().ok()
    }

    fn canonical(&self, path: &str) -> io::Result<Answer> {
        let real = self.place(path).canonicalize()?;
        Ok(match self.told(&real) {
            Some(path) => Answer::Path { path },
            None => Answer::Denied,
        })
    }

    fn which(&self, name: &str) -> Answer {
        if name.is_empty() || name.contains('/') {
            return Answer::Absent;
        }
        let found = std::env::split_paths(&self.system.search)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(name))
            .find(|path| {
                fs::metadata(path)
                    .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
            });
        match found.and_then(|path| self.told(&path)) {
            Some(path) => Answer::Path { path },
            None => Answer::Absent,
        }
    }

    fn processes(&self) -> Answer {
        match (&self.system.proc, self.os) {
            (None, _) => Answer::Absent,
            (Some(proc), Os::Linux) => processes::of_proc(proc, self.until),
            (Some(_), _) => programs::ps(self.until),
        }
    }

    fn deb(&mut self, name: &str) -> io::Result<Answer> {
        let root = self.system.root.join("var/lib/dpkg");
        // The list has megabytes, and is read only for a package that is there.
        if !root.join(format!("info/{name}.list")).exists() {
            return Ok(Answer::Absent);
        }
        if self.debs.is_none() {
            let bytes = read(&root.join("status"), PACKAGES_BYTES)?;
            self.debs = Some(programs::deb_versions(&String::from_utf8_lossy(&bytes)));
        }
        let version = self.debs.as_ref().and_then(|debs| debs.get(name));
        Ok(match version {
            Some(version) => Answer::Text {
                text: version.clone(),
            },
            None => Answer::Absent,
        })
    }
}

/// A regular file's first bytes. What is no file, a pipe for one, is not waited for.
fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file: File = OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The names of folders in a folder, linked ones too.
fn folders(path: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path)?.take(MOST_NAMES) {
        let entry = entry?;
        let kind = entry.file_type()?;
        let is_folder = kind.is_dir() || (kind.is_symlink() && entry.path().is_dir());
        // A name that is no text is no profile's.
        if let Ok(name) = entry.file_name().into_string()
            && is_folder
        {
            names.push(name);
        }
    }
    Ok(names)
}
