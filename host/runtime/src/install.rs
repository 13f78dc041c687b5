//! Install and uninstall.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use sr_capabilities::check_manifest;
use sr_engine::{ComponentShape, EngineError, Loaded};
use sr_plugin::{
    Home, HomeError, IoFault, LockEntry, LockError, Package, PackageError, Placement, Placing,
    PluginName, Source, Strictness,
};
use sr_policy::command::{Access, Command};
use sr_policy::{Grants, exit};

use crate::ending::end_when_asked;
use crate::fault::Fault;
use crate::git::{FetchOptions, Fetched, Fetcher};
use crate::metadata::{Described, describe};
use crate::nearby::Instead;
use crate::runtime::{Machine, Runtime};
use crate::source::Place;

/// How to install.
#[derive(Debug, Clone, Default)]
pub struct InstallOptions {
    /// Copy the folder instead of linking it; what git fetched is always a copy.
    pub copy: bool,
    /// For a repository.
    pub fetch: FetchOptions,
}

/// A plugin that was installed.
#[derive(Debug, Clone)]
pub struct Installed {
    /// Its name.
    pub name: PluginName,
    /// What the lock now records.
    pub entry: LockEntry,
}

/// A plugin that was taken away.
#[derive(Debug, Clone)]
pub struct Removal {
    /// Its name.
    pub name: PluginName,
    /// Where the person's own folder still is, when it was linked.
    pub source: Option<PathBuf>,
}

/// A package that was just read, and where it came from.
pub(crate) struct Fresh {
    pub(crate) package: Package,
    pub(crate) source: Source,
}

impl Fresh {
    /// What git fetched. The signals that the fetch had taken end the process again.
    pub(crate) fn fetched(fetched: Fetched) -> Result<Self, Fault> {
        end_when_asked(exit::INTERRUPTED);
        Ok(Self {
            package: Package::from_tree(fetched.tree, Strictness::Install)?,
            source: Source::Git(Box::new(fetched.origin)),
        })
    }
}

/// A package that passed every check, compiled and asked for its commands.
pub(crate) struct Checked {
    pub(crate) package: Package,
    pub(crate) commands: Vec<Command>,
    pub(crate) loaded: Loaded,
    pub(crate) machine: Machine,
}

impl Checked {
    /// How it comes to its place: a linked folder stays where it is, everything else is copied.
    pub(crate) fn placing<'a>(&'a self, source: &'a Source) -> Placing<'a> {
        match source {
            Source::Link { path } => Placing::Link(path),
            Source::Copy { .. } | Source::Git(_) => Placing::Copy(&self.package),
        }
    }
}

impl Runtime {
    /// Installs a built package: read once, checked, compiled, asked for its commands in the
    /// sandbox, then placed and recorded together. Any refusal leaves nothing behind. Nothing is
    /// ever built.
    ///
    /// # Errors
    /// Every way a package can be unacceptable, a repository not be fetched, and the home refuse.
    pub fn install(&self, source: &str, options: &InstallOptions) -> Result<Installed, Fault> {
        let fresh = match Place::parse(source)? {
            Place::Folder(path) => {
                options.fetch.none_for(&path)?;
                self.read_folder(&path, options.copy)?
            }
            Place::Git(address) => {
                let mut fetcher = Fetcher::start(&self.home, *address, &options.fetch)?;
                let resolved = fetcher.resolve(None)?;
                Fresh::fetched(fetcher.fetch(resolved)?)?
            }
        };
        self.check_free(&fresh.package.manifest.name)?;
        self.check_domains(&fresh.package)?;
        let checked = check(fresh.package)?;
        let name = checked.package.manifest.name.clone();
        let asks = checked.package.asks();
        let commands = checked.commands.clone();
        let entry = LockEntry::new(&checked.package, fresh.source, now_ms(), asks, commands);
        self.home.transaction(|transaction| {
            transaction.install(&name, checked.placing(&entry.source), entry.clone())?;
            self.keep(&checked)
        })?;
        Ok(Installed { name, entry })
    }

    /// Reads a folder of this machine, to be linked or copied.
    pub(crate) fn read_folder(&self, path: &Path, copy: bool) -> Result<Fresh, Fault> {
        let (folder, path) = Home::open_source(path).map_err(no_folder)?;
        // The lock is JSON: nothing is read or compiled for what could not be recorded.
        if path.to_str().is_none() {
            return Err(Fault::PathNotUtf8 { path });
        }
        let package = match Package::read(&folder, Strictness::Install) {
            Err(PackageError::NoManifest) => {
                let instead = Instead::of(&path);
                return Err(Fault::NoPackage { path, instead });
            }
            other => other?,
        };
        let source = match copy {
            true => Source::Copy { path },
            false => Source::Link { path },
        };
        Ok(Fresh { package, source })
    }

