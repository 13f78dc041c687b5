//! One cell as text and as JSON.

use serde_json::Value;
use sr_policy::value::Cell;

/// For a table: empty for null, UTC for times.
pub(crate) fn text(cell: &Cell) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Flag(value) => value.to_string(),
        Cell::Int(value) => value.to_string(),
        Cell::Float(value) => value.to_string(),
        Cell::Text(value) | Cell::Json(value) => value.clone(),
        Cell::Time(ms) => sr_policy::date::text(*ms),
    }
}

/// For JSON: values keep their type, nested data is nested, times are RFC 3339 in UTC.
pub(crate) fn json(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Flag(value) => Value::Bool(*value),
        Cell::Int(value) => Value::from(*value),
        Cell::Float(value) => Value::from(*value),
        Cell::Text(value) => Value::String(value.clone()),
        Cell::Time(ms) => Value::String(sr_policy::date::text(*ms)),
        Cell::Json(value) => {
            serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.clone()))
        }
    }
}
