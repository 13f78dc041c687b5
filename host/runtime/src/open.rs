//! Opening a plugin: every check between what was found and code that may run.

use std::path::Path;

use sr_capabilities::SitedataView;
use sr_engine::Provenance;
use sr_engine::wasmtime::component::Component;
use sr_plugin::{Home, Package, PluginName};
use sr_policy::capability::Capability;
use sr_policy::command::Command;
use sr_policy::request::{Phase, RequestPolicy};
use sr_policy::{Allowlist, Grants};

use crate::fault::Fault;
use crate::install::{Checked, check, new_writes, refused};
use crate::recorded::Recorded;
use crate::runtime::{Machine, Runtime};

/// A plugin that may run, with exactly what it may reach.
pub struct OpenPlugin {
    /// Its name, which is also its site.
    pub name: PluginName,
    /// One or two sentences of the plugin; untrusted.
    pub description: String,
    /// Its commands: from the index, or live when a linked folder was edited.
    pub commands: Vec<Command>,
    /// What the person should know before it runs; one line each.
    pub warnings: Vec<String>,
    provenance: Provenance,
    pub(crate) component: Component,
    pub(crate) machine: Machine,
    pub(crate) grants: Grants,
    pub(crate) package: Package,
    /// The commands are the index's, so the live ones must equal them.
    pub(crate) indexed: bool,
    /// Commands of an edited folder that write and are not recorded as writing.
    pub(crate) ungranted_writes: Vec<String>,
}

impl Runtime {
    /// Opens a plugin that was found: grants applied, code loaded. The commands are the index's, or
    /// live when the folder was changed.
    ///
    /// # Errors
    /// No domains in strict mode, a package that breaks a rule, a component that does not load.
    pub fn load(&self, recorded: Recorded) -> Result<OpenPlugin, Fault> {
        let matches = recorded.change().is_none();
        let Recorded {
            name,
            entry,
            package,
            ..
        } = recorded;
        let package = package?;
        let mut warnings = Vec::new();
        for illegal in package.illegal_domains() {
            warnings.push(format!("{name}: this entry is not in force: {illegal}"));
        }
        // An edited folder keeps the old grants and can only lose some of them.
        let grants = package.asks().within(&entry.grants);
        if grants.domains.is_empty() {
            if self.strictness.domains {
                return Err(Fault::NoDomains { name });
            }
            warnings.push(format!(
                "{name} declares no domains: every request is refused"
            ));
        }
        let mut ungranted_writes = Vec::new();
        let checked = if matches {
            let machine = Machine::start()?;
            let hash = package.component_hash;
            let loaded = self
                .store()
                .load(&machine.engine, &package.component, hash.as_bytes())
                .map_err(refused(&package))?;
            Checked {
                commands: entry.commands,
                package,
                loaded,
                machine,
            }
        } else {
            let checked = check(package)?;
            ungranted_writes = new_writes(&entry.commands, &checked.commands);
            checked
        };
        let loaded = &checked.loaded;
        if let Provenance::CompiledDoubtful(reason) = &loaded.provenance {
            warnings.push(format!(
                "{name}: its compiled code was not used and made anew: {reason}"
            ));
        }
        if let Some(error) = &loaded.not_stored {
            warnings.push(format!("{name}: its compiled code is not kept: {error}"));
        }
        Ok(OpenPlugin {
            ungranted_writes,
            warnings,
            indexed: matches,
            ..OpenPlugin::granted(checked, grants)
        })
    }

    /// Opens a package folder that is not installed, by the checks of an install: for its author,
    /// who builds and tries it. It is granted exactly what it asks for. Nothing is written.
    ///
    /// # Errors
    /// What `install` refuses; a folder of an installed plugin, which runs by its name and by what
    /// the lock grants.
    pub fn open_folder(&self, path: &Path) -> Result<OpenPlugin, Fault> {
        let (folder, real) = Home::open_source(path)?;
        let own = self.home.root_path().canonicalize();
        if own.is_ok_and(|own| real.starts_with(own)) {
            return Err(Fault::NotAnAuthors { path: real });
        }
        let package = Package::read(&folder, sr_plugin::Strictness::Install)?;
        self.check_domains(&package)?;
        let grants = package.asks();
        let checked = check(package)?;
        Ok(OpenPlugin::granted(checked, grants))
    }
}

impl OpenPlugin {
    /// What was checked, with these grants.
    fn granted(checked: Checked, grants: Grants) -> Self {
        let Checked {
            package,
            commands,
            loaded,
            machine,
        } = checked;
        Self {
            name: package.manifest.name.clone(),
            description: package.manifest.description.raw().to_owned(),
            commands,
            warnings: vec![],
            provenance: loaded.provenance,
            component: loaded.component,
            machine,
            grants,
            package,
            indexed: false,
            ungranted_writes: vec![],
        }
    }

    /// The package it runs from.
    #[must_use]
    pub fn package(&self) -> &Package {
        &self.package
    }

    /// What it may reach.
    #[must_use]
    pub fn grants(&self) -> &Grants {
        &self.grants
    }

    /// Where its native code came from, and how often this process compiled.
    #[must_use]
    pub fn code(&self) -> String {
        let (compiled, _) = sr_engine::counters();
        format!("{}; compiled {compiled} times", self.provenance)
    }

    pub(crate) fn policy(&self) -> RequestPolicy {
        let (allowlist, _) = Allowlist::from_entries(&self.grants.domains);
        let may_post = self.grants.has(Capability::Posts);
        RequestPolicy {
            fetch: self.grants.has(Capability::Fetch),
            allowlist,
            posts: self
                .package
                .posts()
                .iter()
                .filter(|post| {
                    may_post
                        && self
                            .grants
                            .posts
                            .iter()
                            .any(|granted| granted == post.as_str())
                })
                .cloned()
                .collect(),
            phase: Phase::Read,
        }
    }

    pub(crate) fn sitedata(&self) -> Option<SitedataView> {
        let granted = self.grants.has(Capability::Sitedata);
        granted.then(|| SitedataView {
            sitedata: self.package.sitedata.clone(),
            origin: "bundled",
            strategy: "s0".to_owned(),
        })
    }
}
