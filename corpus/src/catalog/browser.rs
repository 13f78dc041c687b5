//! Browsers and Electron apps: what they are called and where each system keeps them.

use serde::{Deserialize, Serialize};

/// One known Chromium browser.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Browser {
    /// Name in reports and on the command line, such as `chrome-beta`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Release channel: `stable`, `beta`, `dev`, `canary`, `nightly`, `snapshot` or `testing`.
    pub channel: String,
    /// `chromium`.
    pub engine: String,
    /// Whether its version is the version of Chromium, so that the lowest major applies to it.
    pub chromium_version: bool,
    /// On macOS.
    pub macos: MacOs,
    /// On Windows, if it exists there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub windows: Option<Windows>,
    /// On Linux, if it exists there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linux: Option<Linux>,
}

/// A browser on macOS.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MacOs {
    /// Bundle id.
    pub bundle_id: String,
    /// File name of the bundle.
    pub app: String,
    /// File name below `Contents/MacOS`.
    pub executable: String,
    /// Default user-data directory below the config directory; empty if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data_dir: Vec<String>,
}

/// A browser on Windows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Windows {
    /// Names of [`WindowsPlatform::roots`](crate::WindowsPlatform), in the order to look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roots: Vec<String>,
    /// Paths to try below each root.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub executables: Vec<Vec<String>>,
    /// Name of the root of the default user-data directory.
    pub data_root: String,
    /// Default user-data directory below that root.
    pub data_dir: Vec<String>,
    /// Names of its keys below `StartMenuInternet`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start_menu_internet: Vec<String>,
}

/// A browser on Linux.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Linux {
    /// Names on `PATH`, in the order to look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bins: Vec<String>,
    /// Names of `.desktop` files, without the suffix.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub desktop_ids: Vec<String>,
    /// Flatpak application id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flatpak: Option<String>,
    /// Name of the snap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snap: Option<String>,
    /// User-data directory below `~/snap/<snap>/common`; empty if the snap keeps none there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub snap_data_dir: Vec<String>,
    /// Default user-data directory below the config directory, also that of the flatpak.
    pub config_dir: Vec<String>,
    /// Names of Debian packages, for the version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub debs: Vec<String>,
}

/// What is known of Electron apps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Electron {
    /// Apps by bundle id.
    pub macos_apps: Vec<App>,
    /// Names of apps that refuse remote debugging; they are listed and never started.
    pub debug_blocked: Vec<String>,
    /// Start of their ids, before the slug of the name.
    pub id_prefix: String,
}

/// A known Electron app.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct App {
    /// Bundle id.
    pub bundle_id: String,
    /// Name for people.
    pub name: String,
}
