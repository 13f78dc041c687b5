//! Where the parts of a plugin's crate lie.

use std::path::{Path, PathBuf};

/// The folder of a plugin's crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// The crate in this folder, if it holds a plugin's manifest.
    #[must_use]
    pub fn at(root: &Path) -> Option<Self> {
        let project = Self {
            root: root.to_owned(),
        };
        project.manifest().is_file().then_some(project)
    }

    /// `plugin/`: what goes into the package besides the component.
    #[must_use]
    pub fn parts(&self) -> PathBuf {
        self.root.join("plugin")
    }

    /// `plugin/sr-plugin.json`.
    #[must_use]
    pub fn manifest(&self) -> PathBuf {
        self.parts().join("sr-plugin.json")
    }

    /// `dist/`: where package folders are written.
    #[must_use]
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }
}
