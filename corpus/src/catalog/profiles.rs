//! Where profiles lie.

use crate::Location;
use serde::{Deserialize, Serialize};

/// Profiles of seven, and those of six.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Profiles {
    /// Below the config directory.
    pub root: Vec<String>,
    /// Below `~/snap/<snap>/common`.
    pub snap_root: Vec<String>,
    /// The former root below the config directory; never scanned.
    pub legacy_root: Vec<String>,
    /// Pattern of the names of six's profiles, in any case.
    pub six_profile_pattern: String,
    /// Pattern of a name that a profile may have.
    pub name_pattern: String,
    /// Profiles of six.
    pub six: Six,
}

/// Profiles of six.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Six {
    /// Their root on each system.
    pub roots: SixRoots,
    /// Name of the profile of the default port.
    pub default_name: String,
    /// Port six serves on unless told otherwise.
    pub default_port: u16,
    /// Added to the name for another port, `{port}` being the port.
    pub port_suffix: String,
    /// Variable that names a directory used for every port.
    pub user_data_dir_env: String,
}

/// Root of six's profiles on each system.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SixRoots {
    /// On macOS.
    pub macos: SixRoot,
    /// On Linux.
    pub linux: SixRoot,
    /// On Windows.
    pub windows: SixRoot,
}

/// A location and a path below it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SixRoot {
    /// Where it starts; its variable may have any value that is not empty, a relative path too.
    pub base: Location,
    /// Path below it.
    pub path: Vec<String>,
}
