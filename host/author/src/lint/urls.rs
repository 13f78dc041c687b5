//! URLs in the sitedata that lead out of the domains.

use serde_json::Value;
use sr_policy::{Allowlist, CheckedUrl};

use super::finding::Findings;
use super::rule::Rule;
use super::sitedata::SitedataFile;
use super::walk::walk;

pub(super) fn check(
    file: &SitedataFile,
    document: &Value,
    allowlist: &Allowlist,
    findings: &mut Findings,
) {
    walk(document, &mut |pointer, _, value| {
        let Some(text) = value.as_str() else { return };
        if !text.starts_with("https://") && !text.starts_with("http://") {
            return;
        }
        let asked_for = pointer.split('/').any(|key| matches!(key, "url" | "urls"));
        let rule = match asked_for {
            true => Rule::UrlOutside,
            false => Rule::UrlElsewhere,
        };
        match CheckedUrl::parse(&filled(text)) {
            Err(error) if asked_for => {
                let why = format!("not a URL to ask for: {error}");
                findings.add(file.finding(rule, pointer, why));
            }
            // Perhaps no URL at all, only a text that starts like one.
            Err(_) => {}
            Ok(url) => {
                if let Err(denial) = allowlist.check(&url) {
                    let why = format!("not within the domains: {}", denial.subject);
                    let found = file.finding(rule, pointer, why);
                    findings.add(match denial.fix {
                        Some(line) if asked_for => found.fix(format!("add {line}")),
                        _ => found,
                    });
                }
            }
        }
    });
}

/// A template with a letter for each `{name}`, which is no part of a URL yet.
fn filled(template: &str) -> String {
    let mut made = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        made.push_str(before);
        match behind.split_once('}') {
            Some((_, after)) => {
                made.push('x');
                rest = after;
            }
            None => {
                made.push('{');
                rest = behind;
            }
        }
    }
    made.push_str(rest);
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_for_a_value_is_filled() {
        assert_eq!(filled("https://{sub}.a.com/{id}?{"), "https://x.a.com/x?{");
    }
}
