//! Rows in the format the person asked for.

mod cell;
mod escape;
mod json;
mod table;

use std::io::{self, Write};

use sr_policy::command::{Column, Plan};
use sr_policy::value::Row;

pub(crate) use cell::{json as cell_json, text as cell_text};
pub(crate) use json::{write_line, write_value};
pub(crate) use table::Table;

/// An output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Aligned columns for people.
    Table,
    /// An array of objects.
    Json,
}

/// The formats by name, for help and messages.
pub(crate) const FORMATS: [&str; 2] = ["table", "json"];

impl Format {
    /// The format of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "table" => Some(Self::Table),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// Writes a command's rows, one after the other.
pub(crate) fn write_rows(
    out: &mut dyn Write,
    format: Format,
    columns: &[Column],
    rows: &[Row],
    width: Option<usize>,
) -> io::Result<()> {
    match format {
        Format::Json => json::write_rows(out, columns, rows),
        Format::Table => {
            let mut table = Table::new(columns.iter().map(|column| column.name.clone()));
            for row in rows {
                table.push(row.iter().map(cell::text));
            }
            table.write(out, width)
        }
    }
}

/// Writes what a write command would do.
pub(crate) fn write_plan(out: &mut dyn Write, format: Format, plan: &Plan) -> io::Result<()> {
    if format == Format::Json {
        return json::write_plan(out, plan);
    }
    let mut table = Table::new(["plan".to_owned(), "value".to_owned()]);
    table.push(["summary".to_owned(), plan.summary.clone()]);
    for (kind, items) in [("check", &plan.checks), ("will send", &plan.will_send)] {
        for item in items {
            table.push([format!("{kind} {}", item.name), cell::text(&item.value)]);
        }
    }
    table.write(out, None)
}
