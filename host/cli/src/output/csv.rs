//! Comma-separated values (RFC 4180): a header, one record a row, lines end with a line feed.
//!
//! A cell that a spreadsheet would take for a formula is written as it is: whoever reads the file
//! must get the value back.

use std::io::{self, Write};

use sr_policy::UntrustedText;

/// Writes header and rows.
pub(super) fn write(
    out: &mut dyn Write,
    headers: &[&str],
    rows: &mut dyn ExactSizeIterator<Item = Vec<String>>,
) -> io::Result<()> {
    record(out, headers.iter().copied())?;
    for row in rows {
        record(out, row.iter().map(String::as_str))?;
    }
    Ok(())
}

fn record<'a>(
    out: &mut dyn Write,
    cells: impl ExactSizeIterator<Item = &'a str>,
) -> io::Result<()> {
    // An empty line is no record for a reader.
    let alone = cells.len() == 1;
    for (place, cell) in cells.enumerate() {
        if place > 0 {
            out.write_all(b",")?;
        }
        let cell = UntrustedText::from(cell);
        let cell = cell.shown();
        let quoted = cell.contains([',', '"', '\n', '\r'])
            || cell.trim() != cell
            || (alone && cell.is_empty());
        match quoted {
            true => write!(out, "\"{}\"", cell.replace('"', "\"\""))?,
            false => out.write_all(cell.as_bytes())?,
        }
    }
    out.write_all(b"\n")
}
