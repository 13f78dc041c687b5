//! Directories and registry keys of each system.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The systems.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Platforms {
    /// macOS.
    pub macos: MacOsPlatform,
    /// Windows.
    pub windows: WindowsPlatform,
    /// Linux.
    pub linux: LinuxPlatform,
}

/// macOS.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MacOsPlatform {
    /// The config directory.
    pub config: Location,
}

/// Windows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WindowsPlatform {
    /// The config directory.
    pub config: Location,
    /// Directories by the names that browsers refer to.
    pub roots: BTreeMap<String, Location>,
    /// Where browsers register.
    pub registry: Registry,
}

/// Linux.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinuxPlatform {
    /// The config directory; its variable counts only with an absolute path.
    pub config: Location,
}

/// A directory: the value of `env` if it is set and not empty, else `absolute`, else `home`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Location {
    /// Environment variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<String>,
    /// Path below the home directory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub home: Vec<String>,
    /// Absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absolute: Option<String>,
}

/// Keys of the Windows registry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Registry {
    /// Hives, in the order to look.
    pub hives: Vec<String>,
    /// Keys whose subkeys are browsers.
    pub start_menu_internet: Vec<String>,
    /// Below such a subkey: the key whose default value is the command.
    pub open_command: String,
    /// Key whose subkeys are names of executables; their default value is the path.
    pub app_paths: String,
    /// Names to look up there.
    pub app_path_names: Vec<String>,
}
