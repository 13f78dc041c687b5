//! The questions and the answers. A question changes nothing and can be asked twice; all questions
//! of a round can be asked at once.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// `http` or `https`, host and port of a debugging endpoint. The host is lower case; `localhost`
/// and `::1` are `127.0.0.1`; an IPv6 address stands in brackets.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Address {
    /// `http` or `https`.
    pub scheme: String,
    /// Name or address.
    pub host: String,
    /// 1 to 65535.
    pub port: u16,
}

impl Address {
    /// A port of this machine.
    #[must_use]
    pub fn local(port: u16) -> Self {
        Self {
            scheme: "http".to_owned(),
            host: "127.0.0.1".to_owned(),
            port,
        }
    }

    /// Host and port: what makes two finds one endpoint.
    pub(crate) fn key(&self) -> (&str, u16) {
        (&self.host, self.port)
    }
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// The text of a small file: [`Answer::Text`], [`Answer::Absent`] or [`Answer::Denied`]. At
    /// most [`crate::FILE_BYTES`] are wanted; of a longer file the beginning.
    ReadText {
        /// Its path.
        path: String,
    },
    /// The folders in a folder, linked ones too: [`Answer::Names`], `Absent` or `Denied`.
    ListDirs {
        /// Its path.
        path: String,
    },
    /// A path without symbolic links: [`Answer::Path`], `Absent` or `Denied`.
    Canonical {
        /// The path.
        path: String,
    },
    /// Whether something is there: [`Answer::Path`] with the same path, `Absent` or `Denied`.
    Exists {
        /// The path.
        path: String,
    },
    /// A program on the search path: [`Answer::Path`] or `Absent`.
    Which {
        /// Its name.
        name: String,
    },
    /// The running processes: [`Answer::Ps`], [`Answer::Cim`], [`Answer::Argv`] or `Denied`.
    Processes,
    /// `GET /json/version`: [`Answer::Refused`], `Timeout`, `Open` or `Http`. No WebSocket is
    /// opened, no redirect followed, no proxy used.
    Version(Address),
    /// `GET /json/list`: as [`Ask::Version`].
    List(Address),
    /// The names of the keys below a registry key: `Names`, `Absent` or `Denied`.
    RegistryKeys {
        /// The key, from its hive on.
        key: String,
    },
    /// The default value of a registry key: `Text`, `Absent` or `Denied`.
    RegistryValue {
        /// The key, from its hive on.
        key: String,
    },
    /// The version of a package of the system: `Text` or `Absent`.
    PackageVersion {
        /// The kind of package: `deb`.
        kind: String,
        /// Its name.
        name: String,
    },
    /// The application bundles of a macOS machine: [`Answer::Bundles`] or `Denied`.
    Bundles,
}

/// A process with its arguments apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArgvProcess {
    /// Its number.
    pub pid: u32,
    /// Program and arguments.
    pub argv: Vec<String>,
}

/// What a macOS application says of itself in its `Info.plist`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Bundle {
    /// Where it is.
    pub path: String,
    /// `CFBundleIdentifier`.
    pub id: String,
    /// Its name, without `.app`.
    pub name: String,
    /// `CFBundleShortVersionString`.
    #[serde(default)]
    pub version: Option<String>,
    /// `CFBundleExecutable`.
    pub executable: String,
    /// Whether it holds the Electron framework.
    #[serde(default)]
    pub electron: bool,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Answer {
    /// There is no such thing.
    Absent,
    /// It is there, or may be, and the system does not let it be looked at.
    Denied,
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// Names, in any order.
    Names {
        /// The names.
        names: Vec<String>,
    },
    /// A path.
    Path {
        /// The path.
        path: String,
    },
    /// What `ps -ax -o pid= -o command=` prints.
    Ps {
        /// A line for each process: its number, then its command.
        text: String,
    },
    /// What a CIM query of `Win32_Process` gives: an array of objects with `ProcessId` and
    /// `CommandLine`, or one such object, as JSON text.
    Cim {
        /// The JSON text.
        text: String,
    },
    /// Processes with their arguments apart.
    Argv {
        /// The processes.
        processes: Vec<ArgvProcess>,
    },
    /// Nothing listens on the port.
    Refused,
    /// No connection came about in time.
    Timeout,
    /// A connection came about, and no HTTP answer: closed, silent, or another protocol.
    Open,
    /// An HTTP answer.
    Http {
        /// Its status.
        status: u16,
        /// Its body; at most [`crate::BODY_BYTES`] are wanted.
        #[serde(default)]
        body: String,
    },
    /// The bundles of a machine.
    Bundles {
        /// The bundles, in any order.
        bundles: Vec<Bundle>,
    },
}

/// What was asked and answered so far.
pub type Facts = BTreeMap<Ask, Answer>;
