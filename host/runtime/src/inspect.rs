//! Everything that is known about one plugin, without running it.

use sr_engine::ComponentShape;
use sr_plugin::{Found, LockEntry, Package, PluginName, Tree, VerifyState, verify};
use sr_policy::Grants;

use crate::fault::Fault;
use crate::install::plugin_name;
use crate::runtime::Runtime;

/// What `plugin inspect` shows.
pub struct Inspection {
    /// Its name.
    pub name: PluginName,
    /// What the lock records.
    pub entry: Option<LockEntry>,
    /// Verified, or why not.
    pub state: VerifyState,
    /// The package, when it can be read.
    pub package: Result<Package, Fault>,
    /// The component's imports and version, when it can be read.
    pub shape: Option<Result<ComponentShape, Fault>>,
    /// What it may reach when it runs.
    pub effective: Grants,
}

impl Runtime {
    /// Reads a plugin's package and component; runs nothing.
    ///
    /// # Errors
    /// No plugin of that name; the lock cannot be read; the system refused.
    pub fn inspect(&self, name: &str) -> Result<Inspection, Fault> {
        let name = plugin_name(name)?;
        let lock = self.home.lock()?;
        let entry = lock.get(&name).cloned();
        let folder = match (self.home.open_plugin(&name), &entry) {
            (Ok(folder), _) => folder,
            (Err(error), None) => return Err(error.into()),
            (Err(error), Some(_)) => {
                return Ok(Inspection {
                    state: verify(Found::Nothing, entry.as_ref()),
                    name,
                    entry,
                    package: Err(error.into()),
                    shape: None,
                    effective: Grants::default(),
                });
            }
        };
        let tree = Tree::read(&folder);
        let state = match &tree {
            Ok(tree) => verify(Found::Tree(tree), entry.as_ref()),
            Err(error) => verify(Found::Refused(error), entry.as_ref()),
        };
        let package = tree
            .map_err(|error| Fault::Package(error.into()))
            .and_then(|tree| Ok(Package::from_tree(tree, sr_plugin::Strictness::Installed)?));
        let shape = package
            .as_ref()
            .ok()
            .map(|package| sr_engine::inspect(&package.component).map_err(Fault::from));
        let effective = match (&package, &entry) {
            (Ok(package), Some(entry)) => package.asks().within(&entry.grants),
            _ => Grants::default(),
        };
        Ok(Inspection {
            name,
            entry,
            state,
            package,
            shape,
            effective,
        })
    }
}
