//! `sr-runtime plugin update`.

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;
use sr_policy::exit;

use super::{granted, name, word};
use crate::Ended;
use crate::faults::more_lines;
use crate::output::Fields;
use crate::root::Context;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("update")
        .about("Record a plugin's folder anew, after a wanted change")
        .arg(name())
        .arg(
            Arg::new("grant")
                .long("grant")
                .action(ArgAction::SetTrue)
                .help("Allow what the new manifest asks for in addition"),
        )
}

/// Runs it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let (name, grant) = (word(matches, "name"), matches.get_flag("grant"));
    let spin = context.shell.spin("checking and compiling");
    let updated = context.runtime.update(name, grant)?;
    drop(spin);
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
        ("granted", json!(more)),
        ("withdrawn", json!(less)),
    ]);
    context.report(document, || {
        let mut text = match before == Some(updated.entry.hash) {
            true => format!("{} is unchanged\n", updated.name),
            false => format!("updated {} to {}\n", updated.name, updated.entry.version),
        };
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
