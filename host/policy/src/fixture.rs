//! A fixture: a command line, recorded replies, and what must come of them. The same document is
//! judged natively and in the real host, so the rules are here.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::exit;
use crate::failure::Failure;
use crate::fixture_rules::{RawShape, Shape};
use crate::json::{self, JsonError, JsonRules};
use crate::value::Row;

/// Bytes of a fixture.
pub const BYTES: usize = 4 * 1024 * 1024;
/// Differences that are told; the first ones say what is wrong.
const TOLD: usize = 20;

/// One row as an object, by column.
pub(crate) type Object = Map<String, Value>;

/// A fixture that was read and makes sense.
#[derive(Debug, Clone)]
pub struct Fixture {
    /// The file's name without `.json`.
    pub name: String,
    /// The words after the site, as on the command line.
    pub command: Vec<String>,
    /// The recording, relative to the plugin's crate, `/` between components.
    pub replay: String,
    expect: Expectation,
}

#[derive(Debug, Clone)]
enum Expectation {
    /// Exactly these rows.
    Rows(Vec<Object>),
    Failure {
        code: Option<String>,
        exit: Option<u8>,
    },
    /// Rows of this kind.
    Shape(Shape),
}

/// What a command came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It returned rows.
    Rows {
        /// The names of the columns.
        columns: Vec<String>,
        /// The rows by these columns.
        rows: Vec<Row>,
    },
    /// It failed.
    Failed {
        /// The stable code, see [`exit::code_for`].
        code: String,
        /// The exit code it ends with.
        exit: u8,
        /// Why, for a person; never compared.
        message: String,
    },
}

