//! What a folder is that is no package: its author's crate, a folder of packages, something else.

use std::path::{Path, PathBuf};

use sr_plugin::MANIFEST_FILE;

/// Entries that are looked at.
const LOOKED_AT: usize = 1_000;
/// Packages that are named.
const NAMED: usize = 5;

/// What a folder is instead of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instead {
    /// The crate of a plugin, with the packages that were built of it.
    Crate {
        /// The folder of the crate.
        root: PathBuf,
        /// Packages in its `dist`.
        built: Vec<PathBuf>,
    },
    /// A folder with these packages in it.
    Packages(Vec<PathBuf>),
    /// Nothing that leads to a package.
    Other,
}

impl Instead {
    /// Looks at the names in a folder and, one deep, for manifests. Nothing is read.
    pub(crate) fn of(folder: &Path) -> Self {
        // The crate's own folder, or its `plugin` or `dist` in which nothing was built.
        let near = [Some(folder), folder.parent()].into_iter().flatten();
        let root = near
            .filter(|root| root.join("Cargo.toml").is_file())
            .find(|root| root.join("plugin").join(MANIFEST_FILE).is_file());
        if let Some(root) = root {
            return Self::Crate {
                built: packages(&root.join("dist")),
                root: root.to_owned(),
            };
        }
        match packages(folder) {
            found if found.is_empty() => Self::Other,
            found => Self::Packages(found),
        }
    }
}

fn packages(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries
        .take(LOOKED_AT)
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join(MANIFEST_FILE).is_file())
        .collect();
    found.sort();
    found.truncate(NAMED);
    found
}
