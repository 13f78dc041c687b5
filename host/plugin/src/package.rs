//! A package: the tree, its manifest, its component, its sitedata, and what it asks for.

use cap_std::fs::Dir;
use sr_policy::{Allowlist, CheckedUrl, Grants};

use crate::digest::Sha256Hex;
use crate::entries::{IllegalEntries, IllegalEntry, Judged, judge};
use crate::lock::FileEntry;
use crate::manifest::{FILE, Manifest};
use crate::manifest_error::ManifestFaults;
use crate::path::PackagePath;
use crate::sitedata::Sitedata;
use crate::sitedata_error::SitedataFaults;
use crate::tree::{ReadObserver, Tree, TreeFile};
use crate::tree_error::TreeError;

/// The manifest's name in every package.
pub const MANIFEST_FILE: &str = FILE;

/// How illegal domains and posts are met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// `install` and `update`: one illegal entry refuses the package.
    Install,
    /// An installed plugin at run time: only the legal rest is in force.
    Installed,
}

/// A package that was read once; what is used is what was hashed.
#[derive(Debug, Clone)]
pub struct Package {
    /// The manifest.
    pub manifest: Manifest,
    /// The package hash, see [`Tree`].
    pub hash: Sha256Hex,
    /// Every file, sorted by the bytes of its path.
    pub files: Vec<FileEntry>,
    /// The component's bytes.
    pub component: Vec<u8>,
    /// The component's hash.
    pub component_hash: Sha256Hex,
    /// The bundled calibration document.
    pub sitedata: Option<Sitedata>,
    judged: Judged,
    /// By the order of `files`; the component's place is empty.
    contents: Vec<Vec<u8>>,
}

/// Why a folder is not a package that can be used.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// The folder holds something a package may not hold.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// No manifest.
    #[error("this folder is no plugin package; a file is missing: {FILE}")]
    NoManifest,
    /// A bad manifest.
    #[error(transparent)]
    Manifest(#[from] ManifestFaults),
    /// The manifest names a file the package does not hold.
    #[error("{FILE}: {key}: the package holds no such file: {path}")]
    NoFile {
        /// `component` or `sitedata`.
        key: &'static str,
        /// The path.
        path: PackagePath,
    },
    /// Bad sitedata.
    #[error(transparent)]
    Sitedata(#[from] SitedataFaults),
    /// Illegal domains or posts at install.
    #[error(transparent)]
    Illegal(#[from] IllegalEntries),
}

impl Package {
    /// Reads a package folder; each file is opened once.
    ///
    /// # Errors
    /// See [`PackageError`].
    pub fn read(folder: &Dir, strictness: Strictness) -> Result<Self, PackageError> {
        Self::read_observed(folder, strictness, &())
    }

    /// [`Package::read`] with an onlooker.
    ///
    /// # Errors
    /// As [`Package::read`].
    pub fn read_observed(
        folder: &Dir,
        strictness: Strictness,
        observer: &dyn ReadObserver,
    ) -> Result<Self, PackageError> {
        // Spares the walk of a folder that was never meant; decides nothing else.
        if folder
            .symlink_metadata(FILE)
            .is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
        {
            return Err(PackageError::NoManifest);
        }
        Self::from_tree(Tree::read_observed(folder, observer)?, strictness)
    }

    /// Makes a package of files that were read already.
    ///
    /// # Errors
    /// As [`Package::read`].
    pub fn from_tree(tree: Tree, strictness: Strictness) -> Result<Self, PackageError> {
        let manifest = Manifest::parse(&tree.file(FILE).ok_or(PackageError::NoManifest)?.content)?;
        let sitedata = match &manifest.sitedata {
            Some(source) => {
                let file = wanted(&tree, "sitedata", &source.path)?;
                Some(Sitedata::parse(source.path.as_str(), &file.content)?)
            }
            None => None,
        };
        let component_hash = wanted(&tree, "component", &manifest.component)?.sha256;
        let mut judged = judge(&manifest, sitedata.as_ref());
        if strictness == Strictness::Install && !judged.illegal.is_empty() {
            return Err(IllegalEntries(std::mem::take(&mut judged.illegal)).into());
        }

        let hash = tree.hash();
        let mut component = Vec::new();
        let mut files = Vec::with_capacity(tree.files().len());
        let mut contents = Vec::with_capacity(tree.files().len());
        for TreeFile {
            path,
            sha256,
            content,
        } in tree.into_files()
        {
            let is_component = path == manifest.component.as_str();
            files.push(FileEntry {
                path,
                sha256,
                bytes: content.len() as u64,
            });
            if is_component {
                component = content;
                contents.push(Vec::new());
            } else {
                contents.push(content);
            }
        }
        Ok(Self {
            manifest,
            hash,
            files,
            component,
            component_hash,
            sitedata,
            judged,
            contents,
        })
    }

    /// What the package asks for: legal domains (manifest and bundled sitedata), legal posts,
    /// capabilities.
    #[must_use]
    pub fn asks(&self) -> Grants {
        Grants {
            domains: self.judged.domains.clone(),
            posts: self.judged.posts.iter().map(ToString::to_string).collect(),
            capabilities: self.manifest.capabilities.clone(),
        }
    }

    /// The legal domains as what decides.
    #[must_use]
    pub fn allowlist(&self) -> &Allowlist {
        &self.judged.allowlist
    }

    /// The legal posts.
    #[must_use]
    pub fn posts(&self) -> &[CheckedUrl] {
        &self.judged.posts
    }

    /// Entries that are not in force; always empty after [`Strictness::Install`].
    #[must_use]
    pub fn illegal_domains(&self) -> &[IllegalEntry] {
        &self.judged.illegal
    }

    /// Every file with the bytes that were hashed.
    pub fn contents(&self) -> impl Iterator<Item = (&FileEntry, &[u8])> {
        self.files
            .iter()
            .zip(&self.contents)
            .map(|(file, content)| {
                let is_component = file.path == self.manifest.component.as_str();
                (
                    file,
                    if is_component {
                        self.component.as_slice()
                    } else {
                        content.as_slice()
                    },
                )
            })
    }
}

fn wanted<'t>(
    tree: &'t Tree,
    key: &'static str,
    path: &PackagePath,
) -> Result<&'t TreeFile, PackageError> {
    tree.file(path.as_str())
        .ok_or_else(|| PackageError::NoFile {
            key,
            path: path.clone(),
        })
}
