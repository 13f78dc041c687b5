//! What a plugin can ask for, and which imported function needs which.

use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::failure::{Denial, codes};

/// Something a manifest asks for and a lock entry grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Capability {
    /// HTTP requests.
    #[serde(rename = "fetch")]
    Fetch,
    /// POST requests that only read.
    #[serde(rename = "posts")]
    Posts,
    /// The site's calibration data.
    #[serde(rename = "sitedata")]
    Sitedata,
    /// Pages in a browser.
    #[serde(rename = "browser")]
    Browser,
    /// Script in a page.
    #[serde(rename = "browser.eval")]
    BrowserEval,
    /// Requests with the browser's cookies.
    #[serde(rename = "browser.cookies")]
    BrowserCookies,
    /// Use of saved credentials.
    #[serde(rename = "vault")]
    Vault,
    /// Work on an errand file.
    #[serde(rename = "errand")]
    Errand,
}

/// One line of the capability table.
#[derive(Debug, Clone, Copy)]
pub struct CapabilityRow {
    /// The capability.
    pub capability: Capability,
    /// Its name in a manifest.
    pub name: &'static str,
    /// The interface of `sr:runtime`; empty when it opens no function of its own.
    pub interface: &'static str,
    /// Functions of the interface; an empty slice means all that no other line names.
    pub functions: &'static [&'static str],
    /// What the person who installs is told.
    pub says: &'static str,
}

/// Every capability. The manifest check, the linker, the docs and `install` read this table.
pub static TABLE: &[CapabilityRow] = &[
    row(
        Capability::Fetch,
        "fetch",
        "fetch",
        &[],
        "sends requests to its domains",
    ),
    row(
        Capability::Posts,
        "posts",
        "",
        &[],
        "sends the listed POST requests from read commands",
    ),
    row(
        Capability::Sitedata,
        "sitedata",
        "sitedata",
        &[],
        "reads the calibration data of its site",
    ),
    row(
        Capability::Browser,
        "browser",
        "browser",
        &[],
        "opens and drives pages of its domains",
    ),
    row(
        Capability::BrowserEval,
        "browser.eval",
        "browser",
        &["page.eval"],
        "runs its own script in pages of its domains",
    ),
    row(
        Capability::BrowserCookies,
        "browser.cookies",
        "browser",
        &["page.fetch"],
        "sends requests with the browser's cookies",
    ),
    row(
        Capability::Vault,
        "vault",
        "vault",
        &[],
        "uses saved credentials without seeing them",
    ),
    row(
        Capability::Errand,
        "errand",
        "errand",
        &[],
        "fills in pages from an approved errand file",
    ),
];

/// Interfaces that need no capability.
pub static FREE_INTERFACES: &[&str] = &["types", "log", "task"];

const fn row(
    capability: Capability,
    name: &'static str,
    interface: &'static str,
    functions: &'static [&'static str],
    says: &'static str,
) -> CapabilityRow {
    CapabilityRow {
        capability,
        name,
        interface,
        functions,
        says,
    }
}

/// The capability a function needs; `None` for `log`, `task` and `types`.
///
/// `interface` is its short name (`fetch`), `function` as a component imports it
/// (`send`, `[method]page.eval`). `None` for an interface that does not exist, too: whether it
/// exists is [`is_known_interface`].
#[must_use]
pub fn needed_for(interface: &str, function: &str) -> Option<Capability> {
    let function = function.rsplit(']').next().unwrap_or(function);
    let of_interface = || {
        TABLE
            .iter()
            .filter(|row| !interface.is_empty() && row.interface == interface)
    };
    of_interface()
        .find(|row| row.functions.contains(&function))
        .or_else(|| of_interface().find(|row| row.functions.is_empty()))
        .map(|row| row.capability)
}

/// Whether `sr:runtime` has an interface of this name, now or in a later version.
#[must_use]
pub fn is_known_interface(interface: &str) -> bool {
    FREE_INTERFACES.contains(&interface)
        || TABLE
            .iter()
            .any(|row| !row.interface.is_empty() && row.interface == interface)
}

impl Capability {
    /// Its name in a manifest.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fetch => "fetch",
            Self::Posts => "posts",
            Self::Sitedata => "sitedata",
            Self::Browser => "browser",
            Self::BrowserEval => "browser.eval",
            Self::BrowserCookies => "browser.cookies",
            Self::Vault => "vault",
            Self::Errand => "errand",
        }
    }

    /// What the person who installs is told.
    #[must_use]
    pub fn says(self) -> &'static str {
        TABLE
            .iter()
            .find(|row| row.capability == self)
            .map_or("", |row| row.says)
    }

    /// The denial for a call that needs this capability and does not have it.
    #[must_use]
    pub fn denial(self) -> Denial {
        let line = format!("\"capabilities\": [\"{self}\"]");
        Denial::new(
            codes::CAPABILITY_NOT_GRANTED,
            "capability",
            self.name(),
            Some(line),
        )
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// A word that is no capability.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a capability; there are {}: {word}", names())]
pub struct UnknownCapability {
    /// The word.
    pub word: String,
}

impl FromStr for Capability {
    type Err = UnknownCapability;
    fn from_str(word: &str) -> Result<Self, UnknownCapability> {
        TABLE
            .iter()
            .find(|row| row.name == word)
            .map(|row| row.capability)
            .ok_or_else(|| UnknownCapability {
                word: word.to_owned(),
            })
    }
}

/// The names of all capabilities, for messages.
#[must_use]
pub fn names() -> String {
    TABLE
        .iter()
        .map(|row| row.name)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The table as markdown, for the docs.
#[must_use]
pub fn markdown_capabilities() -> String {
    let mut text = String::from("| capability | opens | a plugin with it |\n|---|---|---|\n");
    for row in TABLE {
        let opens = match (row.interface, row.functions) {
            ("", _) => "nothing of its own".to_owned(),
            (interface, []) => format!("interface `{interface}`"),
            (interface, functions) => format!("`{interface}`: `{}`", functions.join("`, `")),
        };
        let _ = writeln!(text, "| `{}` | {opens} | {} |", row.name, row.says);
    }
    let _ = writeln!(
        text,
        "\nNo capability is needed for `{}`.",
        FREE_INTERFACES.join("`, `")
    );
    text
}
