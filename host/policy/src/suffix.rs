//! Public suffixes: names under which strangers register.

use crate::pattern::{DomainPattern, PatternError};

/// Refuses `*.co.uk`, `*.com` and, from the list's private section, `*.github.io`.
///
/// An exact name is never refused: `co.uk` is one host. Source: publicsuffix.org, as compiled
/// into the `psl` crate.
///
/// # Errors
/// [`PatternError`] that names the entry and what to write.
pub fn refuse_public_suffix(pattern: &DomainPattern) -> Result<(), PatternError> {
    if !pattern.is_wildcard() {
        return Ok(());
    }
    let name = pattern.name();
    // A rule such as `*.kawasaki.jp` makes each name below a suffix while the name itself is none.
    let below = format!("sr-probe.{name}");
    if psl::domain_str(name).is_some() && psl::domain_str(&below).is_some() {
        return Ok(());
    }
    Err(PatternError {
        entry: pattern.as_str().to_owned(),
        rule: "a wildcard on a public suffix would allow sites of strangers",
        advice: format!("write the site's own name, such as example.{name} or *.example.{name}"),
    })
}
