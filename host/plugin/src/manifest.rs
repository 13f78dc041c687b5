//! `sr-plugin.json`: what a package says about itself.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use sr_policy::capability::Capability;
use sr_policy::json::{self, JsonRules};
use sr_policy::url::Scheme;
use sr_policy::{CheckedUrl, UntrustedText};

use crate::escape::{closest, escaped};
use crate::manifest_error::ManifestError;
use crate::name::PluginName;
use crate::path::PackagePath;
use crate::world::World;

/// The manifest's file name in messages and in the package.
pub(crate) const FILE: &str = "sr-plugin.json";

const RULES: JsonRules = JsonRules {
    max_bytes: 64 * 1024,
    max_depth: 8,
};
const KEYS: &[&str] = &[
    "name",
    "version",
    "description",
    "world",
    "component",
    "domains",
    "posts",
    "capabilities",
    "sitedata",
    "access",
];
const SITEDATA_KEYS: &[&str] = &["path", "update_url"];
pub(crate) const LONGEST_VERSION: usize = 64;
pub(crate) const LONGEST_DESCRIPTION: usize = 500;
/// Domains, posts: a longer list is a mistake, and each entry costs at every request.
pub(crate) const MOST_ENTRIES: usize = 200;

/// How freely the vault may be used on this site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccessClass {
    /// Shown to the person.
    Green,
    /// Shown to the person.
    Yellow,
    /// The vault is never used here. Also when the manifest says nothing.
    #[default]
    Red,
}

/// Where the calibration document lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitedataSource {
    /// The bundled document.
    pub path: PackagePath,
    /// Where a newer one is published; https.
    pub update_url: Option<CheckedUrl>,
}

/// A parsed manifest. Domains and posts are as written; [`crate::judge`] says which are legal.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// The site, the command word and the folder's name.
    pub name: PluginName,
    /// The plugin's own version; `[0-9A-Za-z.+-]`, at most 64 characters.
    pub version: String,
    /// One or two sentences, at most 500 characters.
    pub description: UntrustedText,
    /// What the component was built for.
    pub world: World,
    /// The component.
    pub component: PackagePath,
    /// Hosts it wants to reach.
    pub domains: Vec<String>,
    /// URLs a read command may POST to.
    pub posts: Vec<String>,
    /// What it wants to import.
    pub capabilities: Vec<Capability>,
    /// Its calibration document.
    pub sitedata: Option<SitedataSource>,
    /// How freely the vault may be used.
    pub access: AccessClass,
}

#[derive(Deserialize)]
struct Raw {
    name: Option<String>,
    version: Option<String>,
    #[serde(default)]
    description: String,
    world: Option<String>,
    component: Option<String>,
    #[serde(default)]
    domains: Vec<String>,
    #[serde(default)]
    posts: Vec<String>,
    #[serde(default)]
    capabilities: Vec<Capability>,
    sitedata: Option<RawSitedata>,
    #[serde(default)]
    access: AccessClass,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "sitedata: a path, or {\"path\": .., \"update_url\": ..}"
)]
enum RawSitedata {
    Path(String),
    Full(BTreeMap<String, String>),
}

impl Manifest {
    /// Parses a manifest. Illegal domains do not fail here, see [`crate::judge`].
    ///
    /// # Errors
    /// What is wrong, at which key, and what to write.
    pub fn parse(bytes: &[u8]) -> Result<Self, ManifestError> {
        let keys: BTreeMap<String, IgnoredAny> = json::parse(FILE, bytes, &RULES)?;
        check_keys(keys.keys(), KEYS)?;
        // The first pass has refused duplicate keys at every depth.
        let raw: Raw = json::parse_unique(FILE, bytes, &RULES)?;
        let manifest = Self {
            name: needed("name", raw.name)?.parse()?,
            version: version(needed("version", raw.version)?)?,
            description: description(raw.description)?,
            world: needed("world", raw.world)?.parse()?,
            component: path("component", &needed("component", raw.component)?)?,
            domains: entries("domains", raw.domains)?,
            posts: entries("posts", raw.posts)?,
            capabilities: capabilities(raw.capabilities)?,
            sitedata: raw.sitedata.map(sitedata).transpose()?,
            access: raw.access,
        };
        if !manifest.posts.is_empty() && !manifest.capabilities.contains(&Capability::Posts) {
            return Err(ManifestError::PostsNotAsked);
        }
        Ok(manifest)
    }
}

fn check_keys<'a>(
    found: impl Iterator<Item = &'a String>,
    known: &[&'static str],
) -> Result<(), ManifestError> {
    for key in found {
        if !known.contains(&key.as_str()) {
            return Err(ManifestError::UnknownKey {
                key: escaped(key),
                meant: closest(key, known),
            });
        }
    }
    Ok(())
}

fn needed(key: &'static str, value: Option<String>) -> Result<String, ManifestError> {
    value.ok_or(ManifestError::MissingKey(key))
}

fn version(text: String) -> Result<String, ManifestError> {
    let shape = (1..=LONGEST_VERSION).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-'));
    if shape {
        Ok(text)
    } else {
        Err(ManifestError::Version(escaped(&text)))
    }
}

fn description(text: String) -> Result<UntrustedText, ManifestError> {
    match text.chars().count() {
        0..=LONGEST_DESCRIPTION => Ok(UntrustedText::from(text)),
        longer => Err(ManifestError::Description(longer)),
    }
}

fn path(key: &'static str, text: &str) -> Result<PackagePath, ManifestError> {
    text.parse()
        .map_err(|error| ManifestError::Path { key, error })
}

fn entries(key: &'static str, list: Vec<String>) -> Result<Vec<String>, ManifestError> {
    if list.len() > MOST_ENTRIES {
        return Err(ManifestError::TooMany {
            key,
            count: list.len(),
        });
    }
    let mut seen = std::collections::BTreeSet::new();
    match list.iter().find(|entry| !seen.insert(entry.as_str())) {
        Some(entry) => Err(ManifestError::Repeated {
            key,
            entry: escaped(entry),
        }),
        None => Ok(list),
    }
}

fn capabilities(list: Vec<Capability>) -> Result<Vec<Capability>, ManifestError> {
    for (place, capability) in list.iter().enumerate() {
        if list.iter().skip(place + 1).any(|other| other == capability) {
            return Err(ManifestError::Repeated {
                key: "capabilities",
                entry: format!("{capability:?}"),
            });
        }
    }
    Ok(list)
}

fn sitedata(raw: RawSitedata) -> Result<SitedataSource, ManifestError> {
    let (bundled, update_url) = match raw {
        RawSitedata::Path(bundled) => (bundled, None),
        RawSitedata::Full(mut keys) => {
            check_keys(keys.keys(), SITEDATA_KEYS)?;
            let bundled = keys
                .remove("path")
                .ok_or(ManifestError::MissingKey("sitedata.path"))?;
            (bundled, keys.remove("update_url"))
        }
    };
    Ok(SitedataSource {
        path: path("sitedata", &bundled)?,
        update_url: update_url.map(|url| checked_update_url(&url)).transpose()?,
    })
}

fn checked_update_url(text: &str) -> Result<CheckedUrl, ManifestError> {
    let refused = |reason: String| ManifestError::UpdateUrl {
        url: escaped(text),
        reason,
    };
    let url = CheckedUrl::parse(text).map_err(|error| refused(error.to_string()))?;
    match url.scheme() {
        Scheme::Https => Ok(url),
        Scheme::Http => Err(refused("the scheme is http".to_owned())),
    }
}
