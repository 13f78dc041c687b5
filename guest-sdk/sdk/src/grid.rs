//! A `grid`: many cells in one text, decoded without trust in its numbers.

use crate::bindings::sr::runtime::types::Grid;
use crate::text::{decimal, joined};
use crate::value::ColumnValue;
use crate::{Failure, Result, failure};

/// Code of a grid whose offsets, presence bits or shape do not fit.
pub const GRID_BROKEN: &str = "GRID_BROKEN";

/// The cells of one row of a grid, taken out in the order of the columns.
#[derive(Debug)]
pub struct GridRow<'a> {
    grid: &'a Grid,
    /// Index of the next cell in the whole grid.
    next: usize,
}

impl GridRow<'_> {
    /// The next cell as a typed value.
    ///
    /// # Errors
    /// `other` with code [`GRID_BROKEN`] for a broken grid, `UNEXPECTED_REPLY` naming row and
    /// column for a value of another type.
    pub fn next_value<T: ColumnValue>(&mut self) -> Result<T> {
        let at = self.next;
        self.next += 1;
        let text = cell(self.grid, at)?;
        T::from_text(text).map_err(|found| misfit(self.grid, at, found))
    }
}

fn misfit(grid: &Grid, at: usize, found: &str) -> Failure {
    let columns = (grid.columns as usize).max(1);
    let number = |number: usize| decimal(i64::try_from(number).unwrap_or(i64::MAX));
    failure::unexpected(joined(&[
        "row ",
        &number(at / columns + 1),
        ", column ",
        &number(at % columns + 1),
        ": ",
        found,
    ]))
}

fn broken(what: &str) -> Failure {
    failure::coded(
        GRID_BROKEN,
        joined(&["the table of the host: ", what]),
        None,
    )
}

/// Cell `at` of a grid; `None` when it is not present.
fn cell(grid: &Grid, at: usize) -> Result<Option<&str>> {
    let start = match at.checked_sub(1) {
        None => 0,
        Some(before) => *grid.ends.get(before).ok_or_else(|| broken("too short"))?,
    };
    let end = *grid.ends.get(at).ok_or_else(|| broken("too short"))?;
    let text = grid
        .text
        .get(start as usize..end as usize)
        .ok_or_else(|| broken("offsets outside its text"))?;
    let bits = grid
        .present
        .get(at / 8)
        .ok_or_else(|| broken("presence bits missing"))?;
    Ok((bits >> (at % 8) & 1 == 1).then_some(text))
}

/// Calls `decode` once per row of a grid of `columns` columns.
///
/// # Errors
/// `other` with code [`GRID_BROKEN`] when the shape does not fit; whatever `decode` returns.
pub(crate) fn decode<T>(
    grid: &Grid,
    columns: usize,
    mut decode: impl FnMut(&mut GridRow<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    if columns == 0 || grid.columns as usize != columns {
        return Err(broken("another number of columns than the row has"));
    }
    if !grid.ends.len().is_multiple_of(columns) {
        return Err(broken("the last row is not whole"));
    }
    let rows = grid.ends.len() / columns;
    let mut decoded = Vec::with_capacity(rows);
    for row in 0..rows {
        let next = row * columns;
        decoded.push(decode(&mut GridRow { grid, next })?);
    }
    Ok(decoded)
}
