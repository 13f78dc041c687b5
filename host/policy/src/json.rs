//! Reading JSON documents: one strict rule for manifests, sitedata, locks and recordings.
//!
//! RFC 8259, and what it leaves open decided: UTF-8 without a byte order mark, no key twice in
//! one object, no number that would not be kept exactly, bounded size and nesting.

use std::fmt;

use serde::de::{Deserialize, DeserializeOwned};

use crate::json_place;
use crate::json_scan;
use crate::limits;
pub use crate::unique_map::UniqueMap;
use crate::untrusted::UntrustedText;

/// Bounds of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonRules {
    /// Bytes of the document.
    pub max_bytes: usize,
    /// Objects and arrays inside each other; at most 120.
    pub max_depth: usize,
}

impl JsonRules {
    /// Rules with this size and the usual nesting of [`limits::JSON_DEPTH`].
    #[must_use]
    pub const fn up_to(max_bytes: usize) -> Self {
        Self {
            max_bytes,
            max_depth: limits::JSON_DEPTH,
        }
    }
}

/// Why a document was refused, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// The file, as the caller named it.
    pub file: String,
    /// Line from 1; 0 when the fault has no place.
    pub line: usize,
    /// Character in the line from 1; 0 when the fault has no place.
    pub column: usize,
    /// The rule it breaks.
    pub rule: JsonFault,
}

/// The rule a document breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonFault {
    /// Nothing but white space.
    #[error("the file is empty")]
    Empty,
    /// Too many bytes.
    #[error("the file is too large: {bytes} bytes, at most {most}")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// A byte order mark.
    #[error("the file starts with a byte order mark (BOM); save it as UTF-8 without BOM")]
    ByteOrderMark,
    /// Another encoding.
    #[error("not UTF-8{hint}")]
    NotUtf8 {
        /// What it looks like, or nothing.
        hint: &'static str,
    },
    /// Not JSON.
    #[error("not JSON: {0}")]
    Syntax(String),
    /// A key given twice in one object.
    #[error("duplicate key: {}", UntrustedText::from(.0.as_str()).one_line(80))]
    DuplicateKey(String),
    /// A number that would change.
    #[error("the number would not be kept exactly; write it as a string: {0}")]
    Number(String),
    /// Nested too deep.
    #[error("nested deeper than {0}")]
    Depth(usize),
    /// JSON, but not the document that is expected.
    #[error("{0}")]
    Shape(String),
}

impl fmt::Display for JsonError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.file)?;
        if self.line > 0 {
            write!(out, ": line {}, column {}", self.line, self.column)?;
        }
        write!(out, ": {}", self.rule)
    }
}

impl std::error::Error for JsonError {}

/// Reads a document by the whole rule.
///
/// # Errors
/// [`JsonError`] with `what` as its file, the place and the rule.
pub fn parse<T: DeserializeOwned>(
    what: &str,
    bytes: &[u8],
    rules: &JsonRules,
) -> Result<T, JsonError> {
    let text = decode(what, bytes, rules)?;
    if let Err((at, rule)) = json_scan::check(text, rules.max_depth) {
        return Err(located(what, text, at, rule));
    }
    shape(what, text)
}

/// Reads a document without looking at it first: for types made of structs and [`UniqueMap`]
/// alone, which refuse a key given twice by themselves. Nesting is bounded by the type.
///
/// # Errors
/// [`JsonError`], as [`parse`].
pub fn parse_unique<'b, T: Deserialize<'b>>(
    what: &str,
    bytes: &'b [u8],
    rules: &JsonRules,
) -> Result<T, JsonError> {
    shape(what, decode(what, bytes, rules)?)
}

/// A document looked at as a whole: every fault that can be told, and what still reads.
#[derive(Debug, Clone, Default)]
pub struct Examined {
    /// The faults in the order of the text; the document is good without any.
    pub faults: Vec<JsonError>,
    /// The document, of a key given twice the last value; none when the text does not read.
    pub value: Option<serde_json::Value>,
    text: String,
}

/// Faults of one document that are told: more would only hide the first ones.
const MOST_FAULTS: usize = 40;

