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
        for arg in command.args.iter().filter(|arg| arg.help.trim().is_empty()) {
            let why = format!("command {name}: argument {}: it has no help", arg.name);
            findings.add(Finding::new(Rule::ArgumentHelp, file, why));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_without_help_is_named_and_one_with_help_is_not() {
        let command = serde_json::json!({
            "name": "get", "summary": "Gets it.", "details": "", "access": "read", "strategy": "public",
            "session": "ephemeral",
            "args": [
                {"name": "id", "kind": "text", "help": " "},
                {"name": "limit", "kind": {"int": {}}, "help": "How many"},
            ],
            "columns": [],
            "examples": [{"line": "get x", "says": ""}],
        });
        let command: Command = serde_json::from_value(command).unwrap();
        let mut findings = Findings::default();
        check("x.wasm", &[command], &Allowlist::default(), &mut findings);
        let report = findings.into_report();
        let [finding] = report.findings.as_slice() else {
            panic!("{:?}", report.findings);
        };
        assert_eq!(finding.rule, Rule::ArgumentHelp);
        assert_eq!(finding.why, "command get: argument id: it has no help");
    }
}
