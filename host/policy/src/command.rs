//! A plugin's commands as data: what the index, help and argument parsing are made of.

use serde::{Deserialize, Serialize};

use crate::value::{Cell, CellKind, Named, Note, Row};

/// Whether a command only reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Reads only: GET and HEAD.
    Read,
    /// Changes something; runs as `prepare`, then `commit`.
    Write,
}

/// How a command reaches its site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Public endpoints, no login.
    Public,
    /// Nothing leaves the machine.
    Local,
    /// The browser's cookies.
    Cookie,
    /// Replies the page itself asks for.
    Intercept,
    /// The page's own controls.
    Ui,
}

/// Whether a browser session outlives the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Session {
    /// A throw-away tab.
    Ephemeral,
    /// The site's own tab.
    Persistent,
}

/// What an argument accepts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArgKind {
    /// Present or not.
    Flag,
    /// A whole number, both bounds inclusive.
    Int {
        /// Smallest value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<i64>,
        /// Largest value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<i64>,
    },
    /// A finite number.
    Float,
    /// Any text.
    Text,
    /// An absolute http or https URL.
    Url,
    /// A day or a moment: `YYYY-MM-DD`, or RFC 3339.
    Date,
    /// JSON text.
    Json,
    /// One of these words.
    Choice(Vec<String>),
    /// A path, `@file` or `-`: the component gets the text.
    Content,
}

/// An [`ArgKind`] without its bounds and words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArgType {
    /// [`ArgKind::Flag`].
    Flag,
    /// [`ArgKind::Int`].
    Int,
    /// [`ArgKind::Float`].
    Float,
    /// [`ArgKind::Text`].
    Text,
    /// [`ArgKind::Url`].
    Url,
    /// [`ArgKind::Date`].
    Date,
    /// [`ArgKind::Json`].
    Json,
    /// [`ArgKind::Choice`].
    Choice,
    /// [`ArgKind::Content`].
    Content,
}

impl ArgType {
    /// What stands for a value of this kind in help and listings, in capitals.
    #[must_use]
    pub fn placeholder(self) -> &'static str {
        match self {
            Self::Int | Self::Float => "N",
            Self::Url => "URL",
            Self::Date => "DATE",
            Self::Json => "JSON",
            Self::Choice => "WORD",
            Self::Content => "FILE",
            Self::Flag | Self::Text => "TEXT",
        }
    }
}

impl From<&ArgKind> for ArgType {
    fn from(kind: &ArgKind) -> Self {
        match kind {
            ArgKind::Flag => Self::Flag,
            ArgKind::Int { .. } => Self::Int,
            ArgKind::Float => Self::Float,
            ArgKind::Text => Self::Text,
            ArgKind::Url => Self::Url,
            ArgKind::Date => Self::Date,
            ArgKind::Json => Self::Json,
            ArgKind::Choice(_) => Self::Choice,
            ArgKind::Content => Self::Content,
        }
    }
}

impl ArgKind {
    /// The kind's name in listings and messages.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Int { .. } => "int",
            Self::Float => "float",
            Self::Text => "text",
            Self::Url => "url",
            Self::Date => "date",
            Self::Json => "json",
            Self::Choice(_) => "choice",
            Self::Content => "content",
        }
    }
}

/// One argument of a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Arg {
    /// Kebab-case name; `--name` unless positional.
    pub name: String,
    /// What it accepts.
    pub kind: ArgKind,
    /// One-letter option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short: Option<String>,
    /// By place instead of by name.
    #[serde(default, skip_serializing_if = "is_default")]
    pub positional: bool,
    /// Refused without it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub required: bool,
    /// May be given more than once.
    #[serde(default, skip_serializing_if = "is_default")]
    pub many: bool,
    /// Used when it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Cell>,
    /// One line for help.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub help: String,
    /// Room for growth.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// One column of a command's rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Kebab-case name.
    pub name: String,
    /// What its cells are.
    pub kind: CellKind,
    /// One line for help.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub help: String,
    /// Room for growth.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// A command line to try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// The line, without the program and site.
    pub line: String,
    /// What it does.
    pub says: String,
}

/// How fast a command may be repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// Milliseconds between two runs.
    pub min_gap_ms: u32,
    /// Runs an hour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_hour: Option<u32>,
    /// Runs a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_day: Option<u32>,
}

/// One command of a plugin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// Kebab-case name, unique in the plugin.
    pub name: String,
    /// Other names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// One line.
    pub summary: String,
    /// Longer help.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub details: String,
    /// Read or write.
    pub access: Access,
    /// Arguments in declared order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<Arg>,
    /// Columns of its rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Column>,
    /// Lines to try.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
    /// The host it mainly speaks to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// How it reaches the site.
    pub strategy: Strategy,
    /// Needs a browser.
    #[serde(default, skip_serializing_if = "is_default")]
    pub browser: bool,
    /// Which session it prefers.
    pub session: Session,
    /// Page to open before it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub navigate_before: Option<String>,
    /// Output format when the person names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_format: Option<String>,
    /// Milliseconds for the whole run; 0 = 60,000.
    #[serde(default, skip_serializing_if = "is_default")]
    pub timeout_ms: u32,
    /// How fast it may be repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<Pace>,
    /// Room for growth.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// A command line after parsing: what the component gets.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The command's own name, never an alias.
    pub command: String,
    /// Values by name, defaults applied; a `many` argument appears once per value.
    pub args: Vec<Named>,
    /// The options a person really typed.
    pub given: Vec<String>,
}

/// What a command returned.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Output {
    /// Rows by the declared columns.
    pub rows: Vec<Row>,
    /// One line under a table.
    pub footer: Option<String>,
    /// Room for growth.
    pub notes: Vec<Note>,
}

/// What a write is about to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// One line.
    pub summary: String,
    /// What `prepare_assert` looks at.
    pub checks: Vec<Named>,
    /// What will be sent.
    pub will_send: Vec<Named>,
    /// Room for growth.
    pub notes: Vec<Note>,
}

/// What reading fills in again is not written: an index of a thousand commands is read at each start.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
