//! Patterns in the sitedata, judged by the engine that will run them.

use serde_json::Value;
use sr_policy::TextPattern;

use super::finding::Findings;
use super::rule::Rule;
use super::sitedata::SitedataFile;
use super::walk::walk;

pub(super) fn check(file: &SitedataFile, document: &Value, findings: &mut Findings) {
    walk(document, &mut |pointer, key, value| {
        if key == "pattern" {
            judge(file, pointer, value, findings);
        } else if key == "patterns" {
            // Its elements have the same key and are visited by themselves.
            match value {
                Value::Array(_) => {}
                Value::Object(map) => {
                    for (key, value) in map {
                        judge(file, &super::walk::step(pointer, key), value, findings);
                    }
                }
                other => judge(file, pointer, other, findings),
            }
        }
    });
}

fn judge(file: &SitedataFile, pointer: &str, value: &Value, findings: &mut Findings) {
    let Some(pattern) = value.as_str() else {
        let why = "a pattern: must be a text";
        findings.add(file.finding(Rule::SitedataValue, pointer, why));
        return;
    };
    if let Err(error) = TextPattern::parse(pattern) {
        findings.add(file.finding(Rule::Pattern, pointer, error.to_string()));
    }
}
