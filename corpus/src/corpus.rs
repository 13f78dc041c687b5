//! The conformance cases: fake machines, each with the report that discovery must give for it.

mod answers;
mod input;
mod layout;

pub use answers::{Answer, normalize_host_port};
pub use input::{Bundle, FakeProcess, Input, Machine, Options, Server};
pub use layout::Layout;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Reads `DevToolsActivePort` in the default user-data directories.
pub const NEED_USER_DATA_DIRS: &str = "user-data-dirs";
/// Reads `DevToolsActivePort` in the profiles of seven.
pub const NEED_PROFILES: &str = "seven-profiles";
/// Takes `--cdp` URLs.
pub const NEED_FLAG: &str = "flag";
/// Scans processes.
pub const NEED_PROCESS: &str = "process";
/// Probes ports.
pub const NEED_PROBE: &str = "probe";
/// Takes extra seven origins.
pub const NEED_ORIGINS: &str = "origins";
/// Ranks a list of installed browsers that it is given.
pub const NEED_INSTALLED: &str = "installed";
/// Finds and marks the profiles of six.
pub const NEED_SIX: &str = "six";
/// Lists the tabs that are neither seven's nor protected.
pub const NEED_TABS: &str = "tabs";
/// Finds installed browsers itself, see [`Machine`].
pub const NEED_INSTALLED_SCAN: &str = "installed-scan";
/// Resolves symbolic links, see [`Input::links`].
pub const NEED_LINKS: &str = "links";
/// Tells a refused connection, an open port without HTTP and one that never accepts apart.
pub const NEED_ANSWERS: &str = "answers";
/// Has the switches of [`Options`].
pub const NEED_OPTIONS: &str = "options";

/// Every need, for a program that does it all.
pub const NEEDS: [&str; 13] = [
    NEED_USER_DATA_DIRS,
    NEED_PROFILES,
    NEED_FLAG,
    NEED_PROCESS,
    NEED_PROBE,
    NEED_ORIGINS,
    NEED_INSTALLED,
    NEED_SIX,
    NEED_TABS,
    NEED_INSTALLED_SCAN,
    NEED_LINKS,
    NEED_ANSWERS,
    NEED_OPTIONS,
];

/// All cases. Reads every published `corpus.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Corpus {
    /// Version of the form.
    pub schema: u32,
    /// The cases, by name.
    pub cases: Vec<Case>,
}

/// One fake machine and the report it must give.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// Name of its folder.
    pub name: String,
    /// `case.json`.
    #[serde(rename = "case")]
    pub input: Input,
    /// `expected.json`, with tokens.
    pub expected: Value,
}

/// The cases of this crate. A test parses their text, so this is never the default.
#[must_use]
pub fn corpus() -> Corpus {
    serde_json::from_str(crate::CORPUS).unwrap_or_default()
}

/// A row of the process list of Windows.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct CimRow<'a> {
    process_id: u32,
    command_line: Option<&'a str>,
}

/// The case on one system: everything with its tokens replaced by paths.
impl Case {
    /// Whether the case runs on `os` (`darwin`, `linux`, `windows`) with a program that does what
    /// `supported` names.
    #[must_use]
    pub fn runs(&self, os: &str, supported: &[&str]) -> bool {
        let systems = &self.input.os;
        let here = systems.is_empty() || systems.iter().any(|one| one == os);
        here && self
            .input
            .needs
            .iter()
            .all(|need| supported.contains(&need.as_str()))
    }

    /// The environment, all that discovery may see of one.
    #[must_use]
    pub fn env(&self, layout: &Layout<'_>) -> BTreeMap<String, String> {
        expand_values(&self.input.env, layout)
    }

    /// Path and content of each file.
    #[must_use]
    pub fn files(&self, layout: &Layout<'_>) -> Vec<(String, String)> {
        let files = self.input.files.iter();
        files
            .map(|(path, text)| (layout.expand(path), text.clone()))
            .collect()
    }

