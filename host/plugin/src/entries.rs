//! Which domains and posts of a package may be in force.

use std::fmt;

use sr_policy::allowlist::PatternError;
use sr_policy::suffix::refuse_public_suffix;
use sr_policy::url::Scheme;
use sr_policy::{Allowlist, CheckedUrl, DomainPattern};

use crate::escape::{escaped, escaped_to};
use crate::manifest::{FILE, Manifest};
use crate::path::PackagePath;
use crate::sitedata::Sitedata;

/// Advice can quote the entry, which can be anything.
const LONGEST_ADVICE: usize = 400;

/// One entry of `domains` or `posts` that cannot be in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalEntry {
    /// The file it stands in.
    pub file: String,
    /// The key: `domains` or `posts`.
    pub key: &'static str,
    /// The entry as it is written.
    pub written: String,
    /// The entry, escaped.
    pub entry: String,
    /// The rule it breaks.
    pub rule: String,
    /// What to write instead.
    pub advice: String,
}

impl fmt::Display for IllegalEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            key,
            entry,
            rule,
            advice,
            ..
        } = self;
        write!(f, "{file}: {key}: \"{entry}\": {rule}; {advice}")
    }
}

/// Every illegal entry of a package, each on its line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct IllegalEntries(pub Vec<IllegalEntry>);

impl fmt::Display for IllegalEntries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, entry) in self.0.iter().enumerate() {
            let separator = if place == 0 { "" } else { "\n" };
            write!(f, "{separator}{entry}")?;
        }
        Ok(())
    }
}

/// A package's domains and posts, sorted into legal and illegal.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// Legal domains of the manifest and of the bundled sitedata, each once.
    pub domains: Vec<String>,
    /// The same as what decides about a request.
    pub allowlist: Allowlist,
    /// Legal posts.
    pub posts: Vec<CheckedUrl>,
    /// What is not in force.
    pub illegal: Vec<IllegalEntry>,
}

/// Judges every entry of the manifest, and the domains of the bundled sitedata by the same rules.
#[must_use]
pub fn judge(manifest: &Manifest, sitedata: Option<&Sitedata>) -> Judged {
    let bundled = manifest.sitedata.as_ref().map(|source| &source.path);
    judge_entries(&manifest.domains, bundled.zip(sitedata), &manifest.posts)
}

/// [`judge`] for the entries of a manifest that may be bad elsewhere.
#[must_use]
pub fn judge_entries(
    domains: &[String],
    sitedata: Option<(&PackagePath, &Sitedata)>,
    posts: &[String],
) -> Judged {
    let mut judged = Judged::default();
    for entry in domains {
        judged.domain(FILE, entry);
    }
    if let Some((path, document)) = sitedata {
        for entry in document.domains() {
            judged.domain(path.as_str(), entry);
        }
    }
    // Only legal entries are left, so nothing is refused here.
    judged.allowlist = Allowlist::from_entries(&judged.domains).0;
    for entry in posts {
        judged.post(entry);
    }
    judged
}

impl Judged {
    fn domain(&mut self, file: &str, entry: &str) {
        let checked = entry.parse::<DomainPattern>().and_then(|pattern| {
            refuse_public_suffix(&pattern)?;
            Ok(pattern)
        });
        match checked {
            Ok(pattern) if self.domains.iter().any(|known| known == pattern.as_str()) => {}
            Ok(pattern) => self.domains.push(pattern.as_str().to_owned()),
            Err(PatternError { rule, advice, .. }) => self.illegal.push(IllegalEntry {
                file: file.to_owned(),
                key: "domains",
                written: entry.to_owned(),
                entry: escaped(entry),
                rule: rule.to_owned(),
                advice: escaped_to(&advice, LONGEST_ADVICE),
            }),
        }
    }

    fn post(&mut self, entry: &str) {
        match checked_post(entry, &self.allowlist) {
            Ok(url) => self.posts.push(url),
            Err((rule, advice)) => self.illegal.push(IllegalEntry {
                file: FILE.to_owned(),
                key: "posts",
                written: entry.to_owned(),
                entry: escaped(entry),
                rule,
                advice: escaped_to(&advice, LONGEST_ADVICE),
            }),
        }
    }
}

fn checked_post(entry: &str, allowlist: &Allowlist) -> Result<CheckedUrl, (String, String)> {
    let whole = || "write a whole https URL such as https://example.com/search".to_owned();
    let url = CheckedUrl::parse(entry).map_err(|error| (error.to_string(), whole()))?;
    if url.scheme() != Scheme::Https {
        return Err(("only https is posted to".to_owned(), whole()));
    }
    if entry.contains(['?', '#']) {
        let path = entry.split(['?', '#']).next().unwrap_or_default();
        return Err((
            "a query or fragment is not compared".to_owned(),
            format!("write {}", escaped(path)),
        ));
    }
    allowlist.check(&url).map_err(|denial| {
        let advice = denial.fix.map_or_else(whole, |fix| format!("add {fix}"));
        ("the URL is not within the domains".to_owned(), advice)
    })?;
    Ok(url)
}
