//! The values that cross the border between host and component.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One value of a row or an argument.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cell {
    /// No value.
    Null,
    /// A boolean.
    Flag(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// Text; also a URL in a `url` column.
    Text(String),
    /// Milliseconds since 1970 UTC.
    Time(i64),
    /// Nested data as JSON text.
    Json(String),
}

impl Cell {
    /// As JSON: values keep their type, nested data is nested, times are RFC 3339 in UTC.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Flag(value) => Value::Bool(*value),
            Self::Int(value) => Value::from(*value),
            Self::Float(value) => Value::from(*value),
            Self::Text(value) => Value::String(value.clone()),
            Self::Time(ms) => Value::String(crate::date::text(*ms)),
            Self::Json(value) => {
                serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.clone()))
            }
        }
    }

    /// Bytes this cell counts against the limits: 8, and the text's length. Empty text counts
    /// too: the host keeps a cell for it.
    #[must_use]
    pub fn weight(&self) -> usize {
        let text = match self {
            Self::Text(text) | Self::Json(text) => text.len(),
            _ => 0,
        };
        text.saturating_add(8)
    }
}

/// What a column promises about its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellKind {
    /// A boolean.
    Flag,
    /// A whole number.
    Int,
    /// A number with a fraction.
    Float,
    /// Text.
    Text,
    /// Milliseconds since 1970 UTC.
    Time,
    /// A URL, for the reader; the host never decides by it.
    Url,
    /// Nested data as JSON text.
    Json,
}

impl CellKind {
    /// The kind's name in metadata and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Int => "int",
            Self::Float => "float",
            Self::Text => "text",
            Self::Time => "time",
            Self::Url => "url",
            Self::Json => "json",
        }
    }

    /// Whether a cell may stand in a column of this kind. `Null` may stand anywhere.
    #[must_use]
    pub fn accepts(self, cell: &Cell) -> bool {
        matches!(
            (self, cell),
            (_, Cell::Null)
                | (Self::Flag, Cell::Flag(_))
                | (Self::Int, Cell::Int(_))
                | (Self::Float, Cell::Float(_) | Cell::Int(_))
                | (Self::Text | Self::Url, Cell::Text(_))
                | (Self::Time, Cell::Time(_))
                | (Self::Json, Cell::Json(_))
        )
    }
}

/// Cells by position, against the command's declared columns.
pub type Row = Vec<Cell>;

/// A value with its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// The argument's or check's name.
    pub name: String,
    /// Its value.
    pub value: Cell,
}

/// A key and a value for growth; never carries a permission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The key; an unknown one is kept and ignored.
    pub key: String,
    /// The value.
    pub value: String,
}
