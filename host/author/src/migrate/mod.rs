//! `plugin migrate`: what lies in the ancestor's plugin folder, and what each plugin would need
//! to live here.
//!
//! It reads and never runs or changes anything. JavaScript is read for literals only: what a
//! program would compute is told as not readable. Every file is opened without following a link
//! and read up to a bound.

mod files;
mod found;
mod lock;
mod needs;
mod plugin;
mod registration;
mod script;
mod value;

use std::io;
use std::path::{Path, PathBuf};

pub use found::{FoundCommand, FoundPlugin, Literal, Migration, Origin};

/// Plugins that are looked at: each costs the reading of a folder.
const MOST_PLUGINS: usize = 500;

/// Why nothing could be looked at.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// The folder is there and cannot be listed.
    #[error("cannot list the folder: {}: {source}", .path.display())]
    List {
        /// The folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

/// Looks at a folder of the ancestor's plugins, usually `~/.opencli/plugins`; its lock and its
/// monorepos lie beside it. A folder that is not there is a [`Migration`] that says so.
///
/// # Errors
/// The folder is there and cannot be listed.
pub fn migrate(folder: &Path) -> Result<Migration, MigrateError> {
    let mut migration = Migration {
        folder: folder.to_owned(),
        found: true,
        ..Migration::default()
    };
    let failed = |source| MigrateError::List {
        path: folder.to_owned(),
        source,
    };
    let entries = match folder.read_dir() {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            migration.found = false;
            return Ok(migration);
        }
        Err(error) => return Err(failed(error)),
    };
    // As the folder may be "." or a link, what lies beside it is found by its real path.
    let real = folder.canonicalize().map_err(failed)?;
    let around = real.parent().unwrap_or(&real);
    let lock = lock::read(around, &mut migration.problems);
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(failed)?.file_name();
        if names.len() == MOST_PLUGINS {
            migration.problems.push(format!(
                "more than {MOST_PLUGINS} entries; the rest is not looked at"
            ));
            break;
        }
        names.push(name);
    }
    names.sort_unstable();
    let mut room = plugin::ALL_SCRIPT_BYTES;
    for name in &names {
        let recorded = name.to_str().and_then(|name| lock.get(name));
        match plugin::read(&real, name, recorded, &mut room) {
            Ok(plugin) => migration.plugins.push(plugin),
            Err(problem) => migration.problems.push(problem),
        }
    }
    for name in lock.keys() {
        if !names.iter().any(|found| found == name.as_str()) {
            migration.problems.push(format!(
                "the lock records a plugin whose folder is gone: {name}"
            ));
        }
    }
    Ok(migration)
}
