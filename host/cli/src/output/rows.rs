//! A command's rows as objects in column order, and what a write would do.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sr_policy::command::{Column, Plan};
use sr_policy::value::{Cell, Named, Row};

use crate::output::Fields;
use crate::output::cell;

/// All rows as a list of objects.
pub(super) struct Rows<'a> {
    pub(super) columns: &'a [Column],
    pub(super) rows: &'a [Row],
}

impl<'a> Rows<'a> {
    /// One object a row.
    pub(super) fn objects(&self) -> impl ExactSizeIterator<Item = Object<'a>> {
        let columns = self.columns;
        self.rows.iter().map(move |row| Object { columns, row })
    }

    /// The cells of each row as text.
    pub(super) fn texts(&self) -> impl ExactSizeIterator<Item = Vec<String>> {
        self.rows
            .iter()
            .map(|row| row.iter().map(cell::text).collect())
    }
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.objects())
    }
}

/// One row as an object.
pub(super) struct Object<'a> {
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

/// What a write would do, for JSON and YAML. Several checks may have one name, so they are a list.
pub(super) fn plan_object(plan: &Plan) -> Fields {
    let named = |items: &[Named]| -> Value {
        items
            .iter()
            .map(|item| json!({ "name": item.name, "value": cell::json(&item.value) }))
            .collect()
    };
    Fields::new([
        ("summary", json!(plan.summary)),
        ("checks", named(&plan.checks)),
        ("will_send", named(&plan.will_send)),
    ])
}

/// The same as lines of a name and a value.
pub(super) fn plan_lines(plan: &Plan) -> Vec<Vec<String>> {
    let mut lines = vec![vec!["summary".to_owned(), plan.summary.clone()]];
    for (kind, items) in [("check", &plan.checks), ("will send", &plan.will_send)] {
        for item in items {
            lines.push(vec![
                format!("{kind} {}", item.name),
                cell::text(&item.value),
            ]);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use sr_policy::value::CellKind;

    use super::*;
    use crate::output::json::write_value;

    fn text(value: &impl Serialize) -> String {
        let mut made = vec![];
        write_value(&mut made, value).unwrap();
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
    fn rows_keep_the_order_of_columns_and_the_text_of_nested_data() {
        let columns = [column("z"), column("a")];
        let rows = [vec![
            Cell::Text("\u{9b}x".to_owned()),
            Cell::Json("{\"n\":123456789012345678901234567890,\r\"b\":1}".to_owned()),
        ]];
        assert_eq!(
            text(&Rows {
                columns: &columns,
                rows: &rows
            }),
            "[\n  {\n    \"z\": \"\\u009bx\",\n    \"a\": {\"n\":123456789012345678901234567890, \"b\":1}\n  }\n]\n"
        );
        assert_eq!(
            text(&Rows {
                columns: &columns,
                rows: &[]
            }),
            "[]\n"
        );
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
        let value: Value = serde_json::from_str(&text(&plan_object(&plan))).unwrap();
        assert_eq!(
            value,
            json!({
                "summary": "two orders",
                "checks": [{"name": "amount", "value": 1}, {"name": "amount", "value": 2}],
                "will_send": [{"name": "amount", "value": 3}, {"name": "amount", "value": 4}],
            })
        );
    }
}
