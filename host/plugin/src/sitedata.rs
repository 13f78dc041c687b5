//! The bundled calibration document: URLs, selectors, labels and limits, data only.

use serde_json::{Map, Value};
use sr_policy::json::{self, JsonError, JsonRules};

use crate::escape::escaped;

const RULES: JsonRules = JsonRules {
    max_bytes: 1024 * 1024,
    max_depth: 32,
};
const LONGEST_VERSION: usize = 64;
const LONGEST_POINTER: usize = 256;
const MOST_DOMAINS: usize = 200;

/// A parsed sitedata document.
#[derive(Debug, Clone, PartialEq)]
pub struct Sitedata {
    version: String,
    domains: Vec<String>,
    document: Value,
}

/// Why a document is refused.
#[derive(Debug, thiserror::Error)]
pub enum SitedataError {
    /// Not JSON under the one rule.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// Something else than an object.
    #[error("{file}: a sitedata document is an object")]
    NotAnObject {
        /// The file.
        file: String,
    },
    /// A key of the wrong kind.
    #[error("{file}: {key} must be {kind}")]
    Kind {
        /// The file.
        file: String,
        /// Which key.
        key: String,
        /// What it must be.
        kind: &'static str,
    },
    /// Too many domains.
    #[error("{file}: domains: at most {MOST_DOMAINS} entries, found: {count}")]
    TooManyDomains {
        /// The file.
        file: String,
        /// How many.
        count: usize,
    },
}

/// Why a text is not a JSON pointer (RFC 6901).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PointerError {
    /// Over 256 bytes.
    #[error("a pointer has at most {LONGEST_POINTER} bytes, found: {0}")]
    TooLong(usize),
    /// Neither empty nor starting with a slash.
    #[error("a pointer is empty or starts with /: \"{0}\"")]
    Start(String),
    /// A tilde that is not `~0` or `~1`.
    #[error("in a pointer ~ is written ~0 and / inside a key ~1: \"{0}\"")]
    Tilde(String),
}

impl Sitedata {
    /// Parses a document; `file` is its name for messages.
    ///
    /// # Errors
    /// Text that is not strict JSON, is over 1 MiB, or has no `version` text of 1 to 64
    /// characters; a `domains`, `commands` or `selectors` of the wrong kind.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, SitedataError> {
        let document: Value = json::parse(file, bytes, &RULES)?;
        let Some(object) = document.as_object() else {
            return Err(SitedataError::NotAnObject {
                file: escaped(file),
            });
        };
        let check = Check { file };
        let version = check.version(object)?;
        let domains = check.domains(object)?;
        check.commands(object)?;
        Ok(Self {
            version,
            domains,
            document,
        })
    }

    /// The document's version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The hosts it names, as written; [`crate::judge`] says which are legal.
    #[must_use]
    pub fn domains(&self) -> &[String] {
        &self.domains
    }

    /// The value at a JSON pointer (RFC 6901).
    ///
    /// # Errors
    /// The text is no pointer.
    pub fn get(&self, pointer: &str) -> Result<Option<&Value>, PointerError> {
        if pointer.len() > LONGEST_POINTER {
            return Err(PointerError::TooLong(pointer.len()));
        }
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return Err(PointerError::Start(escaped(pointer)));
        }
        if pointer
            .split('~')
            .skip(1)
            .any(|rest| !rest.starts_with(['0', '1']))
        {
            return Err(PointerError::Tilde(escaped(pointer)));
        }
        Ok(self.document.pointer(pointer))
    }

    /// The selectors of a command (`commands.<command>.selectors`), key and CSS, in key order.
    pub fn selectors(&self, command: &str) -> impl Iterator<Item = (&str, &str)> {
        self.document
            .get("commands")
            .and_then(|commands| commands.get(command)?.get("selectors")?.as_object())
            .into_iter()
            .flatten()
            .filter_map(|(key, css)| Some((key.as_str(), css.as_str()?)))
    }
}

struct Check<'a> {
    file: &'a str,
}

impl Check<'_> {
    fn version(&self, object: &Map<String, Value>) -> Result<String, SitedataError> {
        object
            .get("version")
            .and_then(Value::as_str)
            .filter(|text| (1..=LONGEST_VERSION).contains(&text.len()))
            .map(str::to_owned)
            .ok_or_else(|| self.kind("version".to_owned(), "a text of 1 to 64 bytes"))
    }

    fn domains(&self, object: &Map<String, Value>) -> Result<Vec<String>, SitedataError> {
        let kind = || self.kind("domains".to_owned(), "a list of texts");
        let Some(list) = object.get("domains") else {
            return Ok(Vec::new());
        };
        let list = list.as_array().ok_or_else(kind)?;
        if list.len() > MOST_DOMAINS {
            return Err(SitedataError::TooManyDomains {
                file: escaped(self.file),
                count: list.len(),
            });
        }
        list.iter()
            .map(|entry| entry.as_str().map(str::to_owned).ok_or_else(kind))
            .collect()
    }

    fn commands(&self, object: &Map<String, Value>) -> Result<(), SitedataError> {
        let Some(commands) = object.get("commands") else {
            return Ok(());
        };
        let commands = commands
            .as_object()
            .ok_or_else(|| self.kind("commands".to_owned(), "an object"))?;
        for (name, command) in commands {
            let place = |rest: &str| format!("commands.{}{rest}", escaped(name));
            let command = command
                .as_object()
                .ok_or_else(|| self.kind(place(""), "an object"))?;
            let Some(selectors) = command.get("selectors") else {
                continue;
            };
            let texts = selectors
                .as_object()
                .is_some_and(|map| map.values().all(Value::is_string));
            if !texts {
                return Err(self.kind(place(".selectors"), "an object of texts"));
            }
        }
        Ok(())
    }

    fn kind(&self, key: String, kind: &'static str) -> SitedataError {
        SitedataError::Kind {
            file: escaped(self.file),
            key,
            kind,
        }
    }
}
