//! Order of the list.

use serde::{Deserialize, Serialize};

/// How entries are ranked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rank {
    /// The tiers; a lower one comes first.
    pub tiers: Tiers,
    /// Id of the browser that has a tier of its own.
    pub chrome_id: String,
}

/// The tier of each kind of entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tiers {
    /// Running, with a seven tab.
    pub seven_open: u8,
    /// Running.
    pub endpoint: u8,
    /// Installed, and [`Rank::chrome_id`].
    pub chrome: u8,
    /// Any other installed Chromium browser.
    pub chromium: u8,
    /// Installed Electron app.
    pub electron: u8,
    /// Running in a profile of six: last, and never chosen without being asked for.
    pub six: u8,
}
