//! A command as static data, and that data as the contract's records.
//!
//! The macros write these; nothing here is needed to write an adapter by hand.

use crate::arguments::Arguments;
use crate::bindings::exports::sr::runtime::plugin as wit;
use crate::output::PreparedWrite;
use crate::{Cell, CellKind, Command, Output, Result};

pub use wit::{Pace, Session, Strategy};

/// One command.
#[derive(Debug)]
pub struct CommandSpec {
    /// Kebab-case name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// One line.
    pub summary: &'static str,
    /// Longer help.
    pub details: &'static str,
    /// Lines to try, and what each does.
    pub examples: &'static [(&'static str, &'static str)],
    /// The host it mainly speaks to.
    pub domain: Option<&'static str>,
    /// How it reaches the site.
    pub strategy: Strategy,
    /// Which session it prefers.
    pub session: Session,
    /// Needs a browser.
    pub browser: bool,
    /// Page to open before it runs.
    pub navigate_before: Option<&'static str>,
    /// Output format when the person names none.
    pub default_format: Option<&'static str>,
    /// Milliseconds for the whole run; 0 = 60,000.
    pub timeout_ms: u32,
    /// How fast it may be repeated.
    pub pace: Option<Pace>,
    /// Arguments in the order of the function's parameters.
    pub args: &'static [ArgSpec],
    /// Columns of its rows.
    pub columns: &'static [ColumnSpec],
    /// The function behind it.
    pub entry: Entry,
}

/// The function behind a command; its variant is the command's access.
#[derive(Debug, Clone, Copy)]
pub enum Entry {
    /// Reads only.
    Read(fn(&mut Arguments) -> Result<Output>),
    /// Changes something: prepares, and commits later.
    Write(fn(&mut Arguments) -> Result<PreparedWrite>),
}

/// One argument.
#[derive(Debug)]
pub struct ArgSpec {
    /// Kebab-case name.
    pub name: &'static str,
    /// What it accepts.
    pub kind: KindSpec,
    /// One-letter option.
    pub short: Option<&'static str>,
    /// By place instead of by name.
    pub positional: bool,
    /// Refused without it.
    pub required: bool,
    /// May be given more than once.
    pub many: bool,
    /// Used when it is not given.
    pub default: Option<DefaultValue>,
    /// One line for help.
    pub help: &'static str,
}

/// What an argument accepts; see the contract's `arg-kind`.
#[derive(Debug, Clone, Copy)]
pub enum KindSpec {
    /// Present or not.
    Flag,
    /// A whole number between two bounds, both inclusive.
    Int(Option<i64>, Option<i64>),
    /// A finite number.
    Float,
    /// Any text.
    Text,
    /// An absolute http or https URL.
    Url,
    /// A day or a moment.
    Date,
    /// JSON text.
    Json,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The text of a file.
    Content,
}

