//! `case.json` as types.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Not;

/// A fake machine. Texts may contain tokens, see [`Layout::expand`](super::Layout::expand).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Input {
    /// The rules it checks.
    pub description: String,
    /// Systems it runs on; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub os: Vec<String>,
    /// What a program must do to run it, the `NEED_*`.
    pub needs: Vec<String>,
    /// Environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Contents of files by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// `--cdp` URLs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cdp: Vec<String>,
    /// Extra seven origins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<String>,
    /// Ports to probe.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probe_ports: Vec<u16>,
    /// Process list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<FakeProcess>,
    /// Servers by `host:port`; every other port refuses.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub http: BTreeMap<String, Server>,
    /// Installed browsers that are given and only ranked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub installed: Vec<Value>,
    /// With need `six`: id of the first entry that is not six's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto: Option<String>,
    /// Targets of symbolic links by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub links: BTreeMap<String, String>,
    /// Files and folders that exist and cannot be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denied: Vec<String>,
    /// What a scan for installed browsers sees.
    #[serde(default, skip_serializing_if = "Machine::is_empty")]
    pub machine: Machine,
    /// Switches of the program.
    #[serde(default, skip_serializing_if = "Options::is_default")]
    pub options: Options,
}

/// A process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FakeProcess {
    /// Its number; 0 in `case.json` for the scanning process.
    #[serde(default)]
    pub pid: u32,
    /// Whether it is the scanning process.
    #[serde(default, rename = "self", skip_serializing_if = "Not::not")]
    pub is_self: bool,
    /// Command line in one text; empty if the case gives the arguments.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// Arguments one by one, the program first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<String>,
}

/// A server on a port. Without an `answer` it speaks HTTP: 200 with a body, else 404.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Server {
    /// Body of `/json/version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Value>,
    /// Body of `/json/list` and `/json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<Value>,
    /// What it does instead: `silent`, `garbage` and `close` after accepting, `timeout` before,
    /// `status` with every reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The status of every reply, with `answer` being `status`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

/// What a scan for installed browsers sees besides files and links.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// Absolute path of each program on `PATH`, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub which: BTreeMap<String, String>,
    /// Default value of each registry key, by path from the hive; parents are implied.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub registry: BTreeMap<String, String>,
    /// Version of each package, by `kind:name`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub packages: BTreeMap<String, String>,
    /// Bundles by path.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub bundles: BTreeMap<String, Bundle>,
}

impl Machine {
    /// Whether nothing is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Machine::default()
    }
}

/// A macOS bundle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bundle {
    /// `CFBundleIdentifier`.
    pub id: String,
    /// `CFBundleName`.
    pub name: String,
    /// `CFBundleShortVersionString`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// `CFBundleExecutable`.
    pub executable: String,
    /// Whether it contains the Electron framework.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub electron: bool,
}

/// Switches of the program under test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Options {
    /// What a seven tab tells: `origin` (also when absent) or `raw`, its whole URL and title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seven_tabs: Option<String>,
    /// Whether processes come as arguments instead of one text.
    #[serde(skip_serializing_if = "Not::not")]
    pub argv: bool,
}

impl Options {
    /// Whether every switch has its default.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Options::default()
    }
}
