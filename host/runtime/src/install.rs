//! Install, update, uninstall.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use sr_capabilities::check_manifest;
use sr_engine::Loaded;
use sr_plugin::{LockEntry, Package, Placing, PluginName, Source};
use sr_policy::Grants;
use sr_policy::command::{Access, Command};

use crate::fault::Fault;
use crate::metadata::{Described, describe};
use crate::runtime::{Machine, Runtime};

const SOURCE_ADVICE: &str = "give the folder of a built package: file:///absolute/path, or a path with a slash, such as ./NAME; remote sources are not here yet";

/// How to install.
#[derive(Debug, Clone, Copy, Default)]
pub struct InstallOptions {
    /// Copy the folder instead of linking it.
    pub copy: bool,
}

/// A plugin that was installed.
#[derive(Debug, Clone)]
pub struct Installed {
    /// Its name.
    pub name: PluginName,
    /// What the lock now records.
    pub entry: LockEntry,
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

/// A plugin that was taken away.
#[derive(Debug, Clone)]
pub struct Removal {
    /// Its name.
    pub name: PluginName,
    /// Where the person's own folder still is, when it was linked.
    pub source: Option<PathBuf>,
}

/// A package that passed every check, compiled and asked for its commands.
struct Checked {
    package: Package,
    commands: Vec<Command>,
    loaded: Loaded,
    machine: Machine,
}

impl Runtime {
    /// Installs a built package folder: read once, checked, compiled, asked for its commands in
    /// the sandbox, then placed and recorded together. Any refusal leaves nothing behind.
    ///
    /// # Errors
    /// Every way a package can be unacceptable, and every way the home can refuse.
    pub fn install(&self, source: &str, options: InstallOptions) -> Result<Installed, Fault> {
        let path = source_path(source)?;
        let (folder, real) = self.home.open_source(&path)?;
        let package = Package::read(&folder, sr_plugin::Strictness::Install)?;
        self.check_domains(&package)?;
        let checked = check(package)?;
        let name = checked.package.manifest.name.clone();
        let asks = checked.package.asks();
        let origin = match options.copy {
            true => Source::Copy { path: real.clone() },
            false => Source::Link { path: real.clone() },
        };
        let entry = LockEntry::new(
            &checked.package,
            origin,
            now_ms(),
            asks,
            checked.commands.clone(),
        );
        self.home.transaction(|transaction| {
            let placing = match options.copy {
                true => Placing::Copy(&checked.package),
                false => Placing::Link(&real),
            };
            transaction.install(&name, placing, entry.clone())?;
            self.keep(&checked)
        })?;
        Ok(Installed { name, entry })
    }

