//! The ancestor's JSON files: read leniently, because nothing is granted by them.

use cap_std::fs::Dir;
use serde_json::Value;
use sr_policy::json::{JsonRules, examine};

use super::files;

const RULES: JsonRules = JsonRules::up_to(1024 * 1024);

/// The document, if it reads; what is wrong with it is added to the problems.
pub(super) fn read(folder: &Dir, name: &str, problems: &mut Vec<String>) -> Option<Value> {
    if !files::holds(folder, name) {
        return None;
    }
    match files::read(folder, name, RULES.max_bytes) {
        Err(problem) => {
            problems.push(format!("{name} is not read: {problem}"));
            None
        }
        Ok(bytes) => {
            let examined = examine(name, &bytes, &RULES);
            problems.extend(examined.faults.iter().map(ToString::to_string));
            examined.value
        }
    }
}

/// A text of an object.
pub(super) fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}
