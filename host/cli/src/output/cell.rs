//! One value as text and as JSON.

use serde_json::Value;
use sr_policy::value::Cell;

/// For tables, csv and lines: empty for null, UTC for times, nested data as compact JSON.
pub(crate) fn text(cell: &Cell) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Flag(value) => value.to_string(),
        Cell::Int(value) => value.to_string(),
        Cell::Float(value) => float(*value),
        Cell::Text(value) => value.clone(),
        Cell::Json(value) => compact(value),
        Cell::Time(ms) => sr_policy::date::text(*ms),
    }
}

/// For JSON.
pub(crate) fn json(cell: &Cell) -> Value {
    cell.to_json()
}

/// The text of a JSON value in one cell.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A float of 300 digits is nothing for a person: beyond what a person counts, with exponent.
fn float(value: f64) -> String {
    match value.abs() {
        size if size == 0.0 || (1e-7..1e16).contains(&size) => value.to_string(),
        _ => format!("{value:e}"),
    }
}

/// JSON text without the white space between its tokens. A JSON string in it stays as it is.
fn compact(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut in_string = false;
    let mut escaped = false;
    for letter in text.chars() {
        if in_string {
            in_string = escaped || letter != '"';
            escaped = letter == '\\' && !escaped;
        } else if letter.is_ascii_whitespace() {
            continue;
        } else {
            in_string = letter == '"';
        }
        made.push(letter);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_data_is_compact_and_its_strings_are_kept() {
        assert_eq!(
            compact("{ \"a b\" :\n [ 1, \"x \\\" \\\\\" , null ] }"),
            r#"{"a b":[1,"x \" \\",null]}"#
        );
    }

    #[test]
    fn a_float_is_short_whatever_its_size() {
        assert_eq!(float(0.1), "0.1");
        assert_eq!(float(-3.0), "-3");
        assert_eq!(float(0.0), "0");
        assert_eq!(float(f64::MIN_POSITIVE), "2.2250738585072014e-308");
        assert_eq!(float(1e300), "1e300");
    }
}
