//! Opening somebody else's files: never through a link, never a pipe, up to a bound.

use std::io::Read as _;
use std::path::Path;

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt as _};
use rustix::fs::OFlags;

/// A file's bytes, or why they are not read, without the name.
pub(super) fn read(folder: &Dir, name: &str, most: usize) -> Result<Vec<u8>, String> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let metadata = folder
        .symlink_metadata(name)
        .map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        let kind = match metadata.is_symlink() {
            true => "a link is not followed",
            false => "not a file",
        };
        return Err(kind.to_owned());
    }
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.bits().cast_signed());
    let file = folder
        .open_with(Path::new(name), &options)
        .map_err(|error| error.to_string())?;
    // It may have been replaced since it was looked at.
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Err("not a file".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(most as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() > most {
        return Err(format!("more than {most} bytes"));
    }
    Ok(bytes)
}

/// Whether there is something of this name, whatever it is.
pub(super) fn holds(folder: &Dir, name: &str) -> bool {
    folder.symlink_metadata(name).is_ok()
}
