//! `sr-runtime plugin new`.

use std::path::Path;

use clap::{Arg, ArgMatches, Command, ValueHint};
use serde_json::json;
use sr_policy::exit;

use super::{name, sdk, word};
use crate::Ended;
use crate::output::Fields;
use crate::root::Context;
use crate::settings::Settings;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("new")
        .about("Make the crate of a new plugin, which builds and runs as it is")
        .arg(name())
        .arg(
            Arg::new("dir")
                .long("dir")
                .value_name("DIR")
                .value_hint(ValueHint::DirPath)
                .help("Where to make it [default: ./NAME]"),
        )
}

/// Runs it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let name = word(matches, "name");
    let folder = matches
        .get_one::<String>("dir")
        .map_or(name, String::as_str);
    // A name that is none is told before anything is written.
    let _: sr_plugin::PluginName = name.parse().map_err(sr_author::AuthorError::from)?;
    let sdk = sdk(&Settings::read()?)?;
    let created = sr_author::create(name, Path::new(folder), &sdk)?;
    let place = created.project.root().display();
    let document = Fields::new([
        ("ok", json!(true)),
        ("name", json!(created.name.as_str())),
        ("folder", json!(place.to_string())),
        ("sdk", json!(sdk.folder().display().to_string())),
    ]);
    context.report(document, || {
        format!(
            "made {place}\n\
             next:\n\
             \x20 cd {folder}\n\
             \x20 sr-runtime plugin test\n\
             \x20 sr-runtime plugin lint\n\
             \x20 sr-runtime plugin install ./dist/{name}\n\
             \x20 sr-runtime {name} hello World --replay recordings/hello.json\n"
        )
    })?;
    Ok(exit::OK)
}
