//! Folders and files written for good, and removed without following a link.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, DirBuilder, DirBuilderExt as _, OpenOptions, OpenOptionsExt as _};

use crate::package::Package;

/// Removes a link, a file or a whole folder; follows nothing.
pub(crate) fn remove(folder: &Dir, name: &str) -> io::Result<()> {
    let result = match folder.symlink_metadata(name) {
        Ok(metadata) if metadata.is_dir() => folder.remove_dir_all(name),
        Ok(_) => folder.remove_file(name),
        Err(error) => Err(error),
    };
    match result {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes a package's bytes, as they were read, into a new private folder.
pub(crate) fn copy(plugins: &Dir, name: &str, package: &Package) -> io::Result<()> {
    let mut private = DirBuilder::new();
    private.mode(0o700);
    plugins.create_dir_with(name, &private)?;
    let folder = plugins.open_dir(name)?;
    let mut folders = BTreeSet::from([PathBuf::from(".")]);
    for (file, content) in package.contents() {
        let path = Path::new(&file.path);
        let parents: Vec<&Path> = path
            .ancestors()
            .skip(1)
            .filter(|parent| !parent.as_os_str().is_empty())
            .collect();
        for parent in parents.into_iter().rev() {
            if folders.insert(parent.to_owned()) {
                folder.create_dir_with(parent, &private)?;
            }
        }
        write_new(&folder, &file.path, content)?;
    }
    folders
        .iter()
        .try_for_each(|inner| folder.open(inner)?.sync_all())
}

/// Writes a new private file and waits until the disk has it.
pub(crate) fn write_new(folder: &Dir, name: &str, content: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let mut file = folder.open_with(name, &options)?;
    file.write_all(content)?;
    file.sync_all()
}
