//! What commands return: rows, and writes that wait for their commit.

use core::cell::Cell as Slot;

use crate::bindings::exports::sr::runtime::plugin::{GuestPrepared, Output, Plan};
use crate::bindings::sr::runtime::types::{Grid, Named, Note};
use crate::grid::{self, GridRow};
use crate::spec::ColumnSpec;
use crate::value::ColumnValue;
use crate::{Cell, Result, failure};

/// A row: cells by position, with their columns. Derive it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a row",
    note = "put #[derive(Row)] on the struct"
)]
pub trait Row: Sized {
    /// Names and kinds, in order.
    const COLUMNS: &'static [ColumnSpec];

    /// One cell per column.
    fn into_cells(self) -> Vec<Cell>;

    /// The row from the cells of one row of a grid.
    ///
    /// # Errors
    /// See [`GridRow::next_value`].
    fn from_cells(cells: &mut GridRow<'_>) -> Result<Self>;

    /// All rows of a grid that the host answered.
    ///
    /// # Errors
    /// `other` with code `GRID_BROKEN` when offsets, bits or shape do not fit, and
    /// `UNEXPECTED_REPLY` when a value is of another type.
    fn from_grid(grid: &Grid) -> Result<Vec<Self>> {
        grid::decode(grid, Self::COLUMNS.len(), Self::from_cells)
    }
}

/// What can stand in `Result<…>` of a command.
#[diagnostic::on_unimplemented(
    message = "a command cannot return `{Self}`",
    note = "return a type with #[derive(Row)], a Vec or Table of it, Output or ()"
)]
pub trait Returned {
    /// The columns it brings; empty when the command declares them itself.
    const COLUMNS: &'static [ColumnSpec];

    /// The rows for the host.
    fn into_output(self) -> Output;
}

impl<T: Row> Returned for T {
    const COLUMNS: &'static [ColumnSpec] = T::COLUMNS;

    fn into_output(self) -> Output {
        Output::rows(vec![self.into_cells()])
    }
}

impl<T: Row> Returned for Vec<T> {
    const COLUMNS: &'static [ColumnSpec] = T::COLUMNS;

    fn into_output(self) -> Output {
        Output::rows(self.into_iter().map(T::into_cells).collect())
    }
}

impl Returned for Output {
    const COLUMNS: &'static [ColumnSpec] = &[];

    fn into_output(self) -> Output {
        self
    }
}

impl Returned for () {
    const COLUMNS: &'static [ColumnSpec] = &[];

    fn into_output(self) -> Output {
        Output::rows(Vec::new())
    }
}

impl Output {
    /// These rows, nothing else.
    #[must_use]
    pub fn rows(rows: Vec<Vec<Cell>>) -> Self {
        Self {
            rows,
            footer: None,
            notes: Vec::new(),
        }
    }

    /// One line under a table.
    #[must_use]
    pub fn footer(mut self, text: impl Into<String>) -> Self {
        self.footer = Some(text.into());
        self
    }

    /// A note for the host; unknown keys are kept and ignored.
    #[must_use]
    pub fn note(mut self, key: &str, value: impl Into<String>) -> Self {
        self.notes.push(note(key, value));
        self
    }
}

/// Rows of one type with something around them: a footer, notes.
#[derive(Debug, Clone, PartialEq)]
pub struct Table<T> {
    rows: Vec<T>,
    footer: Option<String>,
    notes: Vec<Note>,
}

impl<T: Row> Table<T> {
    /// These rows, nothing around them.
    #[must_use]
    pub fn new(rows: impl IntoIterator<Item = T>) -> Self {
        Self {
            rows: rows.into_iter().collect(),
            footer: None,
            notes: Vec::new(),
        }
    }

    /// One line under a table.
    #[must_use]
    pub fn footer(mut self, text: impl Into<String>) -> Self {
        self.footer = Some(text.into());
        self
    }

    /// A note for the host; unknown keys are kept and ignored.
    #[must_use]
    pub fn note(mut self, key: &str, value: impl Into<String>) -> Self {
        self.notes.push(note(key, value));
        self
    }
}

impl<T: Row> Returned for Table<T> {
    const COLUMNS: &'static [ColumnSpec] = T::COLUMNS;

    fn into_output(self) -> Output {
        Output {
            rows: self.rows.into_iter().map(T::into_cells).collect(),
            footer: self.footer,
            notes: self.notes,
        }
    }
}

