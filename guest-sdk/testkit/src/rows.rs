//! What a command returned, for a test to look at.

use sr_guest::bindings::exports::sr::runtime::plugin::Column;
use sr_guest::bindings::sr::runtime::types::Note;
use sr_guest::{Cell, Output, Result, failure};
use sr_policy::command_rules::RowMeter;

use crate::convert;

/// Code of rows that are not what the command declared.
const BROKEN_ROWS: &str = "BROKEN_ROWS";

/// The rows of a command, checked against its columns as the host checks them.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    footer: Option<String>,
    notes: Vec<Note>,
}

impl Rows {
    pub(crate) fn checked(
        columns: &[Column],
        early: Vec<Vec<Cell>>,
        output: Output,
    ) -> Result<Self> {
        let mut rows = early;
        rows.extend(output.rows);
        let declared: Vec<_> = columns.iter().map(convert::column).collect();
        let plain: Vec<Vec<_>> = rows
            .iter()
            .map(|row| row.iter().map(convert::cell).collect())
            .collect();
        RowMeter::new()
            .check(&declared, &plain)
            .map_err(|fault| failure::coded(BROKEN_ROWS, fault.to_string(), None))?;
        Ok(Self {
            columns: columns.to_vec(),
            rows,
            footer: output.footer,
            notes: output.notes,
        })
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The names of the columns.
    #[must_use]
    pub fn columns(&self) -> Vec<&str> {
        self.columns
            .iter()
            .map(|column| column.name.as_str())
            .collect()
    }

    /// One cell; `None` when there is no such row.
    ///
    /// # Panics
    /// When the command has no such column: a test that asks for one proves nothing.
    #[must_use]
    #[expect(clippy::panic, reason = "a wrong test fails like a wrong answer")]
    pub fn cell(&self, row: usize, column: &str) -> Option<&Cell> {
        let at = self.columns.iter().position(|known| known.name == column);
        let at = at.unwrap_or_else(|| {
            panic!(
                "no column {column:?}, there are: {}",
                self.columns().join(", ")
            )
        });
        self.rows.get(row)?.get(at)
    }

    /// The text of a text, url or json cell.
    #[must_use]
    pub fn text(&self, row: usize, column: &str) -> Option<&str> {
        match self.cell(row, column)? {
            Cell::Text(text) | Cell::Json(text) => Some(text),
            _ => None,
        }
    }

    /// The number of an int or time cell.
    #[must_use]
    pub fn int(&self, row: usize, column: &str) -> Option<i64> {
        match self.cell(row, column)? {
            Cell::Int(number) | Cell::Time(number) => Some(*number),
            _ => None,
        }
    }

    /// All cells of a column.
    #[must_use]
    pub fn column(&self, column: &str) -> Vec<&Cell> {
        (0..self.len())
            .filter_map(|row| self.cell(row, column))
            .collect()
    }

    /// The line under the table.
    #[must_use]
    pub fn footer(&self) -> Option<&str> {
        self.footer.as_deref()
    }

    /// The value of a note.
    #[must_use]
    pub fn note(&self, key: &str) -> Option<&str> {
        let mut notes = self.notes.iter();
        let note = notes.find(|note| note.key == key)?;
        Some(&note.value)
    }

    /// All rows by position.
    #[must_use]
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }
}
