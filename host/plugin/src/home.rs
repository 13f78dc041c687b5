//! The person's home: where installed plugins, the lock and the store lie.
//!
//! | place | what |
//! |---|---|
//! | `~/.sr/plugins/<name>` | a folder, or a link to the person's own folder |
//! | `~/.sr/plugins.lock.json` | what is installed and granted |
//! | `~/.sr/plugins.lock` | held by the one writer, never deleted |
//! | `~/.sr/store/` | the engine's compiled entries |
//! | `~/.sr/.fetch-*` | a fetch in progress |
//!
//! Folders have mode 0700, files 0600. Reading creates nothing.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, DirBuilder, DirBuilderExt as _};

use crate::command_lines::CommandIndex;
use crate::fetch_folder::{self, FetchFolder};
use crate::home_error::{HomeError, OpenError};
use crate::lock::Lock;
use crate::lock_file::{self, LockError};
use crate::name::PluginName;
use crate::place::IoFault;
use crate::placement::{Installed, Placement};
use crate::{flock, transaction::Transaction};

const PLUGINS: &str = "plugins";
/// How long a write waits for another one.
const LOCK_WAIT: Duration = Duration::from_secs(10);

pub(crate) type StepHook = Arc<dyn Fn(Step) + Send + Sync>;

/// Points of a write at which tests stop it.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Locked,
    Marked,
    Staged,
    SetAside,
    Placed,
    LockWritten,
    Cleaned,
}

/// The places of one person.
#[derive(Clone)]
pub struct Home {
    root: PathBuf,
    lock_wait: Duration,
    on_step: StepHook,
}

impl std::fmt::Debug for Home {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Home")
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

impl Home {
    /// The home of a person: `path` is their home folder, the runtime's part is `.sr` in it.
    /// Creates nothing.
    #[must_use]
    pub fn at(path: impl AsRef<Path>) -> Self {
        Self {
            root: path.as_ref().join(".sr"),
            lock_wait: LOCK_WAIT,
            on_step: Arc::new(|_| {}),
        }
    }

    /// The same home with another bound on the wait for a writer.
    #[must_use]
    pub fn with_lock_wait(mut self, wait: Duration) -> Self {
        self.lock_wait = wait;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub fn with_step_hook(mut self, hook: impl Fn(Step) + Send + Sync + 'static) -> Self {
        self.on_step = Arc::new(hook);
        self
    }

    /// `~/.sr`.
    #[must_use]
    pub fn root_path(&self) -> &Path {
        &self.root
    }

    /// `~/.sr/plugins.lock.json`.
    #[must_use]
    pub fn lock_path(&self) -> PathBuf {
        self.root.join(lock_file::FILE)
    }

    /// `~/.sr/store`, the engine's.
    #[must_use]
    pub fn store_path(&self) -> PathBuf {
        self.root.join("store")
    }

    /// `~/.sr/plugins/<name>`.
    #[must_use]
    pub fn plugin_path(&self, name: &PluginName) -> PathBuf {
        self.root.join(PLUGINS).join(name.as_str())
    }

    /// Reads the lock. No home and no file are an empty lock, see [`Lock::is_absent`].
    ///
    /// # Errors
    /// A lock that cannot be used, each kind with its own message.
    pub fn lock(&self) -> Result<Lock, LockError> {
        match self.existing_root()? {
            Some(root) => lock_file::read(&root, &self.lock_path()),
            None => Ok(Lock::absent()),
        }
    }

    /// The lock, read for the command lines in it alone; none without a lock.
    ///
    /// # Errors
    /// The system refused.
    pub fn command_index(&self) -> Result<Option<CommandIndex>, LockError> {
        match self.existing_root()? {
            Some(root) => lock_file::read_command_index(&root, &self.lock_path()),
            None => Ok(None),
        }
    }

    /// Opens the folder of an installed plugin. The root may be a link, nothing in it.
    ///
    /// # Errors
    /// Nothing there, a link that leads nowhere, no folder, no permission.
    pub fn open_plugin(&self, name: &PluginName) -> Result<Dir, OpenError> {
        let path = self.plugin_path(name);
        let folder = match self.placement(name)? {
            Placement::Missing => return Err(OpenError::NotInstalled { name: name.clone() }),
            Placement::Other => return Err(OpenError::NotAFolder { path }),
            Placement::Link {
                target,
                dangling: true,
            } => {
                return Err(OpenError::Dangling {
                    name: name.clone(),
                    target,
                });
            }
            Placement::Link { target, .. } => target,
            Placement::Folder => path,
        };
        Ok(Dir::open_ambient_dir(&folder, ambient_authority())
            .map_err(IoFault::at("open the plugin's folder", &folder))?)
    }

    /// Opens a folder to install from, and its real absolute path.
    ///
    /// # Errors
    /// Nothing there, no folder, no permission.
    pub fn open_source(path: &Path) -> Result<(Dir, PathBuf), IoFault> {
        let failed = || IoFault::at("open the folder", path);
        let real = path.canonicalize().map_err(failed())?;
        let folder = Dir::open_ambient_dir(&real, ambient_authority()).map_err(failed())?;
        Ok((folder, real))
    }

    /// An empty folder for one fetch, gone when it is dropped. What killed fetches left is removed first.
    ///
    /// # Errors
    /// Another writer for longer than 10 s; the system refused.
    pub fn fetch_folder(&self) -> Result<FetchFolder, HomeError> {
        let root = self.create_root()?;
        let _held = flock::exclusive(&root, &self.root.join(flock::FILE), self.lock_wait)?;
        let failed = || IoFault::at("make a folder for a fetch in", &self.root);
        fetch_folder::sweep(&root);
        Ok(FetchFolder::create(root, &self.root).map_err(failed())?)
    }

    /// What lies at a plugin's place. Follows at most the one link.
    ///
    /// # Errors
    /// The system refused.
    pub fn placement(&self, name: &PluginName) -> Result<Placement, IoFault> {
        let path = self.plugin_path(name);
        let failed = || IoFault::at("look at", &path);
        let metadata = match path.symlink_metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Placement::Missing),
            Err(error) => return Err(failed()(error)),
        };
        if metadata.is_dir() {
            return Ok(Placement::Folder);
        }
        if !metadata.is_symlink() {
            return Ok(Placement::Other);
        }
        let target = path.read_link().map_err(failed())?;
        let target = self.root.join(PLUGINS).join(target);
        let dangling = !target.is_dir();
        Ok(Placement::Link { target, dangling })
    }

