//! The sitedata: what its parser finds, and what only a linter minds.

use serde_json::Value;
use sr_plugin::{ExaminedSitedata, ManifestParts, Sitedata, SitedataError};
use sr_policy::Allowlist;
use sr_policy::command::Command;

use super::finding::{Finding, Findings};
use super::rule::Rule;
use super::subject::Subject;
use super::{fixtures, manifest, patterns, urls, waits};

/// The document and the file it was read from.
pub(super) struct SitedataFile {
    /// Path from the root.
    pub(super) file: String,
    pub(super) examined: ExaminedSitedata,
}

impl SitedataFile {
    /// A finding at a value of the document.
    pub(super) fn finding(&self, rule: Rule, pointer: &str, why: impl Into<String>) -> Finding {
        let place = self.examined.json.place(pointer);
        Finding::new(rule, self.file.as_str(), why).at(pointer, place)
    }
}

/// Reads the document the manifest names.
pub(super) fn read(
    subject: &Subject,
    parts: &ManifestParts,
    findings: &mut Findings,
) -> Option<SitedataFile> {
    let source = parts.sitedata.as_ref()?;
    let path = source.path.as_str();
    let bytes = &subject.tree.file(path)?.content;
    let file = SitedataFile {
        file: subject.named(path),
        examined: Sitedata::examine(path, bytes),
    };
    for fault in &file.examined.faults {
        findings.add(match &fault.rule {
            SitedataError::Json(error) => manifest::json_finding(file.file.clone(), error),
            rule => Finding::new(Rule::SitedataValue, file.file.as_str(), rule.to_string())
                .at(&fault.pointer, fault.place),
        });
    }
    Some(file)
}

/// Looks at the keys that commands are calibrated with; docs/packages.md describes them.
pub(super) fn check(
    file: &SitedataFile,
    allowlist: &Allowlist,
    commands: Option<&[Command]>,
    findings: &mut Findings,
) {
    let Some(sitedata) = &file.examined.sitedata else {
        return;
    };
    let document = sitedata.document();
    waits::check(file, document, findings);
    patterns::check(file, document, findings);
    urls::check(file, document, allowlist, findings);
    selectors(file, document, findings);
    fixtures::check(file, document, commands, findings);
}

/// The commands of a document with their pointers.
pub(super) fn commands(document: &Value) -> impl Iterator<Item = (String, &str, &Value)> {
    let commands = document.get("commands").and_then(Value::as_object);
    commands
        .into_iter()
        .flatten()
        .map(|(name, command)| (super::walk::step("/commands", name), name.as_str(), command))
}

fn selectors(file: &SitedataFile, document: &Value, findings: &mut Findings) {
    for (at, _, command) in commands(document) {
        let own = command.get("selectors").unwrap_or(&Value::Null);
        empty_selectors(file, &format!("{at}/selectors"), own, findings);
        let Some(strategies) = command.get("strategies") else {
            continue;
        };
        let at = format!("{at}/strategies");
        let Some(list) = strategies.as_array() else {
            let why = "strategies: must be a list of {\"id\": .., \"selectors\": {..}}";
            findings.add(file.finding(Rule::SitedataValue, &at, why));
            continue;
        };
        // The command's own selectors are the strategy s0.
        let mut taken = vec!["s0"];
        for (index, strategy) in list.iter().enumerate() {
            let at = format!("{at}/{index}");
            let id = strategy.get("id").and_then(Value::as_str);
            match id {
                Some(id) if !id.is_empty() && !taken.contains(&id) => taken.push(id),
                Some(id) => {
                    let why = format!("the id is empty or taken: \"{}\"", id.escape_default());
                    findings.add(file.finding(Rule::Strategy, &at, why));
                }
                None => {
                    let why = "a strategy has an id, which is a text";
                    findings.add(file.finding(Rule::Strategy, &at, why));
                }
            }
            let theirs = strategy.get("selectors").unwrap_or(&Value::Null);
            same_keys(file, &at, own, theirs, findings);
            empty_selectors(file, &format!("{at}/selectors"), theirs, findings);
        }
    }
}

fn same_keys(file: &SitedataFile, at: &str, own: &Value, theirs: &Value, findings: &mut Findings) {
    let lacking = |from: &Value, other: &Value| -> Vec<String> {
        let keys = from.as_object().into_iter().flatten();
        keys.filter(|(key, _)| other.get(key).is_none())
            .map(|(key, _)| key.escape_default().to_string())
            .collect()
    };
    for (words, keys) in [
        ("it lacks selectors of its command", lacking(own, theirs)),
        ("its command has no such selectors", lacking(theirs, own)),
    ] {
        if !keys.is_empty() {
            let why = format!("{words}: {}", keys.join(", "));
            findings.add(file.finding(Rule::Strategy, at, why));
        }
    }
}

fn empty_selectors(file: &SitedataFile, at: &str, selectors: &Value, findings: &mut Findings) {
    for (key, css) in selectors.as_object().into_iter().flatten() {
        if css.as_str().is_some_and(|css| css.trim().is_empty()) {
            let at = super::walk::step(at, key);
            findings.add(file.finding(Rule::Selector, &at, "the selector is empty"));
        }
    }
}
