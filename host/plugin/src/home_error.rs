//! Why the home could not be changed, or a plugin in it not be opened.

use std::path::PathBuf;
use std::time::Duration;

use crate::lock_file::LockError;
use crate::name::PluginName;
use crate::place::IoFault;

/// Why the home could not be changed.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// The lock file cannot be used.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// Another process holds the lock.
    #[error("another sr-runtime is changing plugins, waited {} ms: {}", waited.as_millis(), path.display())]
    Busy {
        /// The lock's file.
        path: PathBuf,
        /// How long it was waited for.
        waited: Duration,
    },
    /// The name is taken.
    #[error("{name} is already installed; use: sr-runtime plugin update {name}")]
    AlreadyInstalled {
        /// The plugin.
        name: PluginName,
    },
    /// Something of that name lies there, and the lock does not know it.
    #[error("{} is there, but the lock does not record it; use: sr-runtime plugin update {name} --grant", path.display())]
    Unrecorded {
        /// The plugin.
        name: PluginName,
        /// The folder or link.
        path: PathBuf,
    },
    /// Nothing of that name.
    #[error("no such plugin is installed: {name}")]
    NotInstalled {
        /// The plugin.
        name: PluginName,
    },
    /// The package is not the one the entry was made for.
    #[error(
        "{name}: the package has another hash than its lock entry, package: {package}, entry: {entry}"
    )]
    WrongEntry {
        /// The plugin.
        name: PluginName,
        /// The package's hash.
        package: String,
        /// The entry's hash.
        entry: String,
    },
    /// A link needs an absolute path.
    #[error("a plugin is linked by an absolute path, not by: {}", path.display())]
    NotAbsolute {
        /// The path.
        path: PathBuf,
    },
    /// The system refused: disk full, read-only, no permission.
    #[error(transparent)]
    Io(#[from] IoFault),
}

/// Why an installed plugin's folder could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Nothing of that name.
    #[error("no such plugin is installed: {name}")]
    NotInstalled {
        /// The plugin.
        name: PluginName,
    },
    /// The link leads nowhere.
    #[error("{name} is linked to a folder that is gone: {}", target.display())]
    Dangling {
        /// The plugin.
        name: PluginName,
        /// Where the link leads.
        target: PathBuf,
    },
    /// A file or something else lies there.
    #[error("not a folder: {}", path.display())]
    NotAFolder {
        /// What lies there.
        path: PathBuf,
    },
    /// The system refused.
    #[error(transparent)]
    Io(#[from] IoFault),
}
