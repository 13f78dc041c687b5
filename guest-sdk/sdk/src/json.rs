//! A small JSON reader: exact whole numbers, a bound on depth, failures that name the path.
//!
//! ```
//! use sr_guest::json;
//! # fn main() -> sr_guest::Result<()> {
//! let reply = json::parse(r#"{"items": [{"id": 8863, "title": "Hello"}]}"#)?;
//! for item in reply.at("items").list()? {
//!     assert_eq!(item.at("id").int()?, 8863);
//!     assert_eq!(item.at("title").str()?, "Hello");
//!     assert_eq!(item.at("url").opt_str()?, None);
//! }
//! # Ok(())
//! # }
//! ```

use crate::text::decimal;

mod at;
mod parse;

pub use at::{At, Key};
pub use parse::{MAX_DEPTH, parse};

/// A JSON value. Keys keep their order; of two equal keys the last counts.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Flag(bool),
    /// A number that is exactly an `i64`.
    Int(i64),
    /// Any other number, as it was written.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Value>),
    /// An object.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// This value as the root of a path: `value.root().at("id")`.
    #[must_use]
    pub fn root(&self) -> At<'_> {
        At::root(self)
    }

    /// The member of an object or the entry of a list; reading what is not there fails later,
    /// with the path.
    #[must_use]
    pub fn at<'a>(&'a self, key: impl Into<Key<'a>>) -> At<'a> {
        self.root().at(key)
    }

    /// The value as JSON text, for a `json` column.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        write(&mut out, self);
        out
    }
}

fn write(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Flag(on) => out.push_str(if *on { "true" } else { "false" }),
        Value::Int(number) => out.push_str(&decimal(*number)),
        Value::Number(text) => out.push_str(text),
        Value::Text(text) => write_text(out, text),
        Value::List(values) => {
            out.push('[');
            for (at, value) in values.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(out, value);
            }
            out.push(']');
        }
        Value::Map(members) => {
            out.push('{');
            for (at, (key, value)) in members.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_text(out, key);
                out.push(':');
                write(out, value);
            }
            out.push('}');
        }
    }
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            ..' ' => {
                out.push_str("\\u00");
                out.push(if letter < '\u{10}' { '0' } else { '1' });
                out.push(char::from_digit(u32::from(letter) & 15, 16).unwrap_or('0'));
            }
            _ => out.push(letter),
        }
    }
    out.push('"');
}
