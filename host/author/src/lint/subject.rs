//! What is looked at: a package folder, or a crate whose `plugin/` becomes one.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use sr_plugin::{MANIFEST_FILE, ManifestParts, Tree, TreeError};

/// Where a crate keeps what goes into its package besides the component.
const PARTS: &str = "plugin";

/// Why nothing could be looked at.
#[derive(Debug, thiserror::Error)]
pub enum LintError {
    /// No folder, or none that can be read.
    #[error("cannot open the folder: {}: {source}", .path.display())]
    Open {
        /// As it was given.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// A folder without a plugin.
    #[error("no plugin is here, neither {MANIFEST_FILE} nor {PARTS}/{MANIFEST_FILE}: {}", .0.display())]
    NoPlugin(PathBuf),
}

/// The files that are, or become, a package.
pub(super) struct Subject {
    /// The folder that was named.
    pub(super) root: Dir,
    /// Set before a path to name it from the root: empty, or `plugin/`.
    pub(super) prefix: &'static str,
    /// The package's files without those that were refused.
    pub(super) tree: Tree,
    /// What was refused.
    pub(super) refused: Vec<TreeError>,
}

/// A component and where it lies.
pub(super) struct ComponentFile {
    /// Path from the root.
    pub(super) file: String,
    pub(super) bytes: Vec<u8>,
}

impl Subject {
    pub(super) fn open(path: &Path) -> Result<Self, LintError> {
        let failed = |source| LintError::Open {
            path: path.to_owned(),
            source,
        };
        let root = Dir::open_ambient_dir(path, ambient_authority()).map_err(failed)?;
        // What it is does not matter here: a manifest that is a link is a finding, not an absence.
        let holds = |folder: &Dir| folder.symlink_metadata(MANIFEST_FILE).is_ok();
        if holds(&root) {
            let (tree, refused) = Tree::survey(&root);
            return Ok(Self {
                root,
                prefix: "",
                tree,
                refused,
            });
        }
        match root.open_dir(PARTS) {
            Ok(parts) if holds(&parts) => {
                let (tree, refused) = Tree::survey(&parts);
                Ok(Self {
                    root,
                    prefix: "plugin/",
                    tree,
                    refused,
                })
            }
            _ => Err(LintError::NoPlugin(path.to_owned())),
        }
    }

    /// Whether it is a crate, whose component is built into another folder.
    pub(super) fn is_crate(&self) -> bool {
        !self.prefix.is_empty()
    }

    /// A path of the package, from the root.
    pub(super) fn named(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    /// The manifest, from the root.
    pub(super) fn manifest(&self) -> String {
        self.named(MANIFEST_FILE)
    }

    /// The component, when it lies in the package itself.
    pub(super) fn component(&self, parts: &ManifestParts) -> Option<ComponentFile> {
        let path = parts.component.as_ref()?;
        let file = self.tree.file(path.as_str())?;
        Some(ComponentFile {
            file: self.named(path.as_str()),
            bytes: file.content.clone(),
        })
    }
}
