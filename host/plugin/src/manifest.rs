//! `sr-plugin.json`: what a package says about itself.

use serde::{Deserialize, Serialize};
use sr_policy::capability::Capability;
use sr_policy::json::{self, Examined, JsonRules};
use sr_policy::url::Scheme;
use sr_policy::{CheckedUrl, UntrustedText};

use crate::escape::{closest, escaped};
use crate::manifest_error::{ManifestError, ManifestFault, ManifestFaults};
use crate::manifest_reader::{Reader, kind};
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
pub(crate) const ACCESS_CLASSES: &[&str] = &["green", "yellow", "red"];
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

/// A manifest looked at as a whole: the parts that are good, and every fault of the others.
#[derive(Debug, Clone, Default)]
pub struct ManifestParts {
    /// See [`Manifest::name`].
    pub name: Option<PluginName>,
    /// See [`Manifest::version`].
    pub version: Option<String>,
    /// See [`Manifest::description`].
    pub description: UntrustedText,
    /// See [`Manifest::world`].
    pub world: Option<World>,
    /// See [`Manifest::component`].
    pub component: Option<PackagePath>,
    /// See [`Manifest::domains`].
    pub domains: Vec<String>,
    /// See [`Manifest::posts`].
    pub posts: Vec<String>,
    /// See [`Manifest::capabilities`].
    pub capabilities: Vec<Capability>,
    /// See [`Manifest::sitedata`].
    pub sitedata: Option<SitedataSource>,
    /// See [`Manifest::access`].
    pub access: AccessClass,
    /// Every fault, in the order of the keys above.
    pub faults: Vec<ManifestFault>,
    /// The document they were read from.
    pub json: Examined,
}

impl Manifest {
    /// Parses a manifest. Illegal domains do not fail here, see [`crate::judge`].
    ///
    /// # Errors
    /// Every fault: what is wrong, at which key, and what to write.
    pub fn parse(bytes: &[u8]) -> Result<Self, ManifestFaults> {
        let parts = ManifestParts::examine(bytes);
        match (
            parts.faults.is_empty(),
            parts.name,
            parts.version,
            parts.world,
            parts.component,
        ) {
            (true, Some(name), Some(version), Some(world), Some(component)) => Ok(Self {
                name,
                version,
                description: parts.description,
                world,
                component,
                domains: parts.domains,
                posts: parts.posts,
                capabilities: parts.capabilities,
                sitedata: parts.sitedata,
                access: parts.access,
            }),
            _ => Err(ManifestFaults(parts.faults)),
        }
    }
}

impl ManifestParts {
    /// Reads a manifest and goes on after each fault.
    #[must_use]
    pub fn examine(bytes: &[u8]) -> Self {
        let examined = json::examine(FILE, bytes, &RULES);
        let mut reader = Reader::new(&examined);
        let Some(document) = &examined.value else {
            return Self {
                faults: reader.faults,
                json: examined,
                ..Self::default()
            };
        };
        let Some(object) = document.as_object() else {
            reader.fault("", ManifestError::NotAnObject(kind(document)));
            return Self {
                faults: reader.faults,
                json: examined,
                ..Self::default()
            };
        };
        reader.known_keys("", object, KEYS);
        let read = &mut reader;
        let mut parts = Self {
            name: read.needed(object, "name", |text| Ok(text.parse()?)),
            version: read.needed(object, "version", version),
            description: read
                .optional(object, "description", description)
                .unwrap_or_default(),
            world: read.needed(object, "world", |text| Ok(text.parse()?)),
            component: read.needed(object, "component", |text| path("component", text)),
            domains: read.entries(object, "domains"),
            posts: read.entries(object, "posts"),
            capabilities: read.capabilities(object),
            sitedata: read.sitedata(object),
            access: read.optional(object, "access", access).unwrap_or_default(),
            faults: Vec::new(),
            json: Examined::default(),
        };
        if !parts.posts.is_empty() && !parts.capabilities.contains(&Capability::Posts) {
            reader.fault("/posts", ManifestError::PostsNotAsked);
        }
        parts.faults = reader.faults;
        parts.json = examined;
        parts
    }
}

fn version(text: &str) -> Result<String, ManifestError> {
    let shape = (1..=LONGEST_VERSION).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-'));
    if shape {
        Ok(text.to_owned())
    } else {
        Err(ManifestError::Version(escaped(text)))
    }
}

fn description(text: &str) -> Result<UntrustedText, ManifestError> {
    match text.chars().count() {
        0..=LONGEST_DESCRIPTION => Ok(UntrustedText::from(text)),
        longer => Err(ManifestError::Description(longer)),
    }
}

fn access(text: &str) -> Result<AccessClass, ManifestError> {
    match text {
        "green" => Ok(AccessClass::Green),
        "yellow" => Ok(AccessClass::Yellow),
        "red" => Ok(AccessClass::Red),
        other => Err(ManifestError::Access {
            word: escaped(other),
            meant: closest(other, ACCESS_CLASSES),
        }),
    }
}

pub(crate) fn path(key: &'static str, text: &str) -> Result<PackagePath, ManifestError> {
    if text.split('/').next() == Some(FILE) {
        let path = escaped(text);
        return Err(ManifestError::ManifestPath { key, path });
    }
    text.parse()
        .map_err(|error| ManifestError::Path { key, error })
}

pub(crate) fn checked_update_url(text: &str) -> Result<CheckedUrl, ManifestError> {
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
