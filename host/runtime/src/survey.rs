//! Looking at what is installed: list, verify.

use sr_plugin::{CommandIndex, LockEntry, Placement, PluginName, VerifyState, lengths_agree};

use crate::fault::Fault;
use crate::install::plugin_name;
use crate::runtime::Runtime;
use crate::state::PluginState;

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
    /// The one word.
    pub state: PluginState,
    /// Verified, or why not.
    pub verdict: VerifyState,
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

    /// How a listed plugin stands, as far as that shows without reading a file of it.
    #[must_use]
    pub fn glance(&self, plugin: &Listed) -> PluginState {
        PluginState::at_a_glance(plugin.entry.as_ref(), &plugin.placement, |entry| {
            self.home
                .open_plugin(&plugin.name)
                .is_ok_and(|folder| lengths_agree(&folder, entry))
        })
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
                let verdict = self.place(&plugin.name).held_against(plugin.entry);
                Verdict {
                    name: plugin.name,
                    state: PluginState::of(&verdict, plugin.entry),
                    verdict,
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