/// Reads a document by the whole rule and does not stop at the first fault. For a linter, and for
/// messages that name all there is to mend.
#[must_use]
pub fn examine(what: &str, bytes: &[u8], rules: &JsonRules) -> Examined {
    let unreadable = |faults| Examined {
        faults,
        value: None,
        text: String::new(),
    };
    let (mut faults, rest) = match decode(what, bytes, rules) {
        Err(error) if error.rule == JsonFault::ByteOrderMark => {
            (vec![error], bytes.get(3..).unwrap_or_default())
        }
        Err(error) => return unreadable(vec![error]),
        Ok(_) => (vec![], bytes),
    };
    let text = match decode(what, rest, rules) {
        Ok(text) => text,
        Err(error) => {
            faults.push(error);
            return unreadable(faults);
        }
    };
    let found = json_scan::faults(text, rules.max_depth, MOST_FAULTS);
    faults.extend(
        found
            .into_iter()
            .map(|(at, rule)| located(what, text, at, rule)),
    );
    let value = match shape(what, text) {
        Ok(value) => Some(value),
        Err(error) => {
            if faults.is_empty() {
                faults.push(error);
            }
            None
        }
    };
    Examined {
        faults,
        value,
        text: text.to_owned(),
    }
}

impl Examined {
    /// Line and character, from 1, of the value at a JSON pointer (RFC 6901).
    #[must_use]
    pub fn place(&self, pointer: &str) -> Option<(usize, usize)> {
        let (_, value) = json_place::find(&self.text, pointer)?;
        Some(line_and_column(&self.text, value))
    }

    /// The same of the key that names the value; for an element of a list, of the element.
    #[must_use]
    pub fn key_place(&self, pointer: &str) -> Option<(usize, usize)> {
        let (key, _) = json_place::find(&self.text, pointer)?;
        Some(line_and_column(&self.text, key))
    }

    /// The pointer of the first element of a list that is this text.
    #[must_use]
    pub fn element(&self, list: &str, text: &str) -> Option<String> {
        let elements = self.value.as_ref()?.pointer(list)?.as_array()?;
        let index = elements
            .iter()
            .position(|element| element.as_str() == Some(text))?;
        Some(format!("{list}/{index}"))
    }
}

fn decode<'a>(what: &str, bytes: &'a [u8], rules: &JsonRules) -> Result<&'a str, JsonError> {
    let whole = |rule| JsonError {
        file: what.to_owned(),
        line: 0,
        column: 0,
        rule,
    };
    if bytes.len() > rules.max_bytes {
        return Err(whole(JsonFault::TooLarge {
            bytes: bytes.len(),
            most: rules.max_bytes,
        }));
    }
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => return Err(whole(JsonFault::ByteOrderMark)),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..] => {
            return Err(whole(JsonFault::NotUtf8 {
                hint: ", it looks like UTF-16; save it as UTF-8",
            }));
        }
        _ => {}
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = bytes
            .get(..error.valid_up_to())
            .and_then(|good| std::str::from_utf8(good).ok());
        let good = good.unwrap_or_default();
        located(what, good, good.len(), JsonFault::NotUtf8 { hint: "" })
    })?;
    if text.trim().is_empty() {
        return Err(whole(JsonFault::Empty));
    }
    Ok(text)
}

fn shape<'t, T: Deserialize<'t>>(what: &str, text: &'t str) -> Result<T, JsonError> {
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message
            .rsplit_once(" at line ")
            .map_or(message.as_str(), |(message, _)| message);
        let duplicate = message
            .strip_prefix("duplicate field `")
            .and_then(|rest| rest.strip_suffix('`'));
        let rule = match duplicate {
            Some(key) => JsonFault::DuplicateKey(key.to_owned()),
            None if error.is_data() => JsonFault::Shape(UntrustedText::from(message).one_line(300)),
            None => JsonFault::Syntax(UntrustedText::from(message).one_line(300)),
        };
        let before = text
            .split('\n')
            .nth(error.line().saturating_sub(1))
            .unwrap_or_default();
        let column = before
            .get(..error.column())
            .map_or(error.column(), |before| before.chars().count());
        JsonError {
            file: what.to_owned(),
            line: error.line(),
            column,
            rule,
        }
    })
}

fn located(what: &str, text: &str, at: usize, rule: JsonFault) -> JsonError {
    let (line, column) = line_and_column(text, at);
    JsonError {
        file: what.to_owned(),
        line,
        column,
        rule,
    }
}

fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let last = before.rsplit('\n').next().unwrap_or_default();
    (line, last.chars().count() + 1)
}
