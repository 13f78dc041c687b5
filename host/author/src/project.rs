//! Where the parts of a plugin's crate lie.

use std::fs;
use std::path::{Path, PathBuf};

use sr_plugin::Manifest;

use crate::error::AuthorError;

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

    /// The crate in this folder, by its absolute path.
    ///
    /// # Errors
    /// No such folder, no `Cargo.toml`, or no `plugin/sr-plugin.json`.
    pub fn open(root: &Path) -> Result<Self, AuthorError> {
        let root = root
            .canonicalize()
            .map_err(AuthorError::io("open the folder", root))?;
        let missing = |missing| AuthorError::NoProject {
            path: root.clone(),
            missing,
        };
        if !root.join("Cargo.toml").is_file() {
            return Err(missing("Cargo.toml"));
        }
        Self::at(&root).ok_or_else(|| missing("plugin/sr-plugin.json"))
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
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

    /// The manifest, read by the rules of an install.
    ///
    /// # Errors
    /// It cannot be read, or breaks a rule.
    pub fn read_manifest(&self) -> Result<Manifest, AuthorError> {
        let path = self.manifest();
        let bytes = fs::read(&path).map_err(AuthorError::io("read the file", &path))?;
        Manifest::parse(&bytes).map_err(|source| AuthorError::Manifest {
            path,
            source: Box::new(source),
        })
    }

    /// `dist/`: where package folders are written.
    #[must_use]
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// `fixtures/`: what the commands must answer.
    #[must_use]
    pub fn fixtures(&self) -> PathBuf {
        self.root.join("fixtures")
    }
}
