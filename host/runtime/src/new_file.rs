//! A file the person asked for, made beside its place before a run and moved into it.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, Mode, OFlags, accessat, linkat, open};

/// A private file that is not in its place yet; dropped there, nothing of it stays.
///
/// Where the file system can, it has no name until then, so that a killed process leaves nothing.
#[derive(Debug)]
pub(crate) struct NewFile {
    path: PathBuf,
    /// Its name between the first byte and the place, or for the moment of the placing.
    temporary: PathBuf,
    nameless: bool,
    /// Open for writing.
    pub(crate) file: File,
}

impl NewFile {
    /// Makes the file beside `path`, mode 0600. What is at `path` stays until [`NewFile::place`];
    /// a link, pipe or device there is refused, because a rename would replace it.
    ///
    /// # Errors
    /// Why there can be no such file, in words.
    pub(crate) fn beside(path: &Path) -> Result<Self, String> {
        check_place(path)?;
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.new", std::process::id()));
        let temporary = path.with_file_name(name);
        let (nameless, file) = match nameless(folder_of(path)) {
            Some(file) => (true, file),
            None => (false, named(&temporary).map_err(|error| error.to_string())?),
        };
        Ok(Self {
            path: path.to_owned(),
            temporary,
            nameless,
            file,
        })
    }

    /// Where it will be.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts it in its place, over a regular file that is there.
    ///
    /// # Errors
    /// The system refused.
    pub(crate) fn place(&self) -> io::Result<()> {
        if self.nameless {
            let own = own_path(&self.file);
            linkat(CWD, &own, CWD, &self.temporary, AtFlags::SYMLINK_FOLLOW)?;
        }
        std::fs::rename(&self.temporary, &self.path)
    }
}

/// A file without a name; none where the file system has no such files, or no name could be given
/// to it later.
fn nameless(folder: &Path) -> Option<File> {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = File::from(open(folder, flags, Mode::from_raw_mode(0o600)).ok()?);
    own_path(&file).exists().then_some(file)
}

fn named(path: &Path) -> io::Result<File> {
    File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

/// The file by its descriptor: the only way to name a nameless one without a privilege.
fn own_path(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Whether a file can be put at `path`, as far as that can be told without making one.
///
/// # Errors
/// Something else than a regular file is there, or the folder takes none.
pub(crate) fn check_place(path: &Path) -> Result<(), String> {
    match path.symlink_metadata() {
        // A rename over a device or a link would replace it.
        Ok(metadata) if !metadata.is_file() => {
            return Err("not a regular file, so it is not replaced".into());
        }
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.to_string()),
        _ => {}
    }
    if path.file_name().is_none() {
        return Err("not the name of a file".into());
    }
    let wanted = Access::WRITE_OK | Access::EXEC_OK;
    accessat(CWD, folder_of(path), wanted, AtFlags::EACCESS)
        .map_err(|errno| io::Error::from(errno).to_string())
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // After the rename there is nothing of this name; otherwise nothing may stay.
        let _ = std::fs::remove_file(&self.temporary);
    }
}
