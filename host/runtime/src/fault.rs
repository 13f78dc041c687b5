//! Why an operation on plugins did not happen. One variant per cause, facts in fields.

use std::path::PathBuf;

use sr_capabilities::{CapabilityGap, HostError};
use sr_engine::EngineError;
use sr_plugin::{
    GitAddressError, HomeError, IoFault, LockError, MANIFEST_FILE, NameError, OpenError,
    PackageError, PluginName, shown_path,
};

use crate::changed::Changed;
use crate::git::GitFault;
use crate::nearby::Instead;
use crate::update::MoreAsked;

/// Why an operation did not happen.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The words after `plugin install` name no package folder.
    #[error("not a place to install from: {source_text}")]
    Source {
        /// As typed.
        source_text: String,
        /// What is accepted.
        advice: String,
    },
    /// The words name an archive.
    #[error("an archive is no source, and nothing of it is unpacked: {}", .path.display())]
    Archive {
        /// The file.
        path: PathBuf,
    },
    /// The words mean a repository and are wrong.
    #[error(transparent)]
    GitAddress(#[from] GitAddressError),
    /// Nothing came out of the repository.
    #[error(transparent)]
    Git(#[from] GitFault),
    /// Not a plugin's name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// No plugin of that name is installed.
    #[error("no such plugin is installed: {name}")]
    NotInstalled {
        /// As typed.
        name: String,
    },
    /// The package breaks a rule.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// The component cannot be loaded.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// This host cannot take the plugin's component.
    #[error("{name}: {error}")]
    Component {
        /// The plugin.
        name: PluginName,
        /// Why.
        error: EngineError,
    },
    /// The component cannot be asked or run.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The component imports functions whose capability the manifest does not ask for.
    #[error("the component imports functions whose capability the manifest does not ask for: {}", gaps(.0))]
    Capabilities(Vec<CapabilityGap>),
    /// The home or the lock cannot be changed.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The lock cannot be read.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The plugin's folder cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The system refused.
    #[error(transparent)]
    Io(#[from] IoFault),
    /// The lock does not record the plugin, so nothing is granted.
    #[error("the lock has no entry for {name}, so nothing is granted to it")]
    Unrecorded {
        /// The plugin.
        name: PluginName,
    },
    /// The folder's path cannot be written into the lock.
    #[error("the path of a plugin's folder is UTF-8; rename: {}", shown_path(.path))]
    PathNotUtf8 {
        /// The folder.
        path: PathBuf,
    },
    /// An option for repositories, and a source that is none.
    #[error("{option} is for a repository, and this source is a folder: {}", shown_path(.path))]
    NothingToFetch {
        /// The option.
        option: &'static str,
        /// The folder.
        path: PathBuf,
    },
    /// There is no such folder to install from.
    #[error("{fault}")]
    NoFolder {
        /// What the system said.
        fault: IoFault,
        /// What the nearest folder is that is there.
        instead: Instead,
    },
    /// The folder holds no package, and perhaps something that leads to one.
    #[error("this folder is no plugin package, it has no {MANIFEST_FILE}: {}", shown_path(.path))]
    NoPackage {
        /// The folder.
        path: PathBuf,
        /// What it is instead.
        instead: Instead,
    },
    /// The folder is not what the lock records, under `SR_STRICT_INTEGRITY=1`.
    #[error("{0}, expected: {expected}, found: {found}", expected = .0.expected, found = .0.found.map_or("no package".to_owned(), |hash| hash.to_string()))]
    Mismatch(Box<Changed>),
    /// Same bytes, other commands: the component's metadata is not a constant.
    #[error("{name}: its commands differ from those recorded at install, though the files do not")]
    LiveMetadata {
        /// The plugin.
        name: PluginName,
    },
    /// No domains, under `SR_STRICT_DOMAINS=1`.
    #[error("{name} declares no domains")]
    NoDomains {
        /// The plugin.
        name: PluginName,
    },
    /// An update asks for more than is granted.
    #[error("{name} asks for more than it is granted")]
    AsksForMore {
        /// The plugin.
        name: PluginName,
        /// What is new.
        asked: Box<MoreAsked>,
    },
    /// An edited folder's command writes, and the lock does not know that it may.
    #[error("{name} {command} now writes, and that is not granted")]
    WriteNotGranted {
        /// The plugin.
        name: PluginName,
        /// The command.
        command: String,
    },
    /// The commands in the lock entry break the rules they passed at install.
    #[error("{name}: its commands in the lock are not acceptable: {}", .faults.join("; "))]
    Index {
        /// The plugin.
        name: PluginName,
        /// Each fault names command and field.
        faults: Vec<String>,
    },
    /// An update brings a package of another name.
    #[error("the folder now holds another plugin, installed: {name}, found: {found}")]
    OtherName {
        /// The installed name.
        name: PluginName,
        /// The package's name.
        found: PluginName,
    },
    /// A folder of the home was given where an author's is wanted.
    #[error("{}: this is an installed plugin; it runs by its name, with what the lock grants", .path.display())]
    NotAnAuthors {
        /// The folder.
        path: PathBuf,
    },
    /// A file of recorded replies cannot be used.
    #[error("{}: {reason}", .path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A run received more than a recording may hold.
    #[error("{}: the run received more than a recording may hold, so it is not written", .path.display())]
    RecordingFull {
        /// The file that was asked for.
        path: PathBuf,
    },
    /// The trace of a run cannot be made or is not whole.
    #[error("{}: the trace cannot be written: {reason}", .path.display())]
    Trace {
        /// The file that was asked for.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The options for requests cannot be used.
    #[error(transparent)]
    Egress(#[from] sr_egress::EgressError),
    /// No async runtime.
    #[error("the runtime does not start: {0}")]
    NoRuntime(std::io::Error),
}

fn gaps(gaps: &[CapabilityGap]) -> String {
    gaps.iter()
        .map(|gap| format!("{} needs \"{}\"", gap.function, gap.capability.name()))
        .collect::<Vec<_>>()
        .join(", ")
}
