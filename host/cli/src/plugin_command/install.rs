//! `sr-runtime plugin install`.

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use serde_json::json;
use sr_host::InstallOptions;
use sr_policy::exit;

use super::{granted, word};
use crate::Ended;
use crate::output::Fields;
use crate::root::Context;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("install")
        .about("Install a built package folder and grant what its manifest asks for")
        .arg(
            Arg::new("source")
                .value_name("FOLDER")
                .value_hint(ValueHint::DirPath)
                .required(true)
                .help("file:///absolute/path or a path"),
        )
        .arg(
            Arg::new("copy")
                .long("copy")
                .action(ArgAction::SetTrue)
                .help("Copy the folder instead of linking it"),
        )
}

/// Runs it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let options = InstallOptions {
        copy: matches.get_flag("copy"),
    };
    let source = word(matches, "source");
    let spin = context.shell.spin("checking and compiling");
    let installed = context.runtime.install(source, options)?;
    drop(spin);
    let entry = &installed.entry;
    let names: Vec<&str> = entry
        .commands
        .iter()
        .map(|command| command.name.as_str())
        .collect();
    let document = Fields::new([
        ("ok", json!(true)),
        ("name", json!(installed.name.as_str())),
        ("version", json!(entry.version)),
        ("hash", json!(entry.hash.to_string())),
        ("grants", json!(entry.grants)),
        ("commands", json!(names)),
    ]);
    context.report(document, || {
        let mut text = format!("installed {} {}\n", installed.name, entry.version);
        text.push_str(&granted(installed.grants()));
        text.push_str(&format!("commands: {}\n", names.join(", ")));
        let writes = sr_host::writes(&entry.commands);
        if !writes.is_empty() {
            text.push_str(&format!("commands that write: {}\n", writes.join(", ")));
        }
        text
    })?;
    if entry.grants.domains.is_empty() {
        context.shell.warn(&format!(
            "{} declares no domains: every request is refused",
            installed.name
        ));
    }
    Ok(exit::OK)
}
