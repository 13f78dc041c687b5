//! `plugin lint`: everything that can be said about a plugin before somebody installs it.
//!
//! Nothing here judges twice: what `install` refuses is found by the parser and the policy that
//! `install` uses, asked to go on after each fault. What is only found here (a sleep, a surface
//! that is off, a file nobody needs) lies in this module.

mod built;
mod commands;
mod component;
mod domains;
mod files;
mod finding;
mod fixtures;
mod manifest;
mod patterns;
mod rule;
mod sitedata;
mod subject;
mod urls;
mod waits;
mod walk;

use std::path::Path;

pub use finding::{Finding, Report, Severity};
pub use rule::{RULES, Rule, RuleRow, markdown_rules};
pub use subject::LintError;

use finding::Findings;
use subject::Subject;

/// Looks at a package folder, or at a plugin's crate and what was built of it. Reads at most what
/// `install` reads, and writes nothing.
///
/// # Errors
/// No folder, or one that holds no plugin.
pub fn lint(folder: &Path) -> Result<Report, LintError> {
    let subject = Subject::open(folder)?;
    let mut findings = Findings::default();
    files::entries(&subject, &mut findings);
    let parts = manifest::check(&subject, &mut findings);
    let sitedata = sitedata::read(&subject, &parts, &mut findings);
    let judged = domains::check(&subject, &parts, sitedata.as_ref(), &mut findings);
    let component = match subject.component(&parts) {
        Some(file) => Some(file),
        None => built::find(&subject, &parts, &mut findings),
    };
    let commands = component
        .as_ref()
        .and_then(|file| component::check(&subject, file, &parts, &judged, &mut findings));
    if let Some(sitedata) = &sitedata {
        sitedata::check(
            sitedata,
            &judged.allowlist,
            commands.as_deref(),
            &mut findings,
        );
    }
    files::check(&subject, &parts, &mut findings);
    Ok(findings.into_report())
}
