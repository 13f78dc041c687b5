//! What discovery is told before it asks: the machine, the person's words, the switches.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::report::Installed;

/// The system whose files and processes are looked at. It need not be the one this code runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Os {
    /// macOS.
    Darwin,
    /// Linux.
    Linux,
    /// Windows.
    Windows,
}

impl Os {
    /// The system this program was built for; Linux when it is none of the three.
    #[must_use]
    pub fn current() -> Self {
        match std::env::consts::OS {
            "macos" => Self::Darwin,
            "windows" => Self::Windows,
            _ => Self::Linux,
        }
    }
}

/// Where an endpoint or an installed browser can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// `DevToolsActivePort` files of known profile folders.
    DevtoolsActivePort,
    /// The person's `--cdp` words.
    Flag,
    /// The list of running processes.
    Process,
    /// Ports that were named to be tried.
    Probe,
    /// Browsers that are installed and could be started.
    Installed,
}

impl Source {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::DevtoolsActivePort,
        Self::Flag,
        Self::Process,
        Self::Probe,
        Self::Installed,
    ];

    /// Its name in documents, on the command line and in a catalog's `sourceRank`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DevtoolsActivePort => "devtools-active-port",
            Self::Flag => "flag",
            Self::Process => "process",
            Self::Probe => "probe",
            Self::Installed => "installed",
        }
    }
}

/// How much a report tells of seven's tabs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SevenTabs {
    /// The origin, as address and as title.
    #[default]
    Origin,
    /// Address and title as the browser gave them.
    Raw,
}

/// The switches of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Options {
    /// The sources to use; all when none is named.
    pub sources: Vec<Source>,
    /// Whether a report lists the pages that are open.
    pub tabs: bool,
    /// How much it tells of seven's tabs.
    pub seven_tabs: SevenTabs,
}

impl Options {
    /// Whether a source is used.
    #[must_use]
    pub fn uses(&self, source: Source) -> bool {
        self.sources.is_empty() || self.sources.contains(&source)
    }
}

/// The machine, as far as it is known before anything was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Machine {
    /// Its system.
    pub os: Os,
    /// The person's home folder; without one nothing below it is looked at.
    #[serde(default)]
    pub home: Option<String>,
    /// The environment: only the variables that [`crate::Core::env_names`] lists are looked at.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The process that asks, which is left out; 0 when there is none.
    #[serde(default)]
    pub self_pid: u32,
    /// Addresses of browsers, as a person writes them.
    #[serde(default)]
    pub cdp: Vec<String>,
    /// Further origins that are seven's.
    #[serde(default)]
    pub origins: Vec<String>,
    /// Ports of this machine to try.
    #[serde(default)]
    pub probe_ports: Vec<u16>,
    /// Installed browsers that are known already: ranked, and nothing is looked for.
    #[serde(default)]
    pub installed: Option<Vec<Installed>>,
    /// The switches.
    #[serde(default)]
    pub options: Options,
}

impl Machine {
    /// A machine of which nothing is known but its system.
    #[must_use]
    pub fn new(os: Os) -> Self {
        Self {
            os,
            home: None,
            env: BTreeMap::new(),
            self_pid: 0,
            cdp: Vec::new(),
            origins: Vec::new(),
            probe_ports: Vec::new(),
            installed: None,
            options: Options::default(),
        }
    }

    /// A variable that is set and not empty.
    pub(crate) fn var(&self, name: &str) -> Option<&str> {
        self.env
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }
}
