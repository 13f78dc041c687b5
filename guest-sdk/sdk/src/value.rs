//! Typed values of cells: what a column or a row's field can be.

use crate::{Cell, CellKind};

/// A web address, for a `url` column or argument. The host parses; nothing here decides by it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Url(pub String);

/// JSON text, for a `json` column or argument.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Json(pub String);

/// A moment: milliseconds since 1970-01-01 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub i64);

impl Url {
    /// The address as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Url> for String {
    fn from(url: Url) -> Self {
        url.0
    }
}

impl From<&Url> for String {
    fn from(url: &Url) -> Self {
        url.0.clone()
    }
}

impl From<String> for Url {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Url {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// A type that a column can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a column of a row",
    note = "use String, bool, a whole number up to i64, f64, Url, Time or Json, or an Option of one; \
            nested data goes into a Json column"
)]
pub trait ColumnValue: Sized {
    /// The kind of the column.
    const KIND: CellKind;

    /// The cell for this value.
    fn into_cell(self) -> Cell;

    /// The value of a cell of a `grid`; `None` is a cell that is not present.
    ///
    /// # Errors
    /// What the text should have been.
    fn from_text(text: Option<&str>) -> Result<Self, &'static str>;
}

/// Whether values of one kind may be shown in a column of another. Checked while compiling.
#[must_use]
pub const fn can_show(own: CellKind, wanted: CellKind) -> bool {
    matches!(
        (own, wanted),
        (
            CellKind::Text,
            CellKind::Text | CellKind::Url | CellKind::Json
        ) | (
            CellKind::Int,
            CellKind::Int | CellKind::Time | CellKind::Float
        ) | (CellKind::Flag, CellKind::Flag)
            | (CellKind::Float, CellKind::Float)
            | (CellKind::Time, CellKind::Time)
            | (CellKind::Url, CellKind::Url | CellKind::Text)
            | (CellKind::Json, CellKind::Json)
    )
}

/// The cell as its column's kind wants it.
#[must_use]
pub fn in_column(cell: Cell, kind: CellKind) -> Cell {
    match (kind, cell) {
        (CellKind::Json, Cell::Text(text)) => Cell::Json(text),
        (CellKind::Time, Cell::Int(ms)) => Cell::Time(ms),
        (_, cell) => cell,
    }
}

const MISSING: &str = "a value that is not there";

impl<T: ColumnValue> ColumnValue for Option<T> {
    const KIND: CellKind = T::KIND;

    fn into_cell(self) -> Cell {
        self.map_or(Cell::Null, T::into_cell)
    }

    fn from_text(text: Option<&str>) -> Result<Self, &'static str> {
        text.map(|text| T::from_text(Some(text))).transpose()
    }
}

impl ColumnValue for String {
    const KIND: CellKind = CellKind::Text;

    fn into_cell(self) -> Cell {
        Cell::Text(self)
    }

    fn from_text(text: Option<&str>) -> Result<Self, &'static str> {
        text.map(str::to_owned).ok_or(MISSING)
    }
}

impl ColumnValue for &'static str {
    const KIND: CellKind = CellKind::Text;

    fn into_cell(self) -> Cell {
        Cell::Text(self.to_owned())
    }

    fn from_text(_: Option<&str>) -> Result<Self, &'static str> {
        Err("a text of the page, which a fixed text cannot hold")
    }
}

impl ColumnValue for bool {
    const KIND: CellKind = CellKind::Flag;

    fn into_cell(self) -> Cell {
        Cell::Flag(self)
    }

    fn from_text(text: Option<&str>) -> Result<Self, &'static str> {
        match text.ok_or(MISSING)? {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err("no flag"),
        }
    }
}

impl ColumnValue for f64 {
    const KIND: CellKind = CellKind::Float;

    fn into_cell(self) -> Cell {
        Cell::Float(self)
    }

    fn from_text(text: Option<&str>) -> Result<Self, &'static str> {
        text.ok_or(MISSING)?.parse().map_err(|_| "no number")
    }
}

impl ColumnValue for Url {
    const KIND: CellKind = CellKind::Url;

    fn into_cell(self) -> Cell {
        Cell::Text(self.0)
    }

    fn from_text(text: Option<&str>) -> Result<Self, &'static str> {
        String::from_text(text).map(Self)
    }
}

impl ColumnValue for Json {
    const KIND: CellKind = CellKind::Json;

    fn into_cell(self) -> Cell {
        Cell::Json(self.0)
    }

    fn from_text(text: Option<&str>) -> Result<Self, &'static str> {
        String::from_text(text).map(Self)
    }
}

impl ColumnValue for Time {
    const KIND: CellKind = CellKind::Time;

    fn into_cell(self) -> Cell {
        Cell::Time(self.0)
    }

    fn from_text(text: Option<&str>) -> Result<Self, &'static str> {
        i64::from_text(text).map(Self)
    }
}

macro_rules! whole_numbers {
    ($($ty:ty)*) => {$(
        impl ColumnValue for $ty {
            const KIND: CellKind = CellKind::Int;

            fn into_cell(self) -> Cell {
                Cell::Int(i64::from(self))
            }

            fn from_text(text: Option<&str>) -> Result<Self, &'static str> {
                text.ok_or(MISSING)?.parse().map_err(|_| "no whole number that fits")
            }
        }
    )*};
}

// Not u64 and usize: a cell is an i64, and a column must not fail.
whole_numbers!(u8 u16 u32 i8 i16 i32 i64);
