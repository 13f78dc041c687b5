//! `catalog.json` as types, and how a program reads it.

mod browser;
mod discovery;
mod launch;
mod platforms;
mod profiles;
mod protected_origins;
mod rank;
mod seven;

pub use browser::{App, Browser, Electron, Linux, MacOs, Windows};
pub use discovery::{Discovery, Names, Process};
pub use launch::{ElectronLaunch, Launch};
pub use platforms::{LinuxPlatform, Location, MacOsPlatform, Platforms, Registry, WindowsPlatform};
pub use profiles::{Profiles, Six, SixRoot, SixRoots};
pub use protected_origins::{ErrorPageRule, ProtectedOrigins};
pub use rank::{Rank, Tiers};
pub use seven::{DiscardException, Pref, Seven};

use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A catalog, schema 1. Reads every published catalog of that schema: what an older one lacks is empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Catalog {
    /// Version of the form, [`crate::SCHEMA`].
    pub schema: u32,
    /// Lowest Chromium major that is listed.
    pub min_chromium_major: u32,
    /// Known Chromium browsers; the order is the rank.
    pub browsers: Vec<Browser>,
    /// Known Electron apps.
    pub electron: Electron,
    /// Tiers of the list.
    pub rank: Rank,
    /// How running browsers are found and named.
    pub discovery: Discovery,
    /// What makes a tab a seven tab, and what a browser gets that is started for seven.
    pub seven: Seven,
    /// What browser control must not reach.
    pub protected_origins: ProtectedOrigins,
    /// Where profiles lie.
    pub profiles: Profiles,
    /// Arguments that start a browser.
    pub launch: Launch,
    /// Directories and registry keys of each system.
    pub platforms: Platforms,
}

/// Why a text is no catalog.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// No JSON, or a field is missing or of another type.
    #[error("not a catalog: {0}")]
    Json(#[from] serde_json::Error),
    /// Another version of the form: its fields may mean something else.
    #[error(
        "schema of the catalog: {found}; this program reads schema {}",
        crate::SCHEMA
    )]
    Schema {
        /// What the text says.
        found: u64,
    },
}

/// Read before anything else, because another schema may lack any other field.
#[derive(Deserialize)]
struct Header {
    schema: u64,
}

impl Catalog {
    /// Reads a catalog.
    ///
    /// # Errors
    /// [`CatalogError::Schema`] for a schema other than 1, [`CatalogError::Json`] for all else.
    pub fn parse(text: &str) -> Result<Catalog, CatalogError> {
        let Header { schema } = serde_json::from_str(text)?;
        if schema != u64::from(crate::SCHEMA) {
            return Err(CatalogError::Schema { found: schema });
        }
        Ok(serde_json::from_str(text)?)
    }

    /// The browser with this id.
    #[must_use]
    pub fn browser(&self, id: &str) -> Option<&Browser> {
        self.browsers.iter().find(|browser| browser.id == id)
    }

    /// Place of a browser in the rank; the number of browsers for an unknown id, which sorts last.
    #[must_use]
    pub fn priority(&self, id: &str) -> usize {
        let known = self.browsers.iter().position(|browser| browser.id == id);
        known.unwrap_or(self.browsers.len())
    }
}

/// The catalog of this crate. It is parsed once; each call copies it, so keep what you get, or use
/// [`shared_catalog()`].
#[must_use]
pub fn catalog() -> Catalog {
    shared_catalog().clone()
}

/// The catalog of this crate, parsed at the first call. A test parses its text, so this is never the
/// default.
#[must_use]
pub fn shared_catalog() -> &'static Catalog {
    static CATALOG: LazyLock<Catalog> =
        LazyLock::new(|| Catalog::parse(crate::CATALOG).unwrap_or_default());
    &CATALOG
}
