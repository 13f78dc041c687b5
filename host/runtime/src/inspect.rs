//! Everything that is known about one plugin, without running it.

use std::path::PathBuf;

use cap_std::fs::Dir;
use sr_capabilities::{CapabilityGap, check_manifest};
use sr_engine::{AotStore, ComponentShape, ComponentSizes};
use sr_plugin::{
    FileEntry, Home, LockEntry, Package, PluginName, Sha256Hex, Tree, TreeError, VerifyState,
};
use sr_policy::Grants;

use crate::fault::Fault;
use crate::install::plugin_name;
use crate::recorded::AtPlace;
use crate::runtime::Runtime;
use crate::source::Place;
use crate::state::PluginState;

/// What `plugin inspect` shows.
pub struct Inspection {
    /// The plugin's name: as asked for, or as the manifest of a folder has it.
    pub name: Option<PluginName>,
    /// The folder that was read.
    pub folder: PathBuf,
    /// How it stands.
    pub state: PluginState,
    /// The hashes and files behind that word; none for a folder that is not installed.
    pub verdict: Option<VerifyState>,
    /// What the lock records.
    pub entry: Option<LockEntry>,
    /// The package hash and every file, when the folder could be read.
    pub files: Option<(Sha256Hex, Vec<FileEntry>)>,
    /// The package, or why it is none.
    pub package: Result<Package, Fault>,
    /// What is known of the component, when the package names one.
    pub component: Option<ComponentFacts>,
    /// What it may reach when it runs.
    pub effective: Grants,
}

/// What the bytes of a component tell.
pub struct ComponentFacts {
    /// Its imports and the version it was built for, or why it does not load.
    pub shape: Result<ComponentShape, Fault>,
    /// What its manifest should ask for and does not.
    pub gaps: Vec<CapabilityGap>,
    /// Its bytes by kind.
    pub sizes: ComponentSizes,
    /// Imports and exports as WIT, or why they cannot be told.
    pub wit: Result<String, Fault>,
    /// Bytes of its compiled entry in the store, when there is one.
    pub compiled: Option<u64>,
}

impl Runtime {
    /// Reads a plugin's package and component; runs nothing. `word` is the name of an installed
    /// plugin, or a folder: a path with a slash, or `file:///path`. For a folder the home is not
    /// looked at.
    ///
    /// # Errors
    /// No plugin of that name and no such folder; the lock cannot be read; the system refused.
    pub fn inspect(&self, word: &str) -> Result<Inspection, Fault> {
        if is_folder(word) {
            return inspect_folder(word, Some(&self.store()));
        }
        let name = plugin_name(word)?;
        let lock = self.home.lock()?;
        let entry = lock.get(&name).cloned();
        let place = self.home.plugin_path(&name);
        let found = self.place(&name);
        let verdict = found.held_against(entry.as_ref());
        let tree = match (found, &entry) {
            (AtPlace::Tree(tree), _) => Ok(tree),
            (AtPlace::Refused(error), _) => Err(error),
            (AtPlace::Nothing(error), None) => return Err(error.into()),
            (AtPlace::Nothing(error), Some(_)) => {
                return Ok(Inspection {
                    name: Some(name),
                    folder: place,
                    state: PluginState::Missing,
                    verdict: Some(verdict),
                    entry,
                    files: None,
                    package: Err(error.into()),
                    component: None,
                    effective: Grants::default(),
                });
            }
        };
        let mut inspection = look_at(place, tree, Some(&self.store()));
        inspection.effective = match (&inspection.package, &entry) {
            (Ok(package), Some(entry)) => package.asks().within(&entry.grants),
            _ => Grants::default(),
        };
        Ok(Inspection {
            name: Some(name),
            state: PluginState::of(&verdict, entry.as_ref()),
            verdict: Some(verdict),
            entry,
            ..inspection
        })
    }
}

/// Whether the word is the path of a folder: it has a slash.
#[must_use]
pub fn is_folder(word: &str) -> bool {
    word.contains('/') || word == "." || word == ".."
}

/// [`Runtime::inspect`] of a folder; no home is looked at but the store, when there is one.
///
/// # Errors
/// No such folder; the system refused.
pub fn inspect_folder(word: &str, store: Option<&AotStore>) -> Result<Inspection, Fault> {
    let Place::Folder(path) = Place::parse(word)? else {
        return Err(Fault::Source {
            source_text: word.to_owned(),
            advice: "only what is on this machine can be looked at: install it, or give a folder"
                .to_owned(),
        });
    };
    let (folder, real): (Dir, PathBuf) = Home::open_source(&path)?;
    Ok(look_at(real, Tree::read(&folder), store))
}

fn look_at(folder: PathBuf, tree: Result<Tree, TreeError>, store: Option<&AotStore>) -> Inspection {
    let files = tree.as_ref().ok().map(|tree| {
        let files = tree.files().iter().map(|file| FileEntry {
            path: file.path.clone(),
            sha256: file.sha256,
            bytes: file.content.len() as u64,
        });
        (tree.hash(), files.collect())
    });
    let package = tree
        .map_err(|error| Fault::Package(error.into()))
        .and_then(|tree| Ok(Package::from_tree(tree, sr_plugin::Strictness::Installed)?));
    let component = package.as_ref().ok().map(|package| facts(package, store));
    Inspection {
        name: package
            .as_ref()
            .ok()
            .map(|package| package.manifest.name.clone()),
        folder,
        state: PluginState::NotInstalled,
        verdict: None,
        entry: None,
        files,
        package,
        component,
        effective: Grants::default(),
    }
}

fn facts(package: &Package, store: Option<&AotStore>) -> ComponentFacts {
    let shape = sr_engine::inspect(&package.component).map_err(Fault::from);
    let asked = &package.manifest.capabilities;
    let gaps = shape.as_ref().map(|shape| check_manifest(shape, asked));
    let engine = sr_engine::engine().ok();
    ComponentFacts {
        gaps: gaps.unwrap_or_default(),
        shape,
        sizes: sr_engine::component_sizes(&package.component),
        wit: sr_engine::wit_text(&package.component).map_err(Fault::from),
        compiled: engine.and_then(|engine| {
            let hash = package.component_hash;
            store?.entry_bytes(&engine, hash.as_bytes())
        }),
    }
}
