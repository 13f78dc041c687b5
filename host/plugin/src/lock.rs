//! What is installed, and what was granted to it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use sr_policy::Grants;
use sr_policy::command::Command;

use crate::digest::Sha256Hex;
use crate::git::GitOrigin;
use crate::manifest::AccessClass;
use crate::name::PluginName;
use crate::package::Package;
use crate::path::check_file_path;

/// One file of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Path in the package, `/` between components.
    #[serde(deserialize_with = "recorded_path")]
    pub path: String,
    /// Hash of the content.
    pub sha256: Sha256Hex,
    /// Length of the content.
    pub bytes: u64,
}

/// A lock is only a file: what it says lies in a package has the spelling of a path in one.
fn recorded_path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let path = String::deserialize(deserializer)?;
    check_file_path(&path).map_err(|error| {
        D::Error::custom(format!("not the path of a file in a package: {error}"))
    })?;
    Ok(path)
}

/// Where a plugin came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A folder of the person's that is used in place.
    Link {
        /// Absolute path.
        path: PathBuf,
    },
    /// A folder that was copied.
    Copy {
        /// Absolute path it was copied from.
        path: PathBuf,
    },
    /// A folder of a commit, copied.
    Git(Box<GitOrigin>),
}

impl Source {
    /// What git fetched, when git did.
    #[must_use]
    pub fn git(&self) -> Option<&GitOrigin> {
        match self {
            Self::Git(origin) => Some(origin),
            Self::Link { .. } | Self::Copy { .. } => None,
        }
    }
}

/// One installed plugin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockEntry {
    /// The package hash.
    pub hash: Sha256Hex,
    /// The component's hash.
    pub component_hash: Sha256Hex,
    /// Every file, sorted by the bytes of its path.
    pub files: Vec<FileEntry>,
    /// Where it came from.
    pub source: Source,
    /// When it was installed or last updated; milliseconds since 1970 UTC.
    pub installed_at: i64,
    /// The plugin's own version.
    pub version: String,
    /// The manifest's description, as written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What the component was built for.
    pub world: String,
    /// How freely the vault may be used.
    #[serde(default)]
    pub access: AccessClass,
    /// What a person granted.
    pub grants: Grants,
    /// The command index.
    pub commands: Vec<Command>,
}

impl LockEntry {
    /// The entry for a package that was just read.
    #[must_use]
    pub fn new(
        package: &Package,
        source: Source,
        installed_at: i64,
        grants: Grants,
        commands: Vec<Command>,
    ) -> Self {
        Self {
            hash: package.hash,
            component_hash: package.component_hash,
            files: package.files.clone(),
            source,
            installed_at,
            version: package.manifest.version.clone(),
            description: package.manifest.description.raw().to_owned(),
            world: package.manifest.world.as_str().to_owned(),
            access: package.manifest.access,
            grants,
            commands,
        }
    }
}

/// The lock file's content.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lock {
    absent: bool,
    plugins: BTreeMap<PluginName, LockEntry>,
}

impl Lock {
    pub(crate) fn absent() -> Self {
        Self {
            absent: true,
            plugins: BTreeMap::new(),
        }
    }

    pub(crate) fn of(plugins: BTreeMap<PluginName, LockEntry>) -> Self {
        Self {
            absent: false,
            plugins,
        }
    }

    /// Whether there was no lock file: nothing was ever installed, or somebody removed it.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.absent
    }

    /// The entry of a plugin. None is never "trusted": such a plugin has no grants.
    #[must_use]
    pub fn get(&self, name: &PluginName) -> Option<&LockEntry> {
        self.plugins.get(name)
    }

    /// All entries by name.
    pub fn iter(&self) -> impl Iterator<Item = (&PluginName, &LockEntry)> {
        self.plugins.iter()
    }

    /// All entries by name, for whoever needs nothing else of the lock.
    #[must_use]
    pub fn into_entries(self) -> BTreeMap<PluginName, LockEntry> {
        self.plugins
    }

    /// How many plugins it records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.plugins.len()
    }

    /// Whether it records none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plugins.is_empty()
    }

    pub(crate) fn set(&mut self, name: PluginName, entry: LockEntry) {
        self.plugins.insert(name, entry);
    }

    pub(crate) fn remove(&mut self, name: &PluginName) -> Option<LockEntry> {
        self.plugins.remove(name)
    }

    pub(crate) fn plugins(&self) -> &BTreeMap<PluginName, LockEntry> {
        &self.plugins
    }
}