fn note(key: &str, value: impl Into<String>) -> Note {
    Note {
        key: key.to_owned(),
        value: value.into(),
    }
}

/// A read command's return type.
#[diagnostic::on_unimplemented(
    message = "a read command cannot return `{Self}`",
    note = "return Result<T>, with T a type with #[derive(Row)], a Vec or Table of it, Output or (); \
            Result<Prepared> is for #[command(write)]"
)]
pub trait ReadReturn {
    /// What the entry hands on.
    type Erased;
    /// The columns it brings.
    const COLUMNS: &'static [ColumnSpec];
    /// The rows for the host.
    ///
    /// # Errors
    /// The command's own failure.
    fn erase(self) -> Result<Self::Erased>;
}

impl<T: Returned> ReadReturn for Result<T> {
    type Erased = Output;
    const COLUMNS: &'static [ColumnSpec] = T::COLUMNS;

    fn erase(self) -> Result<Output> {
        self.map(T::into_output)
    }
}

/// A write command's return type.
#[diagnostic::on_unimplemented(
    message = "a write command cannot return `{Self}`",
    note = "return Result<Prepared>: prepared(\"one order\").then(move || …)"
)]
pub trait WriteReturn {
    /// What the entry hands on.
    type Erased;
    /// The columns the commit brings.
    const COLUMNS: &'static [ColumnSpec];
    /// The write for the host.
    ///
    /// # Errors
    /// The command's own failure.
    fn erase(self) -> Result<Self::Erased>;
}

impl<T: Returned + 'static> WriteReturn for Result<Prepared<T>> {
    type Erased = PreparedWrite;
    const COLUMNS: &'static [ColumnSpec] = T::COLUMNS;

    fn erase(self) -> Result<PreparedWrite> {
        let Prepared { plan, commit } = self?;
        Ok(PreparedWrite {
            plan,
            commit: Slot::new(Some(Box::new(move || commit().map(T::into_output)))),
        })
    }
}

type Commit<T> = Box<dyn FnOnce() -> Result<T>>;

/// A write, filled in and not yet sent. The rows of its commit are of type `T`.
pub struct Prepared<T = Output> {
    plan: Plan,
    commit: Commit<T>,
}

/// A write while it is being described: what it is, what it was checked against, what it sends.
#[derive(Debug)]
#[must_use]
pub struct Preparing(Plan);

/// Starts a write: one line that says what it will do.
pub fn prepared(summary: impl Into<String>) -> Preparing {
    Preparing(Plan {
        summary: summary.into(),
        checks: Vec::new(),
        will_send: Vec::new(),
        notes: Vec::new(),
    })
}

impl Preparing {
    /// A fact that was read while preparing, for the caller to compare.
    pub fn check(mut self, name: &str, value: impl ColumnValue) -> Self {
        self.0.checks.push(named(name, value));
        self
    }

    /// A value that the commit will send.
    pub fn sends(mut self, name: &str, value: impl ColumnValue) -> Self {
        self.0.will_send.push(named(name, value));
        self
    }

    /// A note for the host; unknown keys are kept and ignored.
    pub fn note(mut self, key: &str, value: impl Into<String>) -> Self {
        self.0.notes.push(note(key, value));
        self
    }

    /// The part that changes something. It runs at most once, and only after the person or the
    /// agent has agreed; when it is dropped instead, nothing was sent.
    pub fn then<T>(self, commit: impl FnOnce() -> Result<T> + 'static) -> Prepared<T> {
        Prepared {
            plan: self.0,
            commit: Box::new(commit),
        }
    }
}

fn named(name: &str, value: impl ColumnValue) -> Named {
    Named {
        name: name.to_owned(),
        value: value.into_cell(),
    }
}

/// A write as the host holds it.
pub struct PreparedWrite {
    plan: Plan,
    commit: Slot<Option<Commit<Output>>>,
}

impl GuestPrepared for PreparedWrite {
    fn plan(&self) -> Plan {
        self.plan.clone()
    }

    fn commit(&self) -> Result<Output> {
        let commit = self.commit.take();
        let commit = commit.ok_or_else(|| {
            failure::invalid(
                "commit",
                "this write was committed before: prepare it again",
            )
        })?;
        commit()
    }
}

impl core::fmt::Debug for PreparedWrite {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str("PreparedWrite")
    }
}

impl<T> core::fmt::Debug for Prepared<T> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str("Prepared")
    }
}
