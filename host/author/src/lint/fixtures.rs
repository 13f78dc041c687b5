//! Commands of the sitedata and their fixtures, held against the component's commands.

use serde_json::Value;
use sr_policy::command::Command;

use super::finding::Findings;
use super::rule::Rule;
use super::sitedata::{SitedataFile, commands};
use super::walk::step;

/// Keys of `expect` whose keys are columns.
const BY_COLUMN: &[&str] = &["types", "patterns", "mustNotContain"];
/// Keys of `expect` that list columns.
const COLUMNS: &[&str] = &["columns", "notEmpty", "mustBeTruthy"];

pub(super) fn check(
    file: &SitedataFile,
    document: &Value,
    known: Option<&[Command]>,
    findings: &mut Findings,
) {
    for (at, name, entry) in commands(document) {
        let fixtures = entry.get("fixtures");
        if let Some(known) = known
            && !known.iter().any(|command| command.name == name)
        {
            let shown = name.escape_default();
            let alias = known
                .iter()
                .find(|command| command.aliases.iter().any(|alias| alias == name));
            let why = match alias {
                Some(command) => format!("\"{shown}\" is an alias of {}", command.name),
                None => format!("the component has no command \"{shown}\""),
            };
            let rule = match fixtures {
                Some(_) => Rule::Fixture,
                None => Rule::SitedataCommand,
            };
            findings.add(file.finding(rule, &at, why));
            continue;
        }
        let Some(fixtures) = fixtures else { continue };
        let at = format!("{at}/fixtures");
        let Some(list) = fixtures.as_array() else {
            let why = "fixtures: must be a list of {\"args\": .., \"expect\": ..}";
            findings.add(file.finding(Rule::SitedataValue, &at, why));
            continue;
        };
        let command = known.and_then(|known| known.iter().find(|one| one.name == name));
        for (index, fixture) in list.iter().enumerate() {
            let at = format!("{at}/{index}");
            if !fixture.is_object() {
                let why = "a fixture: must be {\"args\": .., \"expect\": ..}";
                findings.add(file.finding(Rule::SitedataValue, &at, why));
            } else if let Some(command) = command {
                aligned(file, &at, fixture, command, findings);
            }
        }
    }
}

fn aligned(
    file: &SitedataFile,
    at: &str,
    fixture: &Value,
    command: &Command,
    findings: &mut Findings,
) {
    let args = fixture.get("args").and_then(Value::as_object);
    for name in args.into_iter().flatten().map(|(name, _)| name) {
        if !command.args.iter().any(|arg| arg.name == *name) {
            let at = step(&format!("{at}/args"), name);
            let why = format!(
                "{} has no argument \"{}\"",
                command.name,
                name.escape_default()
            );
            findings.add(file.finding(Rule::Fixture, &at, why));
        }
    }
    let mut column = |at: &str, name: &str| {
        if !command.columns.iter().any(|column| column.name == name) {
            let why = format!(
                "{} has no column \"{}\"",
                command.name,
                name.escape_default()
            );
            findings.add(file.finding(Rule::Fixture, at, why));
        }
    };
    let Some(expect) = fixture.get("expect") else {
        return;
    };
    for key in BY_COLUMN {
        let names = expect.get(key).and_then(Value::as_object);
        for name in names.into_iter().flatten().map(|(name, _)| name) {
            column(&step(&format!("{at}/expect/{key}"), name), name);
        }
    }
    for key in COLUMNS {
        let names = expect.get(key).and_then(Value::as_array);
        for (index, name) in names.into_iter().flatten().enumerate() {
            if let Some(name) = name.as_str() {
                column(&format!("{at}/expect/{key}/{index}"), name);
            }
        }
    }
}
