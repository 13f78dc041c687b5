//! `sr-runtime plugin install`.

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use serde_json::json;
use sr_host::InstallOptions;
use sr_plugin::GitAddress;
use sr_policy::exit;

use super::{fetch_options, granted, source_text, word};
use crate::Ended;
use crate::output::Fields;
use crate::root::Context;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    let command = Command::new("install")
        .about("Install a built package and grant what its manifest asks for")
        .arg(
            Arg::new("source")
                .value_name("SOURCE")
                .value_hint(ValueHint::DirPath)
                .required(true)
                .help(
                    "file:///absolute/path, a path, or git+https://HOST/PATH[?path=FOLDER][#REF]",
                ),
        )
        .arg(
            Arg::new("copy")
                .long("copy")
                .action(ArgAction::SetTrue)
                .help("Copy the folder instead of linking it"),
        );
    fetch_options::add(command)
}

/// Runs it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let options = InstallOptions {
        copy: matches.get_flag("copy"),
        fetch: fetch_options::read(context, matches)?,
    };
    let source = word(matches, "source");
    let spin = context.shell.spin(match GitAddress::is_meant(source) {
        true => "fetching, checking and compiling",
        false => "checking and compiling",
    });
    let installed = context.runtime()?.install(source, &options)?;
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
        ("source", json!(source_text(&entry.source))),
        (
            "commit",
            json!(entry.source.git().map(|git| git.commit.as_str())),
        ),
        ("grants", json!(entry.grants)),
        ("commands", json!(names)),
    ]);
    context.report(document, || {
        let mut text = format!("installed {} {}\n", installed.name, entry.version);
        if let Some(git) = entry.source.git() {
            text.push_str(&format!("from {}, commit {}\n", git.from, git.commit));
        }
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