    /// Takes a plugin away: its copy or its link, its lock entry, its compiled code. A linked
    /// folder itself stays.
    ///
    /// # Errors
    /// Nothing of that name, or the system refused.
    pub fn uninstall(&self, name: &str) -> Result<Removal, Fault> {
        let name = plugin_name(name)?;
        let entry = self.home.lock()?.get(&name).cloned();
        self.home.transaction(|transaction| {
            transaction.uninstall(&name)?;
            // Before the lock is written, so that on a full disk there is room for the new one.
            // If that still fails the plugin stays, and is compiled again when it runs.
            if let Some(entry) = &entry
                && let Ok(engine) = sr_engine::engine()
            {
                let hash = entry.component_hash.as_bytes();
                let _ = self.store().remove(&engine, hash);
            }
            Ok::<_, Fault>(())
        })?;
        let source = entry.as_ref().and_then(|entry| match &entry.source {
            Source::Link { path } => Some(path.clone()),
            Source::Copy { .. } | Source::Git(_) => None,
        });
        Ok(Removal { name, source })
    }

    /// Whether a plugin of this name can be installed; asked before anything is compiled, and again
    /// under the lock.
    fn check_free(&self, name: &PluginName) -> Result<(), Fault> {
        let lock = match self.home.lock() {
            Ok(lock) => lock,
            // What the system refuses is told where the home is written to.
            Err(LockError::Io(_)) => return Ok(()),
            Err(error) => return Err(HomeError::from(error).into()),
        };
        if lock.get(name).is_some() {
            return Err(HomeError::AlreadyInstalled { name: name.clone() }.into());
        }
        match self.home.placement(name) {
            Ok(Placement::Missing) | Err(_) => Ok(()),
            Ok(_) => Err(HomeError::Unrecorded {
                name: name.clone(),
                path: self.home.plugin_path(name),
            }
            .into()),
        }
    }

    /// Under `SR_STRICT_DOMAINS=1` a package without domains is refused from the start.
    pub(crate) fn check_domains(&self, package: &Package) -> Result<(), Fault> {
        if self.strictness.domains && package.asks().domains.is_empty() {
            let name = package.manifest.name.clone();
            return Err(Fault::NoDomains { name });
        }
        Ok(())
    }

    /// Why there is no entry: nothing installed, or files without an entry.
    pub(crate) fn absent(&self, name: &PluginName) -> Fault {
        match self.home.placement(name) {
            Ok(Placement::Missing) => Fault::NotInstalled {
                name: name.to_string(),
            },
            Ok(_) => Fault::Unrecorded { name: name.clone() },
            Err(error) => error.into(),
        }
    }

    /// Stores the compiled component. Inside the transaction, so that a full disk undoes all.
    pub(crate) fn keep(&self, checked: &Checked) -> Result<(), Fault> {
        self.store().keep(
            &checked.machine.engine,
            &checked.loaded.component,
            checked.package.component_hash.as_bytes(),
        )?;
        Ok(())
    }
}

/// Says what is near a folder that is not there.
fn no_folder(fault: IoFault) -> Fault {
    match fault.source.kind() {
        ErrorKind::NotFound => {
            let near = fault.path.ancestors().find(|path| path.is_dir());
            let near = near.map(Path::canonicalize).and_then(Result::ok);
            let instead = near.map_or(Instead::Other, |near| Instead::of(&near));
            Fault::NoFolder { fault, instead }
        }
        _ => fault.into(),
    }
}

/// The commands that write, by name.
#[must_use]
pub fn writes(commands: &[Command]) -> Vec<String> {
    new_writes(&[], commands)
}

/// Commands that write now and did not before: a right that a person grants like any other.
pub(crate) fn new_writes(before: &[Command], now: &[Command]) -> Vec<String> {
    now.iter()
        .filter(|command| command.access == Access::Write)
        .filter(|command| {
            !before
                .iter()
                .any(|known| known.name == command.name && known.access == Access::Write)
        })
        .map(|command| command.name.clone())
        .collect()
}

/// What `install` prints: the grants in one place.
impl Installed {
    /// What the plugin may reach from now on.
    #[must_use]
    pub fn grants(&self) -> &Grants {
        &self.entry.grants
    }
}

/// What a component passes before it may run: its shape, its capabilities, its commands.
pub(crate) fn check(package: Package) -> Result<Checked, Fault> {
    let shape = inspect(&package)?;
    let gaps = check_manifest(&shape, &package.manifest.capabilities);
    if !gaps.is_empty() {
        return Err(Fault::Capabilities(gaps));
    }
    let machine = Machine::start()?;
    let Described { commands, loaded } =
        describe(&machine, &package.component).map_err(|fault| match fault {
            Fault::Engine(error) => refused(&package)(error),
            other => other,
        })?;
    Ok(Checked {
        package,
        commands,
        loaded,
        machine,
    })
}

/// What a component imports, or why this host cannot take it.
pub(crate) fn inspect(package: &Package) -> Result<ComponentShape, Fault> {
    sr_engine::inspect(&package.component).map_err(refused(package))
}

/// Says whose component it is.
pub(crate) fn refused(package: &Package) -> impl FnOnce(EngineError) -> Fault + use<> {
    let name = package.manifest.name.clone();
    move |error| Fault::Component { name, error }
}

/// The name as typed, or the error a person expects for a name that can belong to no plugin.
pub(crate) fn plugin_name(name: &str) -> Result<PluginName, Fault> {
    name.parse().map_err(|_| Fault::NotInstalled {
        name: name.to_owned(),
    })
}

pub(crate) fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_millis()).ok())
        .unwrap_or(0)
}
