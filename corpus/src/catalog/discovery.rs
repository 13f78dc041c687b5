//! How running browsers are found and named.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Sources of endpoints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Discovery {
    /// File in a user-data directory that tells port and websocket path.
    pub active_port_file: String,
    /// Ports that a program may probe.
    pub probe_ports: Vec<u16>,
    /// Rank of each source; the lowest wins an endpoint that several found.
    pub source_rank: BTreeMap<String, u8>,
    /// Pattern whose first group is the Chromium major in a user agent.
    pub chrome_major_pattern: String,
    /// Names of endpoints.
    pub names: Names,
    /// The process scan.
    pub process: Process,
}

/// Names of endpoints that are not in the user-data directory of a known browser.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Names {
    /// Text in the user agent of an Electron app.
    pub electron_user_agent: String,
    /// Name of such an endpoint.
    pub electron: String,
    /// Names by product, the part of `Browser` before the slash.
    pub products: BTreeMap<String, String>,
    /// Name without a product.
    pub fallback: String,
}

/// How the process list is made and read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Process {
    /// Command that lists processes on macOS and Linux.
    pub unix: Vec<String>,
    /// Command that lists processes on Windows.
    pub windows: Vec<String>,
    /// Argument with the port.
    pub port_flag: String,
    /// Argument with the user-data directory.
    pub user_data_dir_flag: String,
    /// Quotes that may surround its value.
    #[serde(default)]
    pub value_quotes: Vec<String>,
    /// What ends a value without quotes, after white space.
    #[serde(default)]
    pub value_stop: String,
    /// Programs that only start or carry a browser's command line.
    pub wrappers: Vec<String>,
    /// Endings that do not belong to the name of a wrapper.
    pub wrapper_suffixes: Vec<String>,
}