    /// Everything installed: what the lock records and what lies in the folder, by name.
    ///
    /// # Errors
    /// The system refused.
    pub fn installed<'l>(&self, lock: &'l Lock) -> Result<Vec<Installed<'l>>, IoFault> {
        let mut names: BTreeSet<PluginName> = lock.iter().map(|(name, _)| name.clone()).collect();
        let folder = self.root.join(PLUGINS);
        let failed = || IoFault::at("list", &folder);
        match folder.read_dir() {
            Ok(entries) => {
                for entry in entries {
                    let name = entry.map_err(failed())?.file_name();
                    names.extend(
                        name.to_str()
                            .and_then(|name| name.parse::<PluginName>().ok()),
                    );
                }
            }
            Err(error) => unless_absent(error, &folder).map_err(failed())?,
        }
        names
            .into_iter()
            .map(|name| {
                Ok(Installed {
                    placement: self.placement(&name)?,
                    entry: lock.get(&name),
                    name,
                })
            })
            .collect()
    }

    /// Changes plugins and lock together, one writer at a time. What a killed writer left
    /// behind is put right first. When `work` fails, nothing of it stays.
    ///
    /// # Errors
    /// Another writer for longer than 10 s; a lock that cannot be used (it is left as it is);
    /// the system refused; whatever `work` returns.
    pub fn transaction<T, E: From<HomeError>>(
        &self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let root = self.create_root().map_err(HomeError::from)?;
        let _held = flock::exclusive(&root, &self.root.join(flock::FILE), self.lock_wait)?;
        (self.on_step)(Step::Locked);
        let lock = lock_file::read(&root, &self.lock_path()).map_err(HomeError::from)?;
        let plugins_path = self.root.join(PLUGINS);
        let plugins = create(&root, PLUGINS, &plugins_path).map_err(HomeError::from)?;
        let mut transaction = Transaction::new(self, root, plugins, lock);
        transaction.recover()?;
        let result = work(&mut transaction).and_then(|value| {
            transaction.commit()?;
            Ok(value)
        });
        if result.is_err() {
            // The first error is the one to tell; what could not be undone is undone by the next write.
            let _ = transaction.roll_back();
        }
        result
    }

    pub(crate) fn step(&self, step: Step) {
        (self.on_step)(step);
    }

    fn existing_root(&self) -> Result<Option<Dir>, IoFault> {
        match Dir::open_ambient_dir(&self.root, ambient_authority()) {
            Ok(root) => Ok(Some(root)),
            Err(error) => {
                let failed = IoFault::at("open the folder", &self.root);
                unless_absent(error, &self.root).map_err(failed)?;
                Ok(None)
            }
        }
    }

    fn create_root(&self) -> Result<Dir, IoFault> {
        if let Some(root) = self.existing_root()? {
            return Ok(root);
        }
        let failed = || IoFault::at("create the folder", &self.root);
        let (Some(parent), Some(name)) = (self.root.parent(), self.root.file_name()) else {
            return Err(failed()(io::ErrorKind::InvalidInput.into()));
        };
        let parent = Dir::open_ambient_dir(parent, ambient_authority()).map_err(failed())?;
        create(&parent, name, &self.root)
    }
}

/// Nothing there is no error. A link that leads nowhere is one: what it led to may be on a disk
/// that is not mounted, and is not to be taken for an empty home.
fn unless_absent(error: io::Error, path: &Path) -> io::Result<()> {
    let leads_nowhere = |path: &&Path| path.is_symlink() && !path.exists();
    if error.kind() != io::ErrorKind::NotFound {
        return Err(error);
    }
    match path.ancestors().find(leads_nowhere) {
        Some(link) => Err(io::Error::other(format!(
            "this link leads nowhere: {}",
            link.display()
        ))),
        None => Ok(()),
    }
}

fn create(parent: &Dir, name: impl AsRef<Path>, path: &Path) -> Result<Dir, IoFault> {
    let failed = || IoFault::at("create the folder", path);
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    match parent.create_dir_with(&name, &builder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed()(error)),
        _ => {}
    }
    // By its path: a state folder may be a link to another disk.
    Dir::open_ambient_dir(path, ambient_authority()).map_err(|error| {
        let error = unless_absent(error, path).err();
        failed()(error.unwrap_or_else(|| io::ErrorKind::NotFound.into()))
    })
}
