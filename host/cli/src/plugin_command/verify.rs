//! `sr-runtime plugin verify`.

use clap::{ArgMatches, Command};
use serde_json::{Value, json};
use sr_host::{PluginState, Verdict, kind_word};
use sr_plugin::VerifyState;
use sr_policy::exit;

use super::name;
use crate::Ended;
use crate::output::Fields;
use crate::root::Context;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("verify")
        .about("Hold installed plugins against the hashes in the lock")
        .arg(name().required(false))
}

/// Runs it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let name = matches.get_one::<String>("name");
    let verdicts = context.runtime()?.verify(name.map(String::as_str))?;
    let good = verdicts.iter().all(|verdict| verdict.verdict.is_verified());
    if verdicts.is_empty() && context.format.is_none() {
        context
            .shell
            .note("no plugins installed: sr-runtime plugin install FOLDER");
    }
    let documents: Vec<Fields> = verdicts.iter().map(verdict_object).collect();
    context.report(documents, || verdicts.iter().map(verdict_text).collect())?;
    Ok(if good { exit::OK } else { exit::INTEGRITY })
}

fn verdict_object(verdict: &Verdict) -> Fields {
    let mut fields = Fields::new([
        ("name", json!(verdict.name.as_str())),
        ("state", json!(verdict.state.word())),
    ]);
    if let VerifyState::Verified { hash } = &verdict.verdict {
        fields.push("hash", json!(hash.to_string()));
    }
    if let VerifyState::BrokenEntry { faults } = &verdict.verdict {
        fields.push("faults", json!(faults));
    }
    if let VerifyState::Differs {
        expected,
        actual,
        changes,
        refused,
    } = &verdict.verdict
    {
        let changes: Value = changes
            .iter()
            .map(|change| json!({ "path": change.path, "change": kind_word(change.kind) }))
            .collect();
        fields.push("expected", json!(expected.to_string()));
        fields.push("found", json!(actual.map(|hash| hash.to_string())));
        fields.push("refused", json!(refused));
        fields.push("changes", changes);
    }
    fields
}

fn verdict_text(verdict: &Verdict) -> String {
    let shown = |text: &str| sr_policy::UntrustedText::from(text).one_line(1_000);
    let name = &verdict.name;
    let state = verdict.state.word();
    match &verdict.verdict {
        VerifyState::Verified { hash } => format!("{name}: {state} {hash}\n"),
        VerifyState::Missing => format!(
            "{name}: {state}; the lock records it, its folder is gone\n  fix: put it back, or: sr-runtime plugin uninstall {name}\n"
        ),
        VerifyState::Unverified => format!(
            "{name}: {state}; the lock does not record it\n  fix: sr-runtime plugin update {name} --grant\n"
        ),
        VerifyState::BrokenEntry { faults } => {
            let mut text = format!("{name}: {state}; its lock entry breaks a rule\n");
            for fault in faults {
                text.push_str(&format!("  fault:    {}\n", shown(fault)));
            }
            text.push_str(&format!("  fix: sr-runtime plugin update {name}\n"));
            text
        }
        VerifyState::Differs {
            expected,
            actual,
            changes,
            refused,
        } => {
            let mut text = format!("{name}: {state}\n  expected: {expected}\n");
            if let Some(actual) = actual {
                text.push_str(&format!("  found:    {actual}\n"));
            }
            if let Some(refused) = refused {
                text.push_str(&format!("  refused:  {}\n", shown(refused)));
            }
            for change in changes {
                text.push_str(&format!(
                    "  {}: {}\n",
                    kind_word(change.kind),
                    shown(&change.path)
                ));
            }
            text.push_str(&match verdict.state {
                PluginState::Changed => {
                    format!("  to record it: sr-runtime plugin update {name}\n")
                }
                _ => {
                    format!("  to take it from its source again: sr-runtime plugin update {name}\n")
                }
            });
            text
        }
    }
}
