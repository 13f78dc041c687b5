//! `sr-runtime plugin uninstall`.

use clap::{ArgMatches, Command};
use serde_json::json;
use sr_policy::exit;

use super::{name, word};
use crate::Ended;
use crate::output::Format;
use crate::root::Context;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("uninstall")
        .about("Take a plugin away")
        .arg(name())
}

/// Runs it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let removal = context.runtime.uninstall(word(matches, "name"))?;
    if context.format == Some(Format::Json) {
        let value = json!({ "ok": true, "name": removal.name.as_str() });
        context.shell.json(&value)?;
        return Ok(exit::OK);
    }
    context
        .shell
        .print(&format!("uninstalled {}\n", removal.name))?;
    if let Some(source) = removal.source {
        context
            .shell
            .note(&format!("its folder stays: {}", source.display()));
    }
    Ok(exit::OK)
}
