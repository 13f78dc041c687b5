//! Rows and reports in the format the person asked for.

mod cell;
mod csv;
mod document;
mod escape;
mod format;
mod json;
mod json_tree;
mod markdown;
mod plain;
mod rows;
mod table;
mod wrap;
mod yaml;
mod yaml_scalar;

#[cfg(test)]
mod round_trip;

use std::io::{self, Write};

use serde::Serialize;
use sr_policy::UntrustedText;
use sr_policy::command::{Column, Plan};
use sr_policy::value::Row;

pub(crate) use cell::{json as cell_json, text as cell_text};
pub(crate) use document::{Document, Fields};
pub(crate) use format::{FORMATS, Format, OTHER_SPELLINGS};
pub(crate) use json::{write_line, write_value};
pub(crate) use wrap::first_line;
pub(crate) use yaml::write as write_yaml;

use rows::Rows;
use table::Table;

/// A single value under one of these names is written bare.
const BARE_MARKDOWN: &[&str] = &["content", "markdown", "text", "value"];
const BARE_PLAIN: &[&str] = &["content", "markdown", "text", "value", "response"];

/// Writes a command's rows, one after the other. A table fits the width, if there is one.
pub(crate) fn write_rows(
    out: &mut dyn Write,
    format: Format,
    columns: &[Column],
    rows: &[Row],
    width: Option<usize>,
) -> io::Result<()> {
    let rows = Rows { columns, rows };
    match format {
        Format::Json => write_value(out, &rows),
        Format::Yaml => yaml::write_list(out, rows.objects()),
        _ => {
            let headers: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            write_texts(out, format, &headers, rows.texts(), width)
        }
    }
}

/// Writes what a write command would do.
pub(crate) fn write_plan(
    out: &mut dyn Write,
    format: Format,
    plan: &Plan,
    width: Option<usize>,
) -> io::Result<()> {
    match format {
        Format::Json => write_value(out, &rows::plan_object(plan)),
        Format::Yaml => write_yaml(out, &rows::plan_object(plan)),
        _ => {
            let lines = rows::plan_lines(plan).into_iter();
            write_texts(out, format, &["plan", "value"], lines, width)
        }
    }
}

/// Writes a report of the program itself. As a table one object is a line for each key.
pub(crate) fn write_document(
    out: &mut dyn Write,
    format: Format,
    document: &Document,
    width: Option<usize>,
) -> io::Result<()> {
    match (format, document) {
        (Format::Json, _) => write_value(out, document),
        (Format::Yaml, Document::One(fields)) => write_yaml(out, fields),
        (Format::Yaml, _) => yaml::write_list(out, document.objects().iter()),
        _ => {
            let headers = document.headers();
            if headers.is_empty() {
                return Ok(());
            }
            let rows = document.rows(&headers);
            match (format, document) {
                (Format::Table, Document::One(_)) => {
                    table_of(&headers, rows).write_records(out, width)
                }
                (Format::Table, _) => table_of(&headers, rows).write_aligned(out, width),
                _ => write_texts(out, format, &headers, rows, width),
            }
        }
    }
}

/// Writes objects as data; any other format than YAML is JSON.
pub(crate) fn write_objects(
    out: &mut dyn Write,
    format: Format,
    objects: &[impl Serialize],
) -> io::Result<()> {
    match format {
        Format::Yaml => yaml::write_list(out, objects.iter()),
        _ => write_value(out, &objects),
    }
}

/// Writes a listing of the program itself, as texts under headers. Only its size is bounded, so
/// every column is aligned.
pub(crate) fn write_listing(
    out: &mut dyn Write,
    format: Format,
    headers: &[&str],
    rows: Vec<Vec<String>>,
    width: Option<usize>,
) -> io::Result<()> {
    match format {
        Format::Table => table_of(headers, rows.into_iter()).write_aligned(out, width),
        _ => write_texts(out, format, headers, rows.into_iter(), width),
    }
}

/// Writes texts under headers in a format without types.
fn write_texts(
    out: &mut dyn Write,
    format: Format,
    headers: &[&str],
    mut rows: impl ExactSizeIterator<Item = Vec<String>>,
    width: Option<usize>,
) -> io::Result<()> {
    let is_bare = |names: &[&str]| matches!(headers, [name] if names.contains(name));
    match format {
        Format::Markdown if rows.len() == 1 && is_bare(BARE_MARKDOWN) => bare(out, rows),
        Format::Plain if rows.len() == 1 && is_bare(BARE_PLAIN) => bare(out, rows),
        Format::Csv => csv::write(out, headers, &mut rows),
        Format::Markdown => markdown::write(out, headers, &mut rows),
        Format::Plain => plain::write(out, headers, &mut rows),
        Format::Table | Format::Json | Format::Yaml => table_of(headers, rows).write(out, width),
    }
}

fn table_of(headers: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Table {
    let mut table = Table::new(headers.iter().map(|name| (*name).to_owned()));
    rows.for_each(|row| table.push(row));
    table
}

fn bare(out: &mut dyn Write, rows: impl Iterator<Item = Vec<String>>) -> io::Result<()> {
    for value in rows.flatten() {
        let value = UntrustedText::from(value);
        writeln!(out, "{}", value.shown().trim_end_matches('\n'))?;
    }
    Ok(())
}
