//! The files of a package: what cannot stand in one, and what nobody needs.

use std::collections::{BTreeMap, BTreeSet};

use icu_normalizer::ComposingNormalizerBorrowed;
use sr_plugin::{MANIFEST_FILE, ManifestParts, TreeError};

use super::finding::{Finding, Findings};
use super::rule::Rule;
use super::subject::Subject;

const LARGE: usize = 1024 * 1024;
/// What the template of a crate says it does, in manifest and README.
const TEMPLATE_WORDS: &str = "Greets people in the words of a site";
/// The site of the template.
const TEMPLATE_DOMAIN: &str = "greetings.example";

/// Files that belong to a published package whatever it does, by the start of their names.
const WELCOME: &[&str] = &[
    "readme",
    "license",
    "licence",
    "copying",
    "notice",
    "changelog",
];

/// What was refused when the folder was read.
pub(super) fn entries(subject: &Subject, findings: &mut Findings) {
    refused(&subject.refused, subject.prefix, findings);
}

/// The same for another folder of the crate.
pub(super) fn refused(faults: &[TreeError], prefix: &str, findings: &mut Findings) {
    for fault in faults {
        let file = match path(fault) {
            Some(path) => format!("{prefix}{path}"),
            None => ".".to_owned(),
        };
        findings.add(Finding::new(Rule::Entry, file, fault.to_string()));
    }
}

fn path(fault: &TreeError) -> Option<&str> {
    match fault {
        TreeError::Link { path }
        | TreeError::Special { path, .. }
        | TreeError::NotUtf8 { path }
        | TreeError::OddName { path }
        | TreeError::LongPath { path, .. }
        | TreeError::Escapes { path }
        | TreeError::SameName { path, .. }
        | TreeError::TooDeep { path }
        | TreeError::FileTooLarge { path }
        | TreeError::Io { path, .. } => Some(path),
        TreeError::TooMany | TreeError::TooLarge => None,
    }
}

/// What the package holds and should not, and the README it should hold.
pub(super) fn check(subject: &Subject, parts: &ManifestParts, findings: &mut Findings) {
    let mut used = BTreeSet::from([MANIFEST_FILE]);
    used.extend(parts.component.as_ref().map(|path| path.as_str()));
    used.extend(parts.sitedata.as_ref().map(|source| source.path.as_str()));
    let mut readme = false;
    for file in subject.tree.files() {
        let path = file.path.as_str();
        let lower = path.to_ascii_lowercase();
        readme |= lower.starts_with("readme");
        let named = subject.named(path);
        let is_component = parts
            .component
            .as_ref()
            .is_some_and(|component| component.as_str() == path);
        if file.content.len() > LARGE && !is_component {
            let why = format!("the file has {} bytes", file.content.len());
            findings.add(Finding::new(Rule::FileLarge, named.as_str(), why));
        }
        let welcome = WELCOME.iter().any(|start| lower.starts_with(start));
        if !welcome && !used.contains(path) && parts.faults.is_empty() {
            let why = "neither the manifest, the component nor the sitedata";
            findings.add(Finding::new(Rule::FileNotNeeded, named, why));
        }
    }
    if !readme && !subject.tree.files().is_empty() {
        let folder = match subject.is_crate() {
            true => "plugin",
            false => ".",
        };
        let why = "there is no README";
        findings.add(Finding::new(Rule::NoReadme, folder, why));
    }
    template_text(subject, parts, findings);
    collisions(subject, findings);
}

/// What `plugin new` wrote and nobody changed since, in a plugin that reaches another site.
fn template_text(subject: &Subject, parts: &ManifestParts, findings: &mut Findings) {
    if parts.domains.iter().any(|domain| domain == TEMPLATE_DOMAIN) {
        return;
    }
    if parts.description.raw() == TEMPLATE_WORDS {
        let why = format!("description: the words of the template: {TEMPLATE_WORDS}");
        findings.add(Finding::new(
            Rule::TemplateText,
            subject.named(MANIFEST_FILE),
            why,
        ));
    }
    for file in subject.tree.files() {
        let is_readme = file.path.to_ascii_lowercase().starts_with("readme");
        let text = String::from_utf8_lossy(&file.content);
        if is_readme && (text.contains(TEMPLATE_WORDS) || text.contains(TEMPLATE_DOMAIN)) {
            let why = "the words of the template";
            findings.add(Finding::new(
                Rule::TemplateText,
                subject.named(&file.path),
                why,
            ));
        }
    }
}

/// Names in one folder that are one name where case or Unicode form does not count.
fn collisions(subject: &Subject, findings: &mut Findings) {
    let mut folders: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in subject.tree.files() {
        let mut rest = file.path.as_str();
        loop {
            let (parent, name) = rest.rsplit_once('/').unwrap_or(("", rest));
            folders.entry(parent).or_default().insert(name);
            if parent.is_empty() {
                break;
            }
            rest = parent;
        }
    }
    for (folder, names) in folders {
        let mut known: BTreeMap<String, &str> = BTreeMap::new();
        for name in names {
            if let Some(other) = known.insert(folded(name), name) {
                let path = match folder {
                    "" => name.to_owned(),
                    folder => format!("{folder}/{name}"),
                };
                let why = format!(
                    "on some file systems it is the same as: {}",
                    other.escape_default()
                );
                findings.add(Finding::new(Rule::NameCollision, subject.named(&path), why));
            }
        }
    }
}

fn folded(name: &str) -> String {
    let composed = ComposingNormalizerBorrowed::new_nfc();
    let lower = composed.normalize(name).to_lowercase();
    composed.normalize(&lower).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_unicode_form_do_not_count() {
        assert_eq!(folded("Helper.JS"), folded("helper.js"));
        assert_eq!(folded("caf\u{e9}"), folded("CAFE\u{301}"));
        assert_ne!(folded("cafe"), folded("caf\u{e9}"));
    }
}