/// A fixture that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FixtureError {
    /// Not JSON, or not a fixture.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// A key has a value that cannot be meant.
    #[error("{file}: {key}: {reason}")]
    Key {
        /// The file, as the caller named it.
        file: String,
        /// The key.
        key: String,
        /// Why.
        reason: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFixture {
    command: Vec<String>,
    replay: String,
    expect: RawExpect,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RawExpect {
    rows: Option<Vec<Object>>,
    code: Option<String>,
    exit: Option<u8>,
    row_count: Option<Value>,
    columns: Option<Vec<String>>,
    types: Option<BTreeMap<String, String>>,
    patterns: Option<BTreeMap<String, String>>,
    not_empty: Option<Vec<String>>,
    must_not_contain: Option<BTreeMap<String, Vec<String>>>,
    must_be_truthy: Option<Vec<String>>,
}

impl Fixture {
    /// Reads a fixture; `file` is how errors call it.
    ///
    /// # Errors
    /// Not JSON, an unknown key, a type or pattern that does not exist, nothing expected.
    pub fn parse(name: &str, file: &str, bytes: &[u8]) -> Result<Self, FixtureError> {
        let raw: RawFixture = json::parse(file, bytes, &JsonRules::up_to(BYTES))?;
        let refuse = |key: &str, reason: String| FixtureError::Key {
            file: file.to_owned(),
            key: key.to_owned(),
            reason,
        };
        if raw.command.is_empty() {
            return Err(refuse("command", "a fixture runs a command".into()));
        }
        let inside = |part: &str| !matches!(part, "" | "." | "..");
        if !raw.replay.split('/').all(inside) {
            let reason = "a path in the plugin's crate, such as recordings/NAME.json";
            return Err(refuse("replay", reason.into()));
        }
        let expect = expectation(raw.expect).map_err(|(key, reason)| refuse(&key, reason))?;
        Ok(Self {
            name: name.to_owned(),
            command: raw.command,
            replay: raw.replay,
            expect,
        })
    }

    /// What is not as expected, one line each; none when the fixture holds.
    #[must_use]
    pub fn differences(&self, outcome: &Outcome) -> Vec<String> {
        let mut found = match (&self.expect, outcome) {
            (Expectation::Failure { code, exit }, Outcome::Failed { .. }) => {
                failure_differences(code.as_deref(), *exit, outcome)
            }
            (Expectation::Failure { .. }, Outcome::Rows { rows, .. }) => {
                vec![format!("expected a failure, found {} rows", rows.len())]
            }
            (_, Outcome::Failed { code, message, .. }) => {
                vec![format!("expected rows, found {code}: {message}")]
            }
            (Expectation::Rows(wanted), Outcome::Rows { columns, rows }) => {
                row_differences(wanted, &objects(columns, rows))
            }
            (Expectation::Shape(shape), Outcome::Rows { columns, rows }) => {
                shape.differences(columns, &objects(columns, rows))
            }
        };
        let more = found.len().saturating_sub(TOLD);
        if more > 0 {
            found.truncate(TOLD);
            found.push(format!("and {more} more"));
        }
        found
    }
}

impl Outcome {
    /// A failure of the command, as the program would end with it.
    #[must_use]
    pub fn failed(failure: &Failure, message: String) -> Self {
        Self::Failed {
            code: exit::code_for(failure).to_owned(),
            exit: exit::for_failure(failure),
            message,
        }
    }
}

fn expectation(raw: RawExpect) -> Result<Expectation, (String, String)> {
    let shape = RawShape {
        row_count: raw.row_count,
        columns: raw.columns,
        types: raw.types,
        patterns: raw.patterns,
        not_empty: raw.not_empty,
        must_not_contain: raw.must_not_contain,
        must_be_truthy: raw.must_be_truthy,
    };
    let fails = raw.code.is_some() || raw.exit.is_some();
    match (raw.rows, fails, shape.is_empty()) {
        (Some(rows), false, true) => Ok(Expectation::Rows(rows)),
        (None, true, true) => Ok(Expectation::Failure {
            code: raw.code,
            exit: raw.exit,
        }),
        (None, false, false) => shape.judged().map(Expectation::Shape),
        (None, false, true) => Err((
            "expect".into(),
            "nothing is expected; write rows, code and exit, or rowCount, columns, types, patterns, notEmpty, mustNotContain, mustBeTruthy".into(),
        )),
        _ => Err((
            "expect".into(),
            "one of: exact rows, a failure by code and exit, or the other keys".into(),
        )),
    }
}

fn failure_differences(code: Option<&str>, exit: Option<u8>, outcome: &Outcome) -> Vec<String> {
    let Outcome::Failed {
        code: found,
        exit: ended,
        message,
    } = outcome
    else {
        return vec![];
    };
    let mut differences = Vec::new();
    if let Some(code) = code.filter(|code| code != found) {
        differences.push(format!("code: expected {code}, found {found}: {message}"));
    }
    if let Some(exit) = exit.filter(|exit| exit != ended) {
        differences.push(format!("exit: expected {exit}, found {ended} ({found})"));
    }
    differences
}

fn objects(columns: &[String], rows: &[Row]) -> Vec<Object> {
    let object = |row: &Row| {
        let cells = row.iter().map(crate::value::Cell::to_json);
        columns.iter().cloned().zip(cells).collect()
    };
    rows.iter().map(object).collect()
}

fn row_differences(wanted: &[Object], found: &[Object]) -> Vec<String> {
    let mut differences = Vec::new();
    if wanted.len() != found.len() {
        differences.push(format!(
            "rows: expected {}, found {}",
            wanted.len(),
            found.len()
        ));
    }
    for (number, (wanted, found)) in (1..).zip(wanted.iter().zip(found)) {
        for (column, value) in wanted {
            match found.get(column) {
                None => differences.push(format!(
                    "row {number}, {column}: expected {value}, found no such column"
                )),
                Some(other) if !same(value, other) => differences.push(format!(
                    "row {number}, {column}: expected {value}, found {other}"
                )),
                Some(_) => {}
            }
        }
        for (column, value) in found {
            if !wanted.contains_key(column) {
                differences.push(format!(
                    "row {number}, {column}: expected no such column, found {value}"
                ));
            }
        }
    }
    differences
}

/// Equal as JSON, where 7 and 7.0 are one number.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64().is_some_and(|one| Some(one) == other.as_f64())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}
