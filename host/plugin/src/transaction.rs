//! One change of the home: plugin folders and lock together.
//!
//! A change leaves, beside the plugin, names that say how far it came:
//! `.pending-<name>` (what is being placed), `.new-<name>` (not yet in place) and `.old-<name>`
//! (what was in place before). The lock decides: what it records stays, what it does not record
//! goes. So a killed change is finished or undone by the next one, never left half.

use std::collections::BTreeSet;
use std::io::{self, Read as _};
use std::path::Path;

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt as _};

use crate::digest::Sha256Hex;
use crate::fetch_folder;
use crate::files::{copy, remove, write_new};
use crate::home::{Home, Step};
use crate::home_error::HomeError;
use crate::lock::{Lock, LockEntry};
use crate::lock_file;
use crate::name::PluginName;
use crate::package::Package;
use crate::place::IoFault;

const PENDING: &str = ".pending-";
const NEW: &str = ".new-";
const OLD: &str = ".old-";
/// A marker holds a word and a hash.
const MARKER_BYTES: u64 = 128;

/// How a plugin comes to its place.
#[derive(Debug, Clone, Copy)]
pub enum Placing<'a> {
    /// A link to this absolute path.
    Link(&'a Path),
    /// A copy of the bytes that were read; the source is not read again.
    Copy(&'a Package),
}

/// What an uninstall took away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// A folder or link was there.
    pub placed: bool,
    /// The lock recorded it.
    pub recorded: bool,
}

/// A change in progress, under the exclusive lock; see [`Home::transaction`].
#[derive(Debug)]
pub struct Transaction<'h> {
    home: &'h Home,
    root: Dir,
    plugins: Dir,
    lock: Lock,
    changed: bool,
    touched: BTreeSet<PluginName>,
}

struct Marker {
    fresh: bool,
    hash: Sha256Hex,
}

impl<'h> Transaction<'h> {
    pub(crate) fn new(home: &'h Home, root: Dir, plugins: Dir, lock: Lock) -> Self {
        Self {
            home,
            root,
            plugins,
            lock,
            changed: false,
            touched: BTreeSet::new(),
        }
    }

    /// The lock as this change leaves it.
    #[must_use]
    pub fn lock(&self) -> &Lock {
        &self.lock
    }

    /// Places a new plugin and records it.
    ///
    /// # Errors
    /// The name is taken, the entry is for another package, the system refused.
    pub fn install(
        &mut self,
        name: &PluginName,
        placing: Placing<'_>,
        entry: LockEntry,
    ) -> Result<(), HomeError> {
        if self.lock.get(name).is_some() {
            return Err(HomeError::AlreadyInstalled { name: name.clone() });
        }
        if self.is_placed(name)? {
            return Err(HomeError::Unrecorded {
                name: name.clone(),
                path: self.home.plugin_path(name),
            });
        }
        self.place(name, placing, entry)
    }

    /// Places a plugin where one is recorded, and records the new one.
    ///
    /// # Errors
    /// The lock does not record it, the entry is for another package, the system refused.
    pub fn replace(
        &mut self,
        name: &PluginName,
        placing: Placing<'_>,
        entry: LockEntry,
    ) -> Result<(), HomeError> {
        self.recorded(name)?;
        self.place(name, placing, entry)
    }

    /// Records a plugin anew and leaves its place alone: a linked folder that was edited.
    ///
    /// # Errors
    /// The lock does not record it.
    pub fn record(&mut self, name: &PluginName, entry: LockEntry) -> Result<(), HomeError> {
        self.recorded(name)?;
        self.lock.set(name.clone(), entry);
        self.changed = true;
        Ok(())
    }

    /// Records a plugin that lies at its place without an entry. Its place is not touched, so
    /// that nothing can be lost.
    ///
    /// # Errors
    /// The lock records it already, or nothing is there.
    pub fn adopt(&mut self, name: &PluginName, entry: LockEntry) -> Result<(), HomeError> {
        if self.lock.get(name).is_some() {
            return Err(HomeError::AlreadyInstalled { name: name.clone() });
        }
        if !self.is_placed(name)? {
            return Err(HomeError::NotInstalled { name: name.clone() });
        }
        self.lock.set(name.clone(), entry);
        self.changed = true;
        Ok(())
    }

