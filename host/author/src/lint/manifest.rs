//! The manifest: every fault its parser finds.

use sr_plugin::{MANIFEST_FILE, ManifestError, ManifestFault, ManifestParts};
use sr_policy::json::{JsonError, JsonFault};

use super::finding::{Finding, Findings};
use super::rule::Rule;
use super::subject::Subject;

/// Reads the manifest and goes on with its good parts.
pub(super) fn check(subject: &Subject, findings: &mut Findings) -> ManifestParts {
    let Some(file) = subject.tree.file(MANIFEST_FILE) else {
        // It was refused by name when the folder was read.
        return ManifestParts::default();
    };
    let parts = ManifestParts::examine(&file.content);
    for fault in &parts.faults {
        findings.add(finding(subject, fault));
    }
    for (key, path) in [
        ("/component", parts.component.as_ref()),
        (
            "/sitedata",
            parts.sitedata.as_ref().map(|source| &source.path),
        ),
    ] {
        let Some(path) = path else { continue };
        let elsewhere = key == "/component" && subject.is_crate();
        if !elsewhere && subject.tree.file(path.as_str()).is_none() {
            let why = format!("the package holds no such file: {path}");
            let found = Finding::new(Rule::NoFile, subject.manifest(), why);
            findings.add(found.at(key, parts.json.place(key)));
        }
    }
    parts
}

fn finding(subject: &Subject, fault: &ManifestFault) -> Finding {
    let file = subject.manifest();
    let (rule, fix) = match &fault.rule {
        ManifestError::Json(error) => return json_finding(file, error),
        ManifestError::UnknownKey { meant, .. } => (
            Rule::KeyUnknown,
            meant.map(|meant| format!("write \"{meant}\"")),
        ),
        ManifestError::MissingKey(key) => (
            Rule::KeyMissing,
            Some(format!("add \"{key}\"; docs/packages.md lists the keys")),
        ),
        ManifestError::Name(_) => (Rule::Name, None),
        ManifestError::World(_) => (Rule::World, None),
        ManifestError::Capability { meant, .. } => (
            Rule::CapabilityUnknown,
            meant.map(|meant| format!("write \"{meant}\"")),
        ),
        ManifestError::PostsNotAsked => (Rule::PostsNotAsked, None),
        ManifestError::Repeated { .. } => (Rule::Value, Some("keep one of the two".to_owned())),
        ManifestError::NotAnObject(_)
        | ManifestError::Kind { .. }
        | ManifestError::Version(_)
        | ManifestError::Description(_)
        | ManifestError::Path { .. }
        | ManifestError::ManifestPath { .. }
        | ManifestError::UpdateUrl { .. }
        | ManifestError::TooMany { .. }
        | ManifestError::Access { .. } => (Rule::Value, None),
    };
    let found = Finding::new(rule, file, fault.rule.to_string()).at(&fault.pointer, fault.place);
    match fix {
        Some(fix) => found.fix(fix),
        None => found,
    }
}

/// A fault of JSON itself, in any file.
pub(super) fn json_finding(file: String, error: &JsonError) -> Finding {
    let rule = match error.rule {
        JsonFault::DuplicateKey(_) => Rule::DuplicateKey,
        JsonFault::ByteOrderMark => Rule::ByteOrderMark,
        JsonFault::NotUtf8 { .. } => Rule::NotUtf8,
        _ => Rule::NotJson,
    };
    let place = (error.line > 0).then_some((error.line, error.column));
    Finding::new(rule, file, error.rule.to_string()).at("", place)
}