/// A default as a literal.
#[derive(Debug, Clone, Copy)]
pub enum DefaultValue {
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// A text.
    Text(&'static str),
}

/// One column.
#[derive(Debug)]
pub struct ColumnSpec {
    /// Kebab-case name.
    pub name: &'static str,
    /// What its cells are.
    pub kind: CellKind,
    /// One line for help.
    pub help: &'static str,
}

/// Whether a default may stand for an argument of a kind. Checked while compiling.
#[must_use]
pub const fn fits(kind: KindSpec, value: DefaultValue) -> bool {
    match (kind, value) {
        (KindSpec::Int(min, max), DefaultValue::Int(value)) => {
            at_least(min, value) && at_most(max, value)
        }
        (KindSpec::Float, DefaultValue::Float(_) | DefaultValue::Int(_))
        | (
            KindSpec::Text | KindSpec::Url | KindSpec::Date | KindSpec::Json | KindSpec::Content,
            DefaultValue::Text(_),
        ) => true,
        (KindSpec::Choice(words), DefaultValue::Text(value)) => contains(words, value),
        _ => false,
    }
}

/// Whether a range lies within a type's own bounds. Checked while compiling.
#[must_use]
pub const fn lies_within(range: KindSpec, own: KindSpec) -> bool {
    let (KindSpec::Int(min, max), KindSpec::Int(own_min, own_max)) = (range, own) else {
        return false;
    };
    let low = match min {
        Some(min) => at_least(own_min, min) && at_most(own_max, min),
        None => own_min.is_none(),
    };
    let high = match max {
        Some(max) => at_most(own_max, max) && at_least(own_min, max),
        None => own_max.is_none(),
    };
    let ordered = match (min, max) {
        (Some(min), Some(max)) => min <= max,
        _ => true,
    };
    low && high && ordered
}

const fn at_least(bound: Option<i64>, value: i64) -> bool {
    match bound {
        Some(bound) => value >= bound,
        None => true,
    }
}

const fn at_most(bound: Option<i64>, value: i64) -> bool {
    match bound {
        Some(bound) => value <= bound,
        None => true,
    }
}

const fn contains(mut words: &[&str], word: &str) -> bool {
    while let Some((first, rest)) = words.split_first() {
        if same(first.as_bytes(), word.as_bytes()) {
            return true;
        }
        words = rest;
    }
    false
}

const fn same(mut left: &[u8], mut right: &[u8]) -> bool {
    while let (Some((a, left_rest)), Some((b, right_rest))) =
        (left.split_first(), right.split_first())
    {
        if *a != *b {
            return false;
        }
        left = left_rest;
        right = right_rest;
    }
    left.is_empty() && right.is_empty()
}

impl DefaultValue {
    /// The cell the host would hand over for it.
    #[must_use]
    pub fn cell(self, kind: KindSpec) -> Cell {
        match (self, kind) {
            (Self::Int(value), KindSpec::Float) => Cell::Float(value as f64),
            (Self::Int(value), _) => Cell::Int(value),
            (Self::Float(value), _) => Cell::Float(value),
            (Self::Text(text), KindSpec::Json) => Cell::Json(text.to_owned()),
            (Self::Text(text), _) => Cell::Text(text.to_owned()),
        }
    }
}

impl KindSpec {
    fn to_wit(self) -> wit::ArgKind {
        match self {
            Self::Flag => wit::ArgKind::Flag,
            Self::Int(min, max) => wit::ArgKind::Int(wit::Span { min, max }),
            Self::Float => wit::ArgKind::Float,
            Self::Text => wit::ArgKind::Text,
            Self::Url => wit::ArgKind::Url,
            Self::Date => wit::ArgKind::Date,
            Self::Json => wit::ArgKind::Json,
            Self::Choice(words) => wit::ArgKind::Choice(owned(words)),
            Self::Content => wit::ArgKind::Content,
        }
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

impl CommandSpec {
    /// The record the host reads.
    #[must_use]
    pub fn to_wit(&self) -> Command {
        Command {
            name: self.name.to_owned(),
            aliases: owned(self.aliases),
            summary: self.summary.to_owned(),
            details: self.details.to_owned(),
            access: match self.entry {
                Entry::Read(_) => wit::Access::Read,
                Entry::Write(_) => wit::Access::Write,
            },
            args: self.args.iter().map(ArgSpec::to_wit).collect(),
            columns: self.columns.iter().map(ColumnSpec::to_wit).collect(),
            examples: self
                .examples
                .iter()
                .map(|(line, says)| wit::Example {
                    line: (*line).to_owned(),
                    says: (*says).to_owned(),
                })
                .collect(),
            domain: self.domain.map(str::to_owned),
            strategy: self.strategy,
            browser: self.browser,
            session: self.session,
            navigate_before: self.navigate_before.map(str::to_owned),
            default_format: self.default_format.map(str::to_owned),
            timeout_ms: self.timeout_ms,
            pace: self.pace,
            notes: Vec::new(),
        }
    }
}

impl ArgSpec {
    fn to_wit(&self) -> wit::Arg {
        wit::Arg {
            name: self.name.to_owned(),
            kind: self.kind.to_wit(),
            short: self.short.map(str::to_owned),
            positional: self.positional,
            required: self.required,
            many: self.many,
            default: self.default.map(|value| value.cell(self.kind)),
            help: self.help.to_owned(),
            notes: Vec::new(),
        }
    }
}

impl ColumnSpec {
    fn to_wit(&self) -> wit::Column {
        wit::Column {
            name: self.name.to_owned(),
            kind: self.kind,
            help: self.help.to_owned(),
            notes: Vec::new(),
        }
    }
}
