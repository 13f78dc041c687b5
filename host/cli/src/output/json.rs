//! JSON output: exactly the values, nothing filtered, escapes as JSON escapes.

use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sr_policy::command::{Column, Plan};
use sr_policy::value::{Cell, Named, Row};

use crate::output::cell;
use crate::output::escape::Escaped;

/// An array of objects in column order, written as it is made.
pub(crate) fn write_rows(out: &mut dyn Write, columns: &[Column], rows: &[Row]) -> io::Result<()> {
    write_indented(out, &Rows { columns, rows })
}

/// What a write would do. Several checks may have one name, so they are a list.
pub(crate) fn write_plan(out: &mut dyn Write, plan: &Plan) -> io::Result<()> {
    let named = |items: &[Named]| -> Value {
        items
            .iter()
            .map(|item| json!({ "name": item.name, "value": cell::json(&item.value) }))
            .collect()
    };
    write_value(
        out,
        &json!({
            "summary": plan.summary,
            "checks": named(&plan.checks),
            "will_send": named(&plan.will_send),
        }),
    )
}

/// Any value, indented, with a final newline.
pub(crate) fn write_value(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    write_indented(out, value)
}

/// Any value on one line, with a final newline.
pub(crate) fn write_line(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    serde_json::to_writer(Escaped::new(out), value)?;
    out.write_all(b"\n")
}

fn write_indented(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    // The error of the writer comes back as it was, so a reader that went away is still known.
    serde_json::to_writer_pretty(Escaped::new(out), value)?;
    out.write_all(b"\n")
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
    use sr_policy::value::CellKind;

    use super::*;

    fn text(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
        let mut made = vec![];
        write(&mut made).unwrap();
        String::from_utf8(made).unwrap()
    }

    fn column(name: &str) -> Column {
        Column {
            name: name.to_owned(),
            kind: CellKind::Text,
            help: String::new(),
            notes: vec![],
        }
    }

    #[test]
    fn no_control_character_is_printed_raw_and_the_value_is_kept() {
        let value = json!(["\u{1b}[2J\u{9b}1m\u{202e}ok"]);
        let text = text(|out| write_line(out, &value));
        assert_eq!(text, "[\"\\u001b[2J\\u009b1m\\u202eok\"]\n");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn rows_keep_the_order_of_columns_and_the_text_of_nested_data() {
        let columns = [column("z"), column("a")];
        let rows = [vec![
            Cell::Text("\u{9b}x".to_owned()),
            Cell::Json("{\"n\":123456789012345678901234567890,\r\"b\":1}".to_owned()),
        ]];
        assert_eq!(
            text(|out| write_rows(out, &columns, &rows)),
            "[\n  {\n    \"z\": \"\\u009bx\",\n    \"a\": {\"n\":123456789012345678901234567890, \"b\":1}\n  }\n]\n"
        );
        assert_eq!(text(|out| write_rows(out, &columns, &[])), "[]\n");
    }

    #[test]
    fn two_items_of_a_plan_with_one_name_are_both_shown() {
        let item = |value| Named {
            name: "amount".to_owned(),
            value: Cell::Int(value),
        };
        let plan = Plan {
            summary: "two orders".to_owned(),
            checks: vec![item(1), item(2)],
            will_send: vec![item(3), item(4)],
            notes: vec![],
        };
        let value: Value = serde_json::from_str(&text(|out| write_plan(out, &plan))).unwrap();
        assert_eq!(
            value,
            json!({
                "summary": "two orders",
                "checks": [{"name": "amount", "value": 1}, {"name": "amount", "value": 2}],
                "will_send": [{"name": "amount", "value": 3}, {"name": "amount", "value": 4}],
            })
        );
    }

    #[test]
    fn the_writers_own_error_comes_back() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let rows = [vec![Cell::Int(1)]];
        let error = write_rows(&mut Gone, &[column("a")], &rows).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