    /// Takes a plugin away: its folder, or its link and not what the link leads to.
    ///
    /// # Errors
    /// Nothing there and nothing recorded; the system refused.
    pub fn uninstall(&mut self, name: &PluginName) -> Result<Removed, HomeError> {
        let removed = Removed {
            placed: self.is_placed(name)?,
            recorded: self.lock.get(name).is_some(),
        };
        if !removed.placed && !removed.recorded {
            return Err(HomeError::NotInstalled { name: name.clone() });
        }
        self.touched.insert(name.clone());
        if removed.placed {
            self.set_aside(name)?;
        }
        self.changed |= self.lock.remove(name).is_some();
        Ok(removed)
    }

    fn recorded(&self, name: &PluginName) -> Result<(), HomeError> {
        match self.lock.get(name) {
            Some(_) => Ok(()),
            None => Err(HomeError::NotInstalled { name: name.clone() }),
        }
    }

    fn place(
        &mut self,
        name: &PluginName,
        placing: Placing<'_>,
        entry: LockEntry,
    ) -> Result<(), HomeError> {
        check(name, placing, &entry)?;
        let taken = self.is_placed(name)?;
        self.touched.insert(name.clone());
        let path = self.home.plugin_path(name);
        let failed = || IoFault::at("place the plugin at", &path);
        self.mark(name, !taken, entry.hash).map_err(failed())?;
        self.home.step(Step::Marked);
        let new = beside(NEW, name);
        match placing {
            Placing::Link(source) => self
                .plugins
                .symlink_contents(source, &new)
                .map_err(failed())?,
            Placing::Copy(package) => copy(&self.plugins, &new, package).map_err(failed())?,
        }
        self.home.step(Step::Staged);
        if taken {
            self.set_aside(name)?;
        }
        self.plugins
            .rename(&new, &self.plugins, name.as_str())
            .map_err(failed())?;
        lock_file::sync(&self.plugins).map_err(failed())?;
        self.home.step(Step::Placed);
        self.lock.set(name.clone(), entry);
        self.changed = true;
        Ok(())
    }

    fn set_aside(&mut self, name: &PluginName) -> Result<(), HomeError> {
        let path = self.home.plugin_path(name);
        let failed = || IoFault::at("move the plugin away from", &path);
        let old = beside(OLD, name);
        self.plugins
            .rename(name.as_str(), &self.plugins, &old)
            .map_err(failed())?;
        self.home.step(Step::SetAside);
        Ok(())
    }

    fn mark(&self, name: &PluginName, fresh: bool, hash: Sha256Hex) -> io::Result<()> {
        let word = if fresh { "fresh" } else { "replace" };
        write_new(
            &self.plugins,
            &beside(PENDING, name),
            format!("{word} {hash}").as_bytes(),
        )?;
        lock_file::sync(&self.plugins)
    }

