//! `sr-runtime plugin uninstall`.

use clap::{ArgMatches, Command};
use serde_json::json;
use sr_policy::exit;

use super::{name, word};
use crate::Ended;
use crate::output::Fields;
use crate::root::Context;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("uninstall")
        .about("Take a plugin away")
        .arg(name())
}

/// Runs it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let removal = context.runtime()?.uninstall(word(matches, "name"))?;
    let document = Fields::new([
        ("ok", json!(true)),
        ("name", json!(removal.name.as_str())),
        (
            "source",
            json!(
                removal
                    .source
                    .as_ref()
                    .map(|path| path.display().to_string())
            ),
        ),
    ]);
    context.report(document, || format!("uninstalled {}\n", removal.name))?;
    if let (Some(source), None) = (removal.source, context.format) {
        context
            .shell
            .note(&format!("its folder stays: {}", source.display()));
    }
    Ok(exit::OK)
}