    /// Path and target of each symbolic link.
    #[must_use]
    pub fn links(&self, layout: &Layout<'_>) -> Vec<(String, String)> {
        let links = self.input.links.iter();
        links
            .map(|(path, target)| (layout.expand(path), layout.expand(target)))
            .collect()
    }

    /// Files and folders that exist and cannot be read.
    #[must_use]
    pub fn denied(&self, layout: &Layout<'_>) -> Vec<String> {
        expand_all(&self.input.denied, layout)
    }

    /// The `--cdp` URLs.
    #[must_use]
    pub fn cdp(&self, layout: &Layout<'_>) -> Vec<String> {
        expand_all(&self.input.cdp, layout)
    }

    /// What a scan for installed browsers sees besides files and links.
    #[must_use]
    pub fn machine(&self, layout: &Layout<'_>) -> Machine {
        let machine = &self.input.machine;
        let bundles = machine.bundles.iter();
        Machine {
            which: expand_values(&machine.which, layout),
            registry: expand_values(&machine.registry, layout),
            packages: machine.packages.clone(),
            bundles: bundles
                .map(|(path, bundle)| (layout.expand(path), bundle.clone()))
                .collect(),
        }
    }

    /// The processes; the scanning one gets `self_pid`. Without a command line, it is the arguments
    /// joined by spaces, as `ps` prints them.
    #[must_use]
    pub fn commands(&self, layout: &Layout<'_>, self_pid: u32) -> Vec<FakeProcess> {
        let fake = |process: &FakeProcess| {
            let argv = expand_all(&process.argv, layout);
            FakeProcess {
                pid: if process.is_self {
                    self_pid
                } else {
                    process.pid
                },
                is_self: process.is_self,
                command: match process.command.as_str() {
                    "" => argv.join(" "),
                    command => layout.expand(command),
                },
                argv,
            }
        };
        self.input.processes.iter().map(fake).collect()
    }

    /// The processes as `ps -ax -o pid= -o command=` prints them.
    #[must_use]
    pub fn ps_output(&self, layout: &Layout<'_>, self_pid: u32) -> String {
        let lines = self.commands(layout, self_pid).into_iter();
        lines
            .map(|process| format!("{:>7} {}\n", process.pid, process.command))
            .collect()
    }

    /// The processes as the PowerShell command of the catalog prints them, after one without a command
    /// line, as Windows has them.
    #[must_use]
    pub fn cim_output(&self, layout: &Layout<'_>, self_pid: u32) -> String {
        let commands = self.commands(layout, self_pid);
        let system = CimRow {
            process_id: 4,
            command_line: None,
        };
        let rows = commands.iter().map(|process| CimRow {
            process_id: process.pid,
            command_line: Some(&process.command),
        });
        let rows: Vec<CimRow<'_>> = std::iter::once(system).chain(rows).collect();
        serde_json::to_string(&rows).unwrap_or_default()
    }

    /// The report.
    #[must_use]
    pub fn expected(&self, layout: &Layout<'_>) -> Value {
        expand_json(&self.expected, layout)
    }
}

fn expand_all(texts: &[String], layout: &Layout<'_>) -> Vec<String> {
    texts.iter().map(|text| layout.expand(text)).collect()
}

fn expand_values(map: &BTreeMap<String, String>, layout: &Layout<'_>) -> BTreeMap<String, String> {
    map.iter()
        .map(|(key, text)| (key.clone(), layout.expand(text)))
        .collect()
}

fn expand_json(value: &Value, layout: &Layout<'_>) -> Value {
    match value {
        Value::String(text) => Value::String(layout.expand(text)),
        Value::Array(items) => items.iter().map(|item| expand_json(item, layout)).collect(),
        Value::Object(fields) => {
            let fields = fields.iter();
            fields
                .map(|(key, field)| (key.clone(), expand_json(field, layout)))
                .collect()
        }
        plain => plain.clone(),
    }
}
