//! A call's arguments, taken out one by one as typed values.

use crate::bindings::exports::sr::runtime::plugin::Call;
use crate::spec::{ArgSpec, KindSpec};
use crate::value::{Json, Time, Url};
use crate::{Cell, Failure, Result, failure};

/// A type that an argument can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a command",
    note = "use String, a whole number up to i64, f64, bool, Url, Time, Json or an enum with #[derive(Choice)]; \
            Option<T> is optional, Vec<T> may be given more than once"
)]
pub trait ArgValue: Sized {
    /// What the command line accepts for it.
    const KIND: KindSpec;

    /// Takes the value out of the cell the host handed over.
    ///
    /// # Errors
    /// What the value should have been.
    fn from_cell(cell: Cell) -> Result<Self, &'static str>;
}

/// The arguments of one call.
#[derive(Debug)]
pub struct Arguments {
    specs: core::slice::Iter<'static, ArgSpec>,
    call: Call,
}

/// The options a person really typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given(Vec<String>);

impl Given {
    /// Whether this argument was typed, rather than filled in by its default.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|given| given == name)
    }
}

impl Arguments {
    /// Values are taken in the order of `specs`.
    #[must_use]
    pub fn new(specs: &'static [ArgSpec], call: Call) -> Self {
        Self {
            specs: specs.iter(),
            call,
        }
    }

    /// The next argument, which must be there.
    ///
    /// # Errors
    /// `invalid` when it is missing or of another type.
    pub fn required<T: ArgValue>(&mut self) -> Result<T> {
        let (name, cell) = self.next_one();
        let cell = cell.ok_or_else(|| missing(name))?;
        T::from_cell(cell).map_err(|reason| failure::invalid(name, reason))
    }

    /// The next argument, which may be absent.
    ///
    /// # Errors
    /// `invalid` when it is of another type.
    pub fn optional<T: ArgValue>(&mut self) -> Result<Option<T>> {
        let (name, cell) = self.next_one();
        cell.map(T::from_cell)
            .transpose()
            .map_err(|reason| failure::invalid(name, reason))
    }

    /// All values of the next argument, in the order given.
    ///
    /// # Errors
    /// `invalid` when one is of another type, or none is there and one is needed.
    pub fn many<T: ArgValue>(&mut self) -> Result<Vec<T>> {
        let (spec, cells) = self.next_cells();
        let name = spec.map_or("", |spec| spec.name);
        if cells.is_empty() && spec.is_some_and(|spec| spec.required) {
            return Err(missing(name));
        }
        cells
            .into_iter()
            .map(T::from_cell)
            .collect::<Result<_, _>>()
            .map_err(|reason| failure::invalid(name, reason))
    }

    /// The next argument as a flag: absent is off.
    ///
    /// # Errors
    /// `invalid` when it is of another type.
    pub fn flag(&mut self) -> Result<bool> {
        Ok(self.optional()?.unwrap_or(false))
    }

    /// Which options were typed.
    #[must_use]
    pub fn given(&self) -> Given {
        Given(self.call.given.clone())
    }

    fn next_one(&mut self) -> (&'static str, Option<Cell>) {
        let (spec, cells) = self.next_cells();
        let cell = cells
            .into_iter()
            .next_back()
            .or_else(|| spec.and_then(|spec| Some(spec.default?.cell(spec.kind))));
        (spec.map_or("", |spec| spec.name), cell)
    }

    fn next_cells(&mut self) -> (Option<&'static ArgSpec>, Vec<Cell>) {
        let spec = self.specs.next();
        let mut cells = Vec::new();
        if let Some(spec) = spec {
            for named in &mut self.call.args {
                if named.name == spec.name && !matches!(named.value, Cell::Null) {
                    cells.push(core::mem::replace(&mut named.value, Cell::Null));
                }
            }
        }
        (spec, cells)
    }
}

fn missing(name: &str) -> Failure {
    failure::invalid(name, "missing")
}

impl ArgValue for String {
    const KIND: KindSpec = KindSpec::Text;

    fn from_cell(cell: Cell) -> Result<Self, &'static str> {
        match cell {
            Cell::Text(text) | Cell::Json(text) => Ok(text),
            _ => Err("not a text"),
        }
    }
}

impl ArgValue for bool {
    const KIND: KindSpec = KindSpec::Flag;

    fn from_cell(cell: Cell) -> Result<Self, &'static str> {
        match cell {
            Cell::Flag(on) => Ok(on),
            _ => Err("not a flag"),
        }
    }
}

impl ArgValue for f64 {
    const KIND: KindSpec = KindSpec::Float;

    fn from_cell(cell: Cell) -> Result<Self, &'static str> {
        match cell {
            Cell::Float(number) => Ok(number),
            Cell::Int(number) => Ok(number as Self),
            _ => Err("not a number"),
        }
    }
}

impl ArgValue for Url {
    const KIND: KindSpec = KindSpec::Url;

    fn from_cell(cell: Cell) -> Result<Self, &'static str> {
        String::from_cell(cell).map(Self)
    }
}

impl ArgValue for Json {
    const KIND: KindSpec = KindSpec::Json;

    fn from_cell(cell: Cell) -> Result<Self, &'static str> {
        String::from_cell(cell).map(Self)
    }
}

impl ArgValue for Time {
    const KIND: KindSpec = KindSpec::Date;

    fn from_cell(cell: Cell) -> Result<Self, &'static str> {
        match cell {
            Cell::Time(ms) => Ok(Self(ms)),
            Cell::Text(text) => Self::parse(&text).ok_or("not a date"),
            _ => Err("not a date"),
        }
    }
}

macro_rules! whole_numbers {
    ($($ty:ty: $min:expr, $max:expr;)*) => {$(
        impl ArgValue for $ty {
            const KIND: KindSpec = KindSpec::Int($min, $max);

            fn from_cell(cell: Cell) -> Result<Self, &'static str> {
                match cell {
                    Cell::Int(number) => Self::try_from(number).map_err(|_| "out of range"),
                    _ => Err("not a whole number"),
                }
            }
        }
    )*};
}

whole_numbers! {
    u8: Some(0), Some(u8::MAX as i64);
    u16: Some(0), Some(u16::MAX as i64);
    u32: Some(0), Some(u32::MAX as i64);
    u64: Some(0), None;
    usize: Some(0), Some(u32::MAX as i64);
    i8: Some(i8::MIN as i64), Some(i8::MAX as i64);
    i16: Some(i16::MIN as i64), Some(i16::MAX as i64);
    i32: Some(i32::MIN as i64), Some(i32::MAX as i64);
    i64: None, None;
}
