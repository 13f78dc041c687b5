//! What lies at a plugin's place.

use std::path::PathBuf;

use crate::lock::LockEntry;
use crate::name::PluginName;

/// What lies at a plugin's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Placement {
    /// A folder.
    Folder,
    /// A link to the person's folder.
    Link {
        /// Where it leads.
        target: PathBuf,
        /// Nothing is there.
        dangling: bool,
    },
    /// A file or something else.
    Other,
    /// Nothing, though the lock records it.
    Missing,
}

/// One plugin as `list` shows it.
#[derive(Debug, Clone)]
pub struct Installed<'l> {
    /// Its name.
    pub name: PluginName,
    /// What lies at its place.
    pub placement: Placement,
    /// What the lock records; none is never trusted.
    pub entry: Option<&'l LockEntry>,
}
