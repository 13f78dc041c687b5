//! Arguments that start a browser.

use serde::{Deserialize, Serialize};

/// Arguments that start a browser with remote debugging.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Launch {
    /// For a Chromium browser, `{profile}` being the profile directory.
    pub chromium_args: Vec<String>,
    /// Added for a browser without a window.
    pub headless: String,
    /// Switch before the joined disabled features.
    pub disable_features_flag: String,
    /// For an Electron app.
    pub electron: ElectronLaunch,
}

/// How an Electron app gets a port.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ElectronLaunch {
    /// The argument, `{port}` being the port.
    pub port_flag: String,
    /// First port to try.
    pub min_port: u16,
    /// Ports that are never taken.
    pub reserved_ports: Vec<u16>,
}
