//! Plugin names: the site, the command word and a folder name at once.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

use crate::escape::escaped;

/// Longest name, in characters.
const LONGEST: usize = 64;

/// Words a plugin may not take: commands of the program, now or planned, and names that some
/// file system gives a meaning of its own. Sorted.
pub const RESERVED_NAMES: &[&str] = &[
    "aux",
    "browser",
    "browsers",
    "completion",
    "con",
    "config",
    "daemon",
    "discover",
    "doctor",
    "errand",
    "fan-out",
    "guard",
    "handoff",
    "help",
    "home",
    "init",
    "inspect",
    "install",
    "journal",
    "launch",
    "list",
    "lock",
    "login",
    "logout",
    "nul",
    "pace",
    "plugin",
    "plugins",
    "prn",
    "protected",
    "replay",
    "run",
    "runs",
    "self",
    "session",
    "sessions",
    "settings",
    "signal",
    "site",
    "sitedata",
    "sites",
    "sr",
    "sr-runtime",
    "store",
    "task",
    "trace",
    "uninstall",
    "update",
    "upgrade",
    "validate",
    "vault",
    "verify",
    "version",
    "workspace",
];

/// A checked plugin name: `[a-z][a-z0-9-]{0,63}`, not reserved. Safe as one path component.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct PluginName(String);

/// Why a text is not a plugin name. Messages show it escaped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Empty.
    #[error("a plugin name cannot be empty; write a-z, 0-9 and -, starting with a letter")]
    Empty,
    /// Too long.
    #[error("a plugin name has at most {LONGEST} characters, found {length}: \"{name}\"")]
    TooLong {
        /// The name, escaped and cut.
        name: String,
        /// Its length in characters.
        length: usize,
    },
    /// Some other character, or a start that is no letter.
    #[error("not a plugin name; write a-z, 0-9 and -, starting with a letter: \"{name}\"")]
    Shape {
        /// The name, escaped.
        name: String,
    },
    /// A reserved word.
    #[error("this plugin name is reserved for a command or by a file system: \"{name}\"")]
    Reserved {
        /// The name.
        name: String,
    },
}

impl PluginName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PluginName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for PluginName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl FromStr for PluginName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let shown = || escaped(text);
        if text.is_empty() {
            return Err(NameError::Empty);
        }
        let length = text.chars().count();
        if length > LONGEST {
            return Err(NameError::TooLong {
                name: shown(),
                length,
            });
        }
        let shape = text.starts_with(|first: char| first.is_ascii_lowercase())
            && text
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        if !shape {
            return Err(NameError::Shape { name: shown() });
        }
        if is_reserved(text) {
            return Err(NameError::Reserved { name: shown() });
        }
        Ok(Self(text.to_owned()))
    }
}

fn is_reserved(text: &str) -> bool {
    let numbered_device = text
        .strip_prefix("com")
        .or_else(|| text.strip_prefix("lpt"))
        .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_digit()));
    numbered_device || RESERVED_NAMES.contains(&text)
}

impl<'de> Deserialize<'de> for PluginName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}
