//! `sr-runtime plugin update`.

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Value, json};
use sr_host::{UpdateOptions, UpdateOutcome, Updated};
use sr_policy::exit;

use super::{fetch_options, granted, name, word};
use crate::Ended;
use crate::faults::more_lines;
use crate::output::Fields;
use crate::root::Context;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    let command = Command::new("update")
        .about("Record a plugin anew, after a wanted change of its folder or repository")
        .arg(name())
        .arg(
            Arg::new("grant")
                .long("grant")
                .action(ArgAction::SetTrue)
                .help("Allow what the new manifest asks for in addition"),
        );
    fetch_options::add(command)
}

/// Runs it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let options = UpdateOptions {
        grant: matches.get_flag("grant"),
        fetch: fetch_options::read(context, matches)?,
    };
    let spin = context.shell.spin("checking and compiling");
    let updated = context.runtime()?.update(word(matches, "name"), &options)?;
    drop(spin);
    if let Some(moved) = updated.moved_tag() {
        context.shell.warn(&moved.to_string());
    }
    let held = updated
        .before
        .as_ref()
        .map(|entry| entry.grants.clone())
        .unwrap_or_default();
    let more = updated.entry.grants.beyond(&held);
    let less = held.beyond(&updated.entry.grants);
    let before = updated.before.as_ref().map(|entry| entry.hash);
    let document = Fields::new([
        ("ok", json!(true)),
        ("name", json!(updated.name.as_str())),
        ("outcome", json!(updated.outcome.word())),
        ("version", json!(updated.entry.version)),
        (
            "hash",
            json!({
                "before": before.map(|hash| hash.to_string()),
                "now": updated.entry.hash.to_string(),
            }),
        ),
        ("commit", json!(commits(&updated))),
        ("pinned", json!(updated.pinned().is_some())),
        ("granted", json!(more)),
        ("withdrawn", json!(less)),
    ]);
    context.report(document, || {
        let (name, version) = (&updated.name, &updated.entry.version);
        let mut text = match updated.outcome {
            UpdateOutcome::Unchanged => format!("{name} is unchanged\n"),
            UpdateOutcome::Restored => {
                format!("restored {name} {version}: its files are again those of the lock\n")
            }
            UpdateOutcome::Recorded => {
                format!("recorded {name} {version}: its lock entry was made anew\n")
            }
            UpdateOutcome::Updated => format!("updated {name} to {version}\n"),
        };
        if let Some(pinned) = updated.pinned() {
            text.push_str(&format!("pinned to commit {}\n", pinned.commit));
        }
        if let Some((before, now)) = updated.moved() {
            text.push_str(&format!(
                "commit before: {}\ncommit now:    {}\n",
                before.commit, now.commit
            ));
        }
        if !more.is_empty() {
            text.push_str(&granted(&more));
        }
        for line in more_lines(&less) {
            text.push_str(&format!("withdrawn {line}\n"));
        }
        text
    })?;
    Ok(exit::OK)
}

/// The commits of a repository, before and now.
fn commits(updated: &Updated) -> Option<Value> {
    let now = updated.entry.source.git()?;
    let before = updated.before.as_ref().and_then(|entry| entry.source.git());
    Some(json!({
        "before": before.map(|git| git.commit.as_str()),
        "now": now.commit.as_str(),
    }))
}
