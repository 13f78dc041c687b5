//! `sr-runtime plugin build`.

use std::ffi::OsString;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;
use sr_author::{Built, Workshop};
use sr_host::OpenPlugin;
use sr_policy::exit;

use super::{crate_folder, watch, word, workshop};
use crate::Ended;
use crate::error::CommandError;
use crate::output::Fields;
use crate::root::Context;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("build")
        .about("Build a plugin's crate to its package folder, dist/NAME, and check it")
        .arg(crate_folder())
        .arg(
            Arg::new("watch")
                .long("watch")
                .action(ArgAction::SetTrue)
                .help("Build again after every change, and run COMMAND if there is one"),
        )
        .arg(
            Arg::new("command")
                .value_name("COMMAND")
                .last(true)
                .num_args(1..)
                .requires("watch")
                .value_parser(clap::value_parser!(OsString))
                .help("Words after the site: a command of the plugin and its options"),
        )
}

/// Runs it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let workshop = workshop(word(matches, "folder"))?;
    if matches.get_flag("watch") {
        let words: Vec<OsString> = matches
            .get_many::<OsString>("command")
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        return watch::run(context, &workshop, &words);
    }
    build(context, &workshop)?;
    Ok(exit::OK)
}

/// Builds, checks as an install would, and says what came of it.
pub(super) fn build(context: &Context, workshop: &Workshop) -> Result<OpenPlugin, CommandError> {
    let built = workshop.build()?;
    let plugin = context.runtime()?.open_folder(&built.folder)?;
    say(context, &built, &plugin)?;
    Ok(plugin)
}

fn say(context: &Context, built: &Built, plugin: &OpenPlugin) -> Result<(), CommandError> {
    let package = plugin.package();
    let commands: Vec<&str> = plugin
        .commands
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    let component = json!({
        "bytes": package.component.len(),
        "hash": package.component_hash.to_string(),
    });
    let document = Fields::new([
        ("ok", json!(true)),
        ("name", json!(built.name.as_str())),
        ("version", json!(package.manifest.version)),
        ("folder", json!(built.folder.display().to_string())),
        ("changed", json!(built.changed)),
        ("hash", json!(package.hash.to_string())),
        ("component", component),
        ("commands", json!(commands)),
    ]);
    let note = if built.changed { "" } else { ", unchanged" };
    context.report(document, || {
        format!(
            "built {}{note}\n  component: {} bytes\n  hash: {}\n",
            near(&built.folder),
            package.component.len(),
            package.hash
        )
    })
}

/// The path from where the person is, when it lies below.
pub(super) fn near(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let below = here
        .ok()
        .and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    below.as_deref().unwrap_or(path).display().to_string()
}
