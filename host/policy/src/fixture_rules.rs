//! What rows must look like when a fixture does not give them in full.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::fixture::Object;
use crate::text_pattern::TextPattern;

/// The names of JSON's kinds, as `types` writes them.
const KINDS: [&str; 6] = ["string", "number", "boolean", "null", "array", "object"];

/// Bounds of the number of rows, both inclusive.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bounds {
    min: Option<usize>,
    max: Option<usize>,
}

/// The loose keys of `expect`, as they are written.
pub(crate) struct RawShape {
    pub(crate) row_count: Option<Value>,
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) types: Option<BTreeMap<String, String>>,
    pub(crate) patterns: Option<BTreeMap<String, String>>,
    pub(crate) not_empty: Option<Vec<String>>,
    pub(crate) must_not_contain: Option<BTreeMap<String, Vec<String>>>,
    pub(crate) must_be_truthy: Option<Vec<String>>,
}

/// The loose keys, judged.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    row_count: Bounds,
    columns: Option<Vec<String>>,
    types: BTreeMap<String, Vec<String>>,
    patterns: BTreeMap<String, (String, TextPattern)>,
    not_empty: Vec<String>,
    must_not_contain: BTreeMap<String, Vec<String>>,
    must_be_truthy: Vec<String>,
}

impl RawShape {
    pub(crate) fn is_empty(&self) -> bool {
        self.row_count.is_none()
            && self.columns.is_none()
            && self.types.is_none()
            && self.patterns.is_none()
            && self.not_empty.is_none()
            && self.must_not_contain.is_none()
            && self.must_be_truthy.is_none()
    }

    /// The shape, or the key that cannot be meant and why.
    pub(crate) fn judged(self) -> Result<Shape, (String, String)> {
        let row_count = match self.row_count {
            None => Bounds::default(),
            Some(written) => bounds(written).ok_or_else(|| {
                let reason = "a number of rows, or an object of min and max";
                ("expect.rowCount".to_owned(), reason.to_owned())
            })?,
        };
        let mut types = BTreeMap::new();
        for (column, words) in self.types.unwrap_or_default() {
            let words: Vec<String> = words
                .split('|')
                .map(|word| word.trim().to_owned())
                .collect();
            if let Some(word) = words.iter().find(|word| !KINDS.contains(&word.as_str())) {
                let reason = format!("no such type, there are {}: {word:?}", KINDS.join(", "));
                return Err((format!("expect.types.{column}"), reason));
            }
            types.insert(column, words);
        }
        let mut patterns = BTreeMap::new();
        for (column, text) in self.patterns.unwrap_or_default() {
            let pattern = TextPattern::parse(&text)
                .map_err(|error| (format!("expect.patterns.{column}"), error.to_string()))?;
            patterns.insert(column, (text, pattern));
        }
        Ok(Shape {
            row_count,
            columns: self.columns,
            types,
            patterns,
            not_empty: self.not_empty.unwrap_or_default(),
            must_not_contain: self.must_not_contain.unwrap_or_default(),
            must_be_truthy: self.must_be_truthy.unwrap_or_default(),
        })
    }
}

impl Shape {
    pub(crate) fn differences(&self, columns: &[String], rows: &[Object]) -> Vec<String> {
        let mut found = Vec::new();
        self.check_count(rows.len(), &mut found);
        if let Some(wanted) = &self.columns
            && wanted != columns
        {
            found.push(format!(
                "columns: expected {}, found {}",
                wanted.join(", "),
                columns.join(", ")
            ));
        }
        for column in self.named() {
            if !columns.contains(column) {
                found.push(format!("expected a column {column}, found no such column"));
            }
        }
        for (number, row) in (1..).zip(rows) {
            for (column, value) in row {
                for fault in self.faults(column, value) {
                    found.push(format!(
                        "row {number}, {column}: expected {fault}, found {value}"
                    ));
                }
            }
        }
        found
    }

    fn check_count(&self, rows: usize, found: &mut Vec<String>) {
        let Bounds { min, max } = self.row_count;
        if let Some(min) = min.filter(|min| rows < *min) {
            found.push(format!("rows: expected at least {min}, found {rows}"));
        }
        if let Some(max) = max.filter(|max| rows > *max) {
            found.push(format!("rows: expected at most {max}, found {rows}"));
        }
    }

    /// Every column that a rule speaks of.
    fn named(&self) -> std::collections::BTreeSet<&String> {
        self.types
            .keys()
            .chain(self.patterns.keys())
            .chain(self.must_not_contain.keys())
            .chain(&self.not_empty)
            .chain(&self.must_be_truthy)
            .collect()
    }

    fn faults(&self, column: &String, value: &Value) -> Vec<String> {
        let mut faults = Vec::new();
        if let Some(words) = self.types.get(column)
            && !words.iter().any(|word| word == kind(value))
        {
            faults.push(words.join(" or "));
        }
        if self.not_empty.contains(column) && is_empty(value) {
            faults.push("something".to_owned());
        }
        if self.must_be_truthy.contains(column) && !is_truthy(value) {
            faults.push("a value that counts as true".to_owned());
        }
        // What is not there has no text; `notEmpty` and `types` speak of that.
        if value.is_null() {
            return faults;
        }
        let text = text(value);
        if let Some((written, pattern)) = self.patterns.get(column)
            && !pattern.is_match(&text)
        {
            faults.push(format!("a text like {written:?}"));
        }
        for word in self.must_not_contain.get(column).into_iter().flatten() {
            if text.contains(word.as_str()) {
                faults.push(format!("a text without {word:?}"));
            }
        }
        faults
    }
}

fn bounds(written: Value) -> Option<Bounds> {
    if let Some(rows) = written.as_u64().and_then(|rows| usize::try_from(rows).ok()) {
        return Some(Bounds {
            min: Some(rows),
            max: Some(rows),
        });
    }
    serde_json::from_value(written).ok()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(on) => *on,
        Value::Number(number) => number.as_f64().is_some_and(|number| number != 0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
