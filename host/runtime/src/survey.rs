//! Looking at what is installed: list, verify.

use sr_plugin::{CommandIndex, Found, LockEntry, Placement, PluginName, Tree, VerifyState, verify};

use crate::fault::Fault;
use crate::install::plugin_name;
use crate::runtime::Runtime;

/// One plugin as `plugin list` shows it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Its name.
    pub name: PluginName,
    /// What lies at its place.
    pub placement: Placement,
    /// What the lock records; none is never trusted.
    pub entry: Option<LockEntry>,
}

/// One plugin's verdict.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// Its name.
    pub name: PluginName,
    /// Verified, or why not.
    pub state: VerifyState,
}

impl Runtime {
    /// Everything installed, by name. Reads the index and the folder's names; no wasm.
    ///
    /// # Errors
    /// The lock cannot be read, or the system refused.
    pub fn list(&self) -> Result<Vec<Listed>, Fault> {
        let lock = self.home.lock()?;
        let installed = self.home.installed(&lock)?.into_iter();
        let places: Vec<_> = installed
            .map(|plugin| (plugin.name, plugin.placement))
            .collect();
        let mut entries = lock.into_entries();
        Ok(places
            .into_iter()
            .map(|(name, placement)| Listed {
                entry: entries.remove(&name),
                name,
                placement,
            })
            .collect())
    }

    /// The index, to be read for what a list shows of each command: with a thousand commands it
    /// is what a start of the program costs. None without a lock.
    ///
    /// # Errors
    /// The lock cannot be read.
    pub fn command_index(&self) -> Result<Option<CommandIndex>, Fault> {
        Ok(self.home.command_index()?)
    }

    /// Holds one plugin, or all, against the lock.
    ///
    /// # Errors
    /// No plugin of that name; the lock cannot be read; the system refused.
    pub fn verify(&self, name: Option<&str>) -> Result<Vec<Verdict>, Fault> {
        let lock = self.home.lock()?;
        let wanted = name.map(plugin_name).transpose()?;
        let verdicts: Vec<Verdict> = self
            .home
            .installed(&lock)?
            .into_iter()
            .filter(|plugin| wanted.as_ref().is_none_or(|wanted| *wanted == plugin.name))
            .map(|plugin| {
                let state = match self.home.open_plugin(&plugin.name) {
                    Err(_) => verify(Found::Nothing, plugin.entry),
                    Ok(folder) => match Tree::read(&folder) {
                        Ok(tree) => verify(Found::Tree(&tree), plugin.entry),
                        Err(error) => verify(Found::Refused(&error), plugin.entry),
                    },
                };
                Verdict {
                    name: plugin.name,
                    state,
                }
            })
            .collect();
        match wanted {
            Some(name) if verdicts.is_empty() => Err(Fault::NotInstalled {
                name: name.to_string(),
            }),
            _ => Ok(verdicts),
        }
    }
}
