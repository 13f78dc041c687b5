//! Domains and posts, of the manifest and of the sitedata.

use sr_plugin::{Judged, MANIFEST_FILE, ManifestParts, judge_entries};
use sr_policy::capability::Capability;
use sr_policy::{Allowlist, DomainPattern};

use super::finding::{Finding, Findings};
use super::rule::Rule;
use super::sitedata::SitedataFile;
use super::subject::Subject;

/// Judges every entry as `install` does, and gives what would be in force.
pub(super) fn check(
    subject: &Subject,
    parts: &ManifestParts,
    sitedata: Option<&SitedataFile>,
    findings: &mut Findings,
) -> Judged {
    let document = sitedata.and_then(|file| file.examined.sitedata.as_ref());
    let path = parts.sitedata.as_ref().map(|source| &source.path);
    let judged = judge_entries(&parts.domains, path.zip(document), &parts.posts);
    for illegal in &judged.illegal {
        let rule = match illegal.key {
            "posts" => Rule::Post,
            _ => Rule::Domain,
        };
        let json = match sitedata {
            Some(sitedata) if illegal.file != MANIFEST_FILE => &sitedata.examined.json,
            _ => &parts.json,
        };
        let list = format!("/{}", illegal.key);
        let pointer = json.element(&list, &illegal.written).unwrap_or(list);
        let why = format!("\"{}\": {}", illegal.entry, illegal.rule);
        let found = Finding::new(rule, subject.named(&illegal.file), why)
            .fix(illegal.advice.as_str())
            .at(&pointer, json.place(&pointer));
        findings.add(found);
    }
    covered(subject, parts, findings);
    if let (Some(file), Some(document)) = (sitedata, document) {
        widened(parts, file, document.domains(), findings);
    }
    let asks = [Capability::Fetch, Capability::Browser];
    let asks = asks.iter().find(|one| parts.capabilities.contains(one));
    if let Some(capability) = asks
        && judged.domains.is_empty()
        && judged.illegal.is_empty()
    {
        let why = format!("\"{capability}\" is asked for and no domain is named");
        let found = Finding::new(Rule::NoDomains, subject.manifest(), why);
        let at = match parts.json.place("/domains") {
            Some(_) => "/domains",
            None => "/capabilities",
        };
        findings.add(found.at(at, parts.json.place(at)));
    }
    judged
}

fn legal(entries: &[String]) -> Vec<DomainPattern> {
    Allowlist::from_entries(entries).0.patterns().to_vec()
}

fn covered(subject: &Subject, parts: &ManifestParts, findings: &mut Findings) {
    let patterns = legal(&parts.domains);
    for pattern in &patterns {
        let wider = patterns
            .iter()
            .find(|other| *other != pattern && other.covers(pattern));
        if let Some(wider) = wider {
            let why = format!("\"{pattern}\" is covered by \"{wider}\"");
            let pointer = parts.json.element("/domains", pattern.as_str());
            let pointer = pointer.unwrap_or_default();
            let found = Finding::new(Rule::DomainCovered, subject.manifest(), why);
            findings.add(found.at(&pointer, parts.json.place(&pointer)));
        }
    }
}

fn widened(
    parts: &ManifestParts,
    file: &SitedataFile,
    domains: &[String],
    findings: &mut Findings,
) {
    let (named, _) = Allowlist::from_entries(&parts.domains);
    for pattern in legal(domains) {
        if !named.covers(&pattern) {
            let json = &file.examined.json;
            let pointer = json.element("/domains", pattern.as_str());
            let pointer = pointer.unwrap_or_default();
            let why = format!("\"{pattern}\" is not within the manifest's domains");
            let found = Finding::new(Rule::DomainFromSitedata, file.file.as_str(), why);
            findings.add(found.at(&pointer, json.place(&pointer)));
        }
    }
}