    /// Records a plugin's folder anew; a copied one is copied again from its source. A plugin
    /// whose lock entry is gone holds no grants, so recording it again needs `grant`.
    ///
    /// # Errors
    /// [`Fault::AsksForMore`] unless `grant`; otherwise as [`Runtime::install`].
    pub fn update(&self, name: &str, grant: bool) -> Result<Updated, Fault> {
        let name = plugin_name(name)?;
        let before = self.home.lock()?.get(&name).cloned();
        let source = match &before {
            Some(entry) => entry.source.clone(),
            None => self.unrecorded_source(&name)?,
        };
        let (Source::Link { path } | Source::Copy { path }) = &source;
        let (folder, real) = self.home.open_source(path)?;
        let package = Package::read(&folder, sr_plugin::Strictness::Install)?;
        if package.manifest.name != name {
            return Err(Fault::OtherName {
                name,
                found: package.manifest.name,
            });
        }
        self.check_domains(&package)?;
        let asks = package.asks();
        let checked = check(package)?;
        let (held, known) = before
            .as_ref()
            .map(|entry| (entry.grants.clone(), entry.commands.as_slice()))
            .unwrap_or_default();
        let more = asks.beyond(&held);
        let writes = new_writes(known, &checked.commands);
        let asks_for_more = !more.is_empty() || !writes.is_empty();
        if asks_for_more && !grant {
            return Err(Fault::AsksForMore { name, more, writes });
        }
        let commands = checked.commands.clone();
        let entry = LockEntry::new(&checked.package, source.clone(), now_ms(), asks, commands);
        self.home.transaction(|transaction| {
            let placing = match &source {
                Source::Copy { .. } => Placing::Copy(&checked.package),
                Source::Link { .. } => Placing::Link(&real),
            };
            match before {
                Some(_) => transaction.replace(&name, placing, entry.clone())?,
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

    /// Where the files of a plugin without a lock entry come from.
    fn unrecorded_source(&self, name: &PluginName) -> Result<Source, Fault> {
        match self.home.placement(name)? {
            sr_plugin::Placement::Link { target, .. } => Ok(Source::Link { path: target }),
            sr_plugin::Placement::Folder => Ok(Source::Copy {
                path: self.home.plugin_path(name),
            }),
            _ => Err(self.absent(name)),
        }
    }

    /// Takes a plugin away: its copy or its link, its lock entry, its compiled code. A linked
    /// folder itself stays.
    ///
    /// # Errors
    /// Nothing of that name, or the system refused.
    pub fn uninstall(&self, name: &str) -> Result<Removal, Fault> {
        let name = plugin_name(name)?;
        let entry = self.home.lock()?.get(&name).cloned();
        self.home
            .transaction(|transaction| transaction.uninstall(&name).map_err(Fault::from))?;
        let source = entry.as_ref().and_then(|entry| match &entry.source {
            Source::Link { path } => Some(path.clone()),
            Source::Copy { .. } => None,
        });
        if let Some(entry) = entry
            && let Ok(engine) = sr_engine::engine()
        {
            // The plugin is gone either way; an orphan entry is only space.
            let _ = self
                .store()
                .remove(&engine, entry.component_hash.as_bytes());
        }
        Ok(Removal { name, source })
    }

    /// Under `SR_STRICT_DOMAINS=1` a package without domains is refused from the start.
    fn check_domains(&self, package: &Package) -> Result<(), Fault> {
        if self.strictness.domains && package.asks().domains.is_empty() {
            let name = package.manifest.name.clone();
            return Err(Fault::NoDomains { name });
        }
        Ok(())
    }

    /// Why there is no entry: nothing installed, or files without an entry.
    pub(crate) fn absent(&self, name: &PluginName) -> Fault {
        match self.home.placement(name) {
            Ok(sr_plugin::Placement::Missing) => Fault::NotInstalled {
                name: name.to_string(),
            },
            Ok(_) => Fault::Unrecorded { name: name.clone() },
            Err(error) => error.into(),
        }
    }

    /// Stores the compiled component. Inside the transaction, so that a full disk undoes all.
    fn keep(&self, checked: &Checked) -> Result<(), Fault> {
        self.store().keep(
            &checked.machine.engine,
            &checked.loaded.component,
            checked.package.component_hash.as_bytes(),
        )?;
        Ok(())
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

fn check(package: Package) -> Result<Checked, Fault> {
    let shape = sr_engine::inspect(&package.component)?;
    let gaps = check_manifest(&shape, &package.manifest.capabilities);
    if !gaps.is_empty() {
        return Err(Fault::Capabilities(gaps));
    }
    let Described {
        commands,
        loaded,
        machine,
    } = describe(&package.component)?;
    Ok(Checked {
        package,
        commands,
        loaded,
        machine,
    })
}

/// The name as typed, or the error a person expects for a name that can belong to no plugin.
pub(crate) fn plugin_name(name: &str) -> Result<PluginName, Fault> {
    name.parse().map_err(|_| Fault::NotInstalled {
        name: name.to_owned(),
    })
}

fn source_path(source: &str) -> Result<PathBuf, Fault> {
    let refuse = || Fault::Source {
        source_text: source.to_owned(),
        advice: SOURCE_ADVICE,
    };
    if let Some(rest) = source.strip_prefix("file://") {
        // Only paths of this machine: no host between the slashes, or localhost.
        let path = rest.strip_prefix("localhost").unwrap_or(rest);
        if !path.starts_with('/') || path.contains(['?', '#']) {
            return Err(refuse());
        }
        let bytes: Vec<u8> = percent_encoding::percent_decode_str(path).collect();
        return Ok(PathBuf::from(OsString::from_vec(bytes)));
    }
    // A name with a slash is a place, one without could become a registry's name some day.
    let is_place = source.contains('/') || source == "." || source == "..";
    if !is_place || source.contains("://") {
        return Err(refuse());
    }
    Ok(PathBuf::from(source))
}

fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_millis()).ok())
        .unwrap_or(0)
}
