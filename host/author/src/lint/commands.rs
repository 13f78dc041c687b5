//! Commands that pass every rule and could still be better.

use sr_policy::command::Command;
use sr_policy::{Allowlist, CheckedUrl};

use super::finding::{Finding, Findings};
use super::rule::Rule;

pub(super) fn check(
    file: &str,
    commands: &[Command],
    allowlist: &Allowlist,
    findings: &mut Findings,
) {
    for command in commands {
        let name = &command.name;
        if command.examples.is_empty() {
            let why = format!("command {name}: examples: there is none");
            findings.add(Finding::new(Rule::CommandExample, file, why));
        }
        for (field, url) in [
            (
                "domain",
                command
                    .domain
                    .as_ref()
                    .map(|host| format!("https://{host}/")),
            ),
            ("navigate-before", command.navigate_before.clone()),
        ] {
            let outside = url
                .and_then(|url| CheckedUrl::parse(&url).ok())
                .filter(|url| allowlist.check(url).is_err());
            if let Some(url) = outside {
                let why = format!(
                    "command {name}: {field}: not within the domains: {}",
                    url.host()
                );
                findings.add(Finding::new(Rule::CommandDomain, file, why));
            }
        }
    }
}
