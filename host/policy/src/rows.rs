//! Rows a component returned, against the columns it declared.

use crate::command::Column;
use crate::limits;
use crate::untrusted::UntrustedText;
use crate::value::{Cell, CellKind, Row};

/// A row that is not what the command declared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("row {}{}: {reason}", .row.saturating_add(1), place(.column.as_deref()))]
pub struct RowFault {
    /// Which row of the run, from 0.
    pub row: usize,
    /// Name of the column; none when the whole row is wrong.
    pub column: Option<String>,
    /// What is wrong.
    pub reason: String,
}

/// Checks the rows of a run that come in several pieces; the limits hold over all of them.
#[derive(Debug, Clone, Default)]
pub struct RowMeter {
    rows: usize,
    bytes: usize,
}

impl RowMeter {
    /// Nothing seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Rows accepted so far.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Checks the next piece.
    ///
    /// # Errors
    /// The first [`RowFault`]; the rows before it count as accepted.
    pub fn check(&mut self, columns: &[Column], rows: &[Row]) -> Result<(), RowFault> {
        rows.iter().try_for_each(|row| self.check_row(columns, row))
    }

    fn check_row(&mut self, columns: &[Column], row: &Row) -> Result<(), RowFault> {
        let index = self.rows;
        let whole = |reason| RowFault {
            row: index,
            column: None,
            reason,
        };
        if index >= limits::ROWS_A_RUN {
            return Err(whole(format!(
                "more than {} rows in a run",
                limits::ROWS_A_RUN
            )));
        }
        if row.len() != columns.len() {
            return Err(whole(format!(
                "{} cells for {} columns",
                row.len(),
                columns.len()
            )));
        }
        for (cell, column) in row.iter().zip(columns) {
            check_cell(column.kind, cell).map_err(|reason| RowFault {
                row: index,
                column: Some(
                    UntrustedText::from(column.name.as_str()).one_line(limits::NAME_BYTES),
                ),
                reason,
            })?;
            self.bytes = self.bytes.saturating_add(cell.weight());
        }
        if self.bytes > limits::CELLS_BYTES {
            return Err(whole(format!(
                "the cells of the run are more than {} bytes",
                limits::CELLS_BYTES
            )));
        }
        self.rows += 1;
        Ok(())
    }
}

/// Checks all rows of a run: width, kinds, sizes, and that `json` cells are JSON.
///
/// # Errors
/// The first [`RowFault`].
pub fn check_rows(columns: &[Column], rows: &[Row]) -> Result<(), RowFault> {
    RowMeter::new().check(columns, rows)
}

fn check_cell(kind: CellKind, cell: &Cell) -> Result<(), String> {
    if !kind.accepts(cell) {
        return Err(format!(
            "a {} cell in a column of kind {}",
            name(cell),
            kind.name()
        ));
    }
    if let Cell::Text(text) | Cell::Json(text) = cell
        && text.len() > limits::CELL_BYTES
    {
        return Err(format!(
            "a cell of {} bytes, at most {}",
            text.len(),
            limits::CELL_BYTES
        ));
    }
    match cell {
        Cell::Float(number) if !number.is_finite() => Err("a number that is not finite".to_owned()),
        Cell::Time(ms) if !(limits::TIME_FIRST_MS..=limits::TIME_LAST_MS).contains(ms) => {
            Err(format!("a time outside the years 1 to 9999: {ms} ms"))
        }
        Cell::Json(text) => check_json(text),
        _ => Ok(()),
    }
}

fn check_json(text: &str) -> Result<(), String> {
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("a json cell that is not JSON: {error}")),
    }
}

fn name(cell: &Cell) -> &'static str {
    match cell {
        Cell::Null => "null",
        Cell::Flag(_) => "flag",
        Cell::Int(_) => "int",
        Cell::Float(_) => "float",
        Cell::Text(_) => "text",
        Cell::Time(_) => "time",
        Cell::Json(_) => "json",
    }
}

fn place(column: Option<&str>) -> String {
    column
        .map(|column| format!(", column {column}"))
        .unwrap_or_default()
}
