//! JSON output: exactly the values, nothing filtered, escapes as JSON escapes.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sr_policy::command::{Column, Plan};
use sr_policy::value::{Cell, Named, Row};

use crate::output::cell;

/// An array of objects in column order.
pub(crate) fn rows(columns: &[Column], rows: &[Row]) -> String {
    printed(&Rows { columns, rows })
}

/// Any value, indented, with a final newline.
pub(crate) fn pretty(value: &Value) -> String {
    printed(value)
}

fn printed(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    escape_controls(&text)
}

/// What a write would do.
pub(crate) fn plan(plan: &Plan) -> String {
    let named = |items: &[Named]| -> Value {
        items
            .iter()
            .map(|item| (item.name.clone(), cell::json(&item.value)))
            .collect()
    };
    printed(&json!({
        "summary": plan.summary,
        "checks": named(&plan.checks),
        "will_send": named(&plan.will_send),
    }))
}

/// JSON escapes C0 only; DEL, C1 and direction marks would still reach a terminal, so they
/// are written as `\u` escapes. The value stays the same.
pub(crate) fn escape_controls(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{7f}'..='\u{9f}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{061c}' => escaped.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => escaped.push(character),
        }
    }
    escaped
}

struct Rows<'a> {
    columns: &'a [Column],
    rows: &'a [Row],
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.rows.len()))?;
        for row in self.rows {
            list.serialize_element(&Object {
                columns: self.columns,
                row,
            })?;
        }
        list.end()
    }
}

struct Object<'a> {
    columns: &'a [Column],
    row: &'a Row,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.columns.len()))?;
        for (column, cell) in self.columns.iter().zip(self.row) {
            match raw(cell) {
                // Nested data keeps its own text: numbers of any size, keys in their order.
                Some(nested) => map.serialize_entry(&column.name, &nested)?,
                None => map.serialize_entry(&column.name, &cell::json(cell))?,
            }
        }
        map.end()
    }
}

fn raw(cell: &Cell) -> Option<Box<RawValue>> {
    match cell {
        Cell::Json(text) => RawValue::from_string(text.clone()).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_printed_raw_and_the_value_is_kept() {
        let value = json!(["\u{1b}[2J\u{9b}1m\u{202e}ok"]);
        let text = escape_controls(&serde_json::to_string(&value).unwrap());
        assert_eq!(text, r#"["\u001b[2J\u009b1m\u202eok"]"#);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
