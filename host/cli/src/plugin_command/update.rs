//! `sr-runtime plugin update`.

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Value, json};
use sr_host::{UpdateOptions, Updated};
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
    let updated = context.runtime.update(word(matches, "name"), &options)?;
    drop(spin);
    warn_of_a_moved_tag(context, &updated);
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
        let mut text = match before == Some(updated.entry.hash) {
            true => format!("{} is unchanged\n", updated.name),
            false => format!("updated {} to {}\n", updated.name, updated.entry.version),
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

/// A branch is expected to move, a tag is not.
fn warn_of_a_moved_tag(context: &Context, updated: &Updated) {
    let Some((before, now)) = updated.moved() else {
        return;
    };
    if let Some(tag) = now.full_ref.as_ref().filter(|name| name.is_tag()) {
        context.shell.warn(&format!(
            "{tag} of {} was moved from {} to {}; to keep to one commit install it as #{}",
            now.from.url(),
            before.commit,
            now.commit,
            now.commit,
        ));
    }
}
