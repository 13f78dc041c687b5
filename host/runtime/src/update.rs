//! Recording a plugin anew, after a wanted change.

use sr_plugin::{GitOrigin, LockEntry, Placement, PluginName, Source, Tree};

use crate::fault::Fault;
use crate::git::{FetchOptions, Fetcher};
use crate::install::{Fresh, check, new_writes, now_ms, plugin_name};
use crate::runtime::Runtime;

/// How to update.
#[derive(Debug, Clone, Default)]
pub struct UpdateOptions {
    /// Allow what the package asks for in addition.
    pub grant: bool,
    /// For a plugin that came from a repository.
    pub fetch: FetchOptions,
}

/// A plugin that was updated.
#[derive(Debug, Clone)]
pub struct Updated {
    /// Its name.
    pub name: PluginName,
    /// What the lock recorded before; none when its entry was gone.
    pub before: Option<LockEntry>,
    /// What it records now.
    pub entry: LockEntry,
}

impl Updated {
    /// The commit that a person named and that therefore never moves.
    #[must_use]
    pub fn pinned(&self) -> Option<&GitOrigin> {
        self.entry.source.git().filter(|now| now.is_pinned())
    }

    /// What git fetched before and now, when that is another commit.
    #[must_use]
    pub fn moved(&self) -> Option<(&GitOrigin, &GitOrigin)> {
        let before = self.before.as_ref()?.source.git()?;
        let now = self.entry.source.git()?;
        (before.commit != now.commit).then_some((before, now))
    }
}

impl Runtime {
    /// Records a plugin's folder anew; a copied one is copied again from its source. A branch or
    /// tag is resolved again, and fetched when it moved; a commit never moves. A plugin whose lock
    /// entry is gone holds no grants, so recording it again needs `grant`.
    ///
    /// # Errors
    /// [`Fault::AsksForMore`] unless `grant`; otherwise as [`Runtime::install`].
    pub fn update(&self, name: &str, options: &UpdateOptions) -> Result<Updated, Fault> {
        let name = plugin_name(name)?;
        let before = self.home.lock()?.get(&name).cloned();
        let source = match &before {
            Some(entry) => entry.source.clone(),
            None => self.unrecorded_source(&name)?,
        };
        let fresh = match (&source, &before) {
            (Source::Link { path }, _) => self.read_folder(path, false)?,
            (Source::Copy { path }, _) => self.read_folder(path, true)?,
            (Source::Git(origin), Some(entry)) => {
                match self.fetch_again(&name, origin, entry, &options.fetch)? {
                    Some(fresh) => fresh,
                    None => {
                        return Ok(Updated {
                            name,
                            entry: entry.clone(),
                            before,
                        });
                    }
                }
            }
            (Source::Git(_), None) => return Err(self.absent(&name)),
        };
        if fresh.package.manifest.name != name {
            return Err(Fault::OtherName {
                name,
                found: fresh.package.manifest.name,
            });
        }
        self.check_domains(&fresh.package)?;
        let asks = fresh.package.asks();
        // A linked folder that moved keeps the path that the person gave.
        let recorded = match source {
            Source::Git(_) => fresh.source.clone(),
            source => source,
        };
        let checked = check(fresh.package)?;
        let (held, known) = before
            .as_ref()
            .map(|entry| (entry.grants.clone(), entry.commands.as_slice()))
            .unwrap_or_default();
        let more = asks.beyond(&held);
        let writes = new_writes(known, &checked.commands);
        let asks_for_more = !more.is_empty() || !writes.is_empty();
        if asks_for_more && !options.grant {
            return Err(Fault::AsksForMore { name, more, writes });
        }
        let commands = checked.commands.clone();
        let entry = LockEntry::new(&checked.package, recorded, now_ms(), asks, commands);
        self.home.transaction(|transaction| {
            match before {
                Some(_) => {
                    transaction.replace(&name, checked.placing(&fresh.source), entry.clone())?;
                }
                None => transaction.adopt(&name, entry.clone())?,
            }
            self.keep(&checked)
        })?;
        if let Some(before) = &before
            && before.component_hash != entry.component_hash
        {
            // An orphan entry is only space.
            let _ = self
                .store()
                .remove(&checked.machine.engine, before.component_hash.as_bytes());
        }
        Ok(Updated {
            name,
            before,
            entry,
        })
    }

    /// None when there is nothing to do: the commit is the recorded one and the files are too. A
    /// commit that was named needs no look at the server to know that.
    fn fetch_again(
        &self,
        name: &PluginName,
        origin: &GitOrigin,
        entry: &LockEntry,
        options: &FetchOptions,
    ) -> Result<Option<Fresh>, Fault> {
        let intact = self
            .home
            .open_plugin(name)
            .is_ok_and(|folder| Tree::read(&folder).is_ok_and(|tree| tree.hash() == entry.hash));
        if intact && origin.is_pinned() {
            return Ok(None);
        }
        let mut fetcher = Fetcher::start(&self.home, origin.from.clone(), options)?;
        let resolved = fetcher.resolve(Some(origin))?;
        if intact && resolved.commit == origin.commit {
            return Ok(None);
        }
        Fresh::fetched(fetcher.fetch(resolved)?).map(Some)
    }

    /// Where the files of a plugin without a lock entry come from.
    fn unrecorded_source(&self, name: &PluginName) -> Result<Source, Fault> {
        match self.home.placement(name)? {
            Placement::Link { target, .. } => Ok(Source::Link { path: target }),
            Placement::Folder => Ok(Source::Copy {
                path: self.home.plugin_path(name),
            }),
            _ => Err(self.absent(name)),
        }
    }
}