    fn marker(&self, name: &PluginName) -> Result<Option<Marker>, HomeError> {
        let path = self
            .home
            .plugin_path(name)
            .with_file_name(beside(PENDING, name));
        let mut text = String::new();
        // Somebody else may have put a pipe or a folder there: not followed, not waited for.
        let mut options = OpenOptions::new();
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.read(true).custom_flags(flags.bits().cast_signed());
        let read = self
            .plugins
            .open_with(beside(PENDING, name), &options)
            .and_then(|file| {
                if file.metadata()?.is_file() {
                    file.take(MARKER_BYTES).read_to_string(&mut text)?;
                }
                Ok(())
            });
        match read {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            // What cannot be read as a marker was not written by a change.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(None),
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
                return Ok(None);
            }
            Err(error) => return Err(IoFault::at("read the marker", &path)(error).into()),
        }
        // A marker that was cut off was followed by nothing.
        Ok(text.split_once(' ').and_then(|(word, hash)| {
            Some(Marker {
                fresh: word == "fresh",
                hash: hash.parse().ok()?,
            })
        }))
    }

    fn is_placed(&self, name: &PluginName) -> Result<bool, HomeError> {
        self.is_there(name.as_str())
            .map_err(|error| IoFault::at("look at", &self.home.plugin_path(name))(error).into())
    }

    fn is_there(&self, name: &str) -> io::Result<bool> {
        match self.plugins.symlink_metadata(name) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn commit(&mut self) -> Result<(), HomeError> {
        if self.changed {
            lock_file::write(&self.root, &self.home.lock_path(), &self.lock)?;
            self.home.step(Step::LockWritten);
        }
        // The change has happened; what cannot be cleaned now is cleaned by the next one.
        for name in std::mem::take(&mut self.touched) {
            let _ = self.settle_twice(&name);
        }
        self.home.step(Step::Cleaned);
        Ok(())
    }

    pub(crate) fn roll_back(&mut self) -> Result<(), HomeError> {
        self.lock = lock_file::read(&self.root, &self.home.lock_path())?;
        for name in std::mem::take(&mut self.touched) {
            self.settle_twice(&name)?;
        }
        Ok(())
    }

    /// A fault that passes, such as a stale handle of a network's disk, leaves nothing behind.
    fn settle_twice(&self, name: &PluginName) -> Result<(), HomeError> {
        self.settle(name).or_else(|_| self.settle(name))
    }

    /// Puts right what killed changes left behind.
    pub(crate) fn recover(&mut self) -> Result<(), HomeError> {
        let path = self.home.root_path().join("plugins");
        let failed = || IoFault::at("list", &path);
        let mut names = BTreeSet::new();
        for entry in self.plugins.entries().map_err(failed())? {
            let name = entry.map_err(failed())?.file_name();
            let rest = name.to_str().and_then(|name| {
                [PENDING, NEW, OLD]
                    .iter()
                    .find_map(|prefix| name.strip_prefix(prefix))
            });
            names.extend(rest.and_then(|rest| rest.parse::<PluginName>().ok()));
        }
        for name in names {
            self.settle(&name)?;
        }
        fetch_folder::sweep(&self.root);
        lock_file::discard(&self.root).map_err(IoFault::at("clean", self.home.root_path()))?;
        Ok(())
    }

    /// Makes the plugin's place agree with the lock, as far as a change had touched it.
    fn settle(&self, name: &PluginName) -> Result<(), HomeError> {
        let marker = self.marker(name)?;
        let path = self.home.plugin_path(name);
        self.settle_place(name, marker.as_ref())
            .map_err(IoFault::at("clean up at", &path))?;
        Ok(())
    }

    fn settle_place(&self, name: &PluginName, marker: Option<&Marker>) -> io::Result<()> {
        let (new, old, pending) = (beside(NEW, name), beside(OLD, name), beside(PENDING, name));
        remove(&self.plugins, &new)?;
        let recorded = self.lock.get(name).map(|entry| entry.hash);
        let finished = marker.is_some_and(|marker| recorded == Some(marker.hash));
        if marker.is_some_and(|marker| marker.fresh) && !finished {
            remove(&self.plugins, name.as_str())?;
        }
        if self.is_there(&old)? {
            if recorded.is_none() || (finished && self.is_there(name.as_str())?) {
                remove(&self.plugins, &old)?;
            } else {
                remove(&self.plugins, name.as_str())?;
                self.plugins.rename(&old, &self.plugins, name.as_str())?;
            }
        }
        remove(&self.plugins, &pending)
    }
}

fn check(name: &PluginName, placing: Placing<'_>, entry: &LockEntry) -> Result<(), HomeError> {
    match placing {
        Placing::Link(source) if !source.is_absolute() => Err(HomeError::NotAbsolute {
            path: source.to_owned(),
        }),
        Placing::Copy(package) if package.hash != entry.hash => Err(HomeError::WrongEntry {
            name: name.clone(),
            package: package.hash.to_string(),
            entry: entry.hash.to_string(),
        }),
        _ => Ok(()),
    }
}

fn beside(prefix: &str, name: &PluginName) -> String {
    format!("{prefix}{name}")
}
