//! Recording a plugin anew, after a wanted change.

use std::fmt;

use sr_plugin::{GitOrigin, LockEntry, Placement, PluginName, RefName, Source, VerifyState};
use sr_policy::Grants;

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
    /// What the update came to.
    pub outcome: UpdateOutcome,
}

/// What an update came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpdateOutcome {
    /// The same package, its place and its entry were in order.
    Unchanged,
    /// The same package, and its place held something else or nothing.
    Restored,
    /// The same package, and the lock's entry was gone, broken or granted something else.
    Recorded,
    /// Another package.
    Updated,
}

impl UpdateOutcome {
    fn of(before: Option<(&LockEntry, &VerifyState)>, now: &LockEntry) -> Self {
        let Some((before, stood)) = before else {
            return Self::Recorded;
        };
        let same_entry = before.commands == now.commands && before.grants == now.grants;
        match stood {
            _ if before.hash != now.hash => Self::Updated,
            VerifyState::Verified { .. } if same_entry => Self::Unchanged,
            VerifyState::Differs { .. } | VerifyState::Missing => Self::Restored,
            VerifyState::Verified { .. }
            | VerifyState::BrokenEntry { .. }
            | VerifyState::Unverified => Self::Recorded,
        }
    }

    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Restored => "restored",
            Self::Recorded => "recorded",
            Self::Updated => "updated",
        }
    }
}

/// What an update asks for in addition.
#[derive(Debug, Clone)]
pub struct MoreAsked {
    /// What is new.
    pub more: Grants,
    /// Commands that write and did not before.
    pub writes: Vec<String>,
    /// The tag that was moved meanwhile.
    pub moved: Option<MovedTag>,
}

/// A tag that stands for another commit than at install: it is expected to stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedTag {
    tag: RefName,
    before: GitOrigin,
    now: GitOrigin,
}

impl MovedTag {
    fn of(before: &GitOrigin, now: &GitOrigin) -> Option<Self> {
        let tag = now.full_ref.as_ref().filter(|name| name.is_tag())?;
        (before.commit != now.commit).then(|| Self {
            tag: tag.clone(),
            before: before.clone(),
            now: now.clone(),
        })
    }
}

impl fmt::Display for MovedTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tag, before, now } = self;
        write!(
            f,
            "{tag} of {} was moved from {} to {}; to keep to one commit install it as #{}",
            now.from.url(),
            before.commit,
            now.commit,
            now.commit,
        )
    }
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

    /// The tag that was moved meanwhile.
    #[must_use]
    pub fn moved_tag(&self) -> Option<MovedTag> {
        let (before, now) = self.moved()?;
        MovedTag::of(before, now)
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
        let stood = before
            .as_ref()
            .map(|entry| self.place(&name).held_against(Some(entry)));
        if let Source::Link { path } | Source::Copy { path } = &source {
            options.fetch.none_for(path)?;
        }
        let fresh = match (&source, &before) {
            (Source::Link { path }, _) => self.read_folder(path, false)?,
            (Source::Copy { path }, _) => self.read_folder(path, true)?,
            (Source::Git(origin), Some(entry)) => {
                let intact = stood.as_ref().is_some_and(VerifyState::is_verified);
                match self.fetch_again(intact, origin, &options.fetch)? {
                    Some(fresh) => fresh,
                    None => {
                        return Ok(Updated {
                            name,
                            entry: entry.clone(),
                            before,
                            outcome: UpdateOutcome::Unchanged,
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
            let origins = before.as_ref().and_then(|entry| entry.source.git());
            let moved = origins
                .zip(recorded.git())
                .and_then(|(before, now)| MovedTag::of(before, now));
            let asked = Box::new(MoreAsked {
                more,
                writes,
                moved,
            });
            return Err(Fault::AsksForMore { name, asked });
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
        let outcome = UpdateOutcome::of(before.as_ref().zip(stood.as_ref()), &entry);
        Ok(Updated {
            name,
            before,
            entry,
            outcome,
        })
    }

    /// None when there is nothing to do: the commit is the recorded one and its place is `intact`. A
    /// commit that was named needs no look at the server to know that.
    fn fetch_again(
        &self,
        intact: bool,
        origin: &GitOrigin,
        options: &FetchOptions,
    ) -> Result<Option<Fresh>, Fault> {
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
