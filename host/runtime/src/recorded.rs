//! An installed plugin as the lock records it, held against its folder.

use sr_plugin::{
    Found, LockEntry, OpenError, Package, PluginName, Strictness, Tree, TreeError, VerifyState,
    verify,
};
use sr_policy::command::Command;

use crate::changed::Changed;
use crate::fault::Fault;
use crate::install::plugin_name;
use crate::runtime::Runtime;

/// An installed plugin before anything of its component was used.
pub struct Recorded {
    pub(crate) name: PluginName,
    pub(crate) entry: LockEntry,
    pub(crate) package: Result<Package, Fault>,
    change: Option<Changed>,
}

impl Recorded {
    /// Its description and commands as the lock has them: what help is made of.
    #[must_use]
    pub fn index(&self) -> (&str, &[Command]) {
        (&self.entry.description, &self.entry.commands)
    }

    /// How its files differ from what the lock records.
    #[must_use]
    pub fn change(&self) -> Option<&Changed> {
        self.change.as_ref()
    }
}

/// What lies at a plugin's place, read once.
pub(crate) enum AtPlace {
    Tree(Tree),
    Refused(TreeError),
    Nothing(OpenError),
}

impl AtPlace {
    pub(crate) fn held_against(&self, entry: Option<&LockEntry>) -> VerifyState {
        let found = match self {
            Self::Tree(tree) => Found::Tree(tree),
            Self::Refused(error) => Found::Refused(error),
            Self::Nothing(_) => Found::Nothing,
        };
        verify(found, entry)
    }
}

impl Runtime {
    /// Reads what lies at a plugin's place.
    pub(crate) fn place(&self, name: &PluginName) -> AtPlace {
        match self.home.open_plugin(name) {
            Err(error) => AtPlace::Nothing(error),
            Ok(folder) => match Tree::read(&folder) {
                Ok(tree) => AtPlace::Tree(tree),
                Err(error) => AtPlace::Refused(error),
            },
        }
    }

    /// Finds a plugin: lock entry, folder read once, hash compared. Nothing of the component
    /// decides anything yet.
    ///
    /// # Errors
    /// No entry, an entry that breaks a rule, no folder, another hash in strict mode.
    pub fn recorded(&self, name: &str) -> Result<Recorded, Fault> {
        let name = plugin_name(name)?;
        let lock = self.home.lock()?;
        let Some(entry) = lock.into_entries().remove(&name) else {
            return Err(self.absent(&name));
        };
        let place = self.place(&name);
        let verdict = place.held_against(Some(&entry));
        if let VerifyState::BrokenEntry { faults } = verdict {
            return Err(Fault::Index { name, faults });
        }
        let change = Changed::of(&name, &entry, &verdict);
        if let Some(change) = &change
            && self.strictness.integrity
        {
            return Err(Fault::Mismatch(Box::new(change.clone())));
        }
        let package = match place {
            AtPlace::Nothing(error) => return Err(error.into()),
            AtPlace::Refused(error) => Err(Fault::Package(error.into())),
            AtPlace::Tree(tree) => package(&name, tree),
        };
        Ok(Recorded {
            name,
            entry,
            package,
            change,
        })
    }
}

fn package(name: &PluginName, tree: Tree) -> Result<Package, Fault> {
    let package = Package::from_tree(tree, Strictness::Installed)?;
    match package.manifest.name == *name {
        true => Ok(package),
        false => Err(Fault::OtherName {
            name: name.clone(),
            found: package.manifest.name,
        }),
    }
}
