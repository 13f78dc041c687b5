//! The bundled calibration document: URLs, selectors, labels and limits, data only.

use serde_json::Value;
use sr_policy::json::{self, Examined, JsonRules};

use crate::escape::escaped;
use crate::sitedata_check::Check;
use crate::sitedata_error::{SitedataError, SitedataFault, SitedataFaults};

const RULES: JsonRules = JsonRules {
    max_bytes: 1024 * 1024,
    max_depth: 32,
};
const LONGEST_POINTER: usize = 256;

/// A parsed sitedata document.
#[derive(Debug, Clone, PartialEq)]
pub struct Sitedata {
    version: String,
    domains: Vec<String>,
    document: Value,
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

/// A document looked at as a whole.
#[derive(Debug, Clone)]
pub struct ExaminedSitedata {
    /// What reads of it; with faults it is for looking at, not for use.
    pub sitedata: Option<Sitedata>,
    /// Every fault.
    pub faults: Vec<SitedataFault>,
    /// The document it was read from.
    pub json: Examined,
}

/// What a pointer without escapes leads to through objects; none for the other pointers. It asks for
/// no memory, and most pointers are such.
fn plain<'v>(document: &'v Value, pointer: &str) -> Option<Option<&'v Value>> {
    let rest = pointer.strip_prefix('/')?;
    if pointer.contains('~') {
        return None;
    }
    let mut at = document;
    for key in rest.split('/') {
        match at.as_object()?.get(key) {
            Some(value) => at = value,
            None => return Some(None),
        }
    }
    Some(Some(at))
}

impl Sitedata {
    /// Parses a document; `file` is its name for messages.
    ///
    /// # Errors
    /// Text that is not strict JSON, is over 1 MiB, or has no `version` text of 1 to 64
    /// characters; a `domains`, `commands` or `selectors` of the wrong kind. Every fault is named.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, SitedataFaults> {
        let examined = json::examine(file, bytes, &RULES);
        let (read, faults) = keys(file, &examined);
        match (read, examined.value) {
            (Some((version, domains)), Some(document)) if faults.is_empty() => Ok(Self {
                version,
                domains,
                document,
            }),
            _ => Err(SitedataFaults(faults)),
        }
    }

    /// Reads a document and goes on after each fault.
    #[must_use]
    pub fn examine(file: &str, bytes: &[u8]) -> ExaminedSitedata {
        let examined = json::examine(file, bytes, &RULES);
        let (read, faults) = keys(file, &examined);
        let sitedata = read
            .zip(examined.value.clone())
            .map(|((version, domains), document)| Self {
                version,
                domains,
                document,
            });
        ExaminedSitedata {
            sitedata,
            faults,
            json: examined,
        }
    }

    /// The whole document.
    #[must_use]
    pub fn document(&self) -> &Value {
        &self.document
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
        Ok(plain(&self.document, pointer).unwrap_or_else(|| self.document.pointer(pointer)))
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

/// Version and domains of a document that is an object, and every fault.
fn keys(file: &str, examined: &Examined) -> (Option<(String, Vec<String>)>, Vec<SitedataFault>) {
    let mut check = Check::new(file, examined);
    let read = match &examined.value {
        None => None,
        Some(Value::Object(object)) => {
            let version = check.version(object);
            let domains = check.domains(object);
            check.commands(object);
            Some((version, domains))
        }
        Some(_) => {
            check.fault("", SitedataError::NotAnObject);
            None
        }
    };
    (read, check.faults)
}
