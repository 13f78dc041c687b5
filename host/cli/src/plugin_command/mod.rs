//! `sr-runtime plugin …`: one module per subcommand, each with its parser and its run.

mod build;
mod fetch_options;
mod inspect;
mod install;
mod lint;
mod list;
mod migrate;
mod new;
mod pack;
mod test;
mod uninstall;
mod update;
mod verify;
mod watch;

use std::path::Path;

use clap::{Arg, ArgMatches, Command, ValueHint};
use sr_author::{Project, Sdk, Workshop};
use sr_plugin::Home;
use sr_plugin::Source;
use sr_policy::Grants;

use crate::Ended;
use crate::error::CommandError;
use crate::faults::more_lines;
use crate::help;
use crate::root::Context;
use crate::settings::Settings;

/// The parser for `plugin` and below.
pub(crate) fn parser() -> Command {
    let parsers = [
        install::parser(),
        list::parser(),
        verify::parser(),
        update::parser(),
        uninstall::parser(),
        inspect::parser(),
        new::parser(),
        build::parser(),
        test::parser(),
        lint::parser(),
        pack::parser(),
        migrate::parser(),
    ];
    Command::new("plugin")
        .about("Install and look after plugins")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(parsers.map(with_examples))
        .after_help(help::own_examples("sr-runtime plugin"))
}

/// Adds the lines to try, behind what the subcommand says itself.
fn with_examples(parser: Command) -> Command {
    let own = parser.get_after_help().map(ToString::to_string);
    let examples = help::own_examples(&format!("sr-runtime plugin {}", parser.get_name()));
    let text = own.into_iter().chain(Some(examples)).collect::<Vec<_>>();
    parser.after_help(text.join("\n\n"))
}

/// Runs the subcommand.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    match matches.subcommand() {
        Some(("install", matches)) => install::run(context, matches),
        Some(("list", _)) => list::run(context),
        Some(("verify", matches)) => verify::run(context, matches),
        Some(("update", matches)) => update::run(context, matches),
        Some(("uninstall", matches)) => uninstall::run(context, matches),
        Some(("inspect", matches)) => inspect::run(context, matches),
        Some(("lint", matches)) => lint::run(context, matches),
        Some(("migrate", matches)) => migrate::run(context, matches),
        Some(("new", matches)) => new::run(context, matches),
        Some(("build", matches)) => build::run(context, matches),
        Some(("test", matches)) => test::run(context, matches),
        Some(("pack", matches)) => pack::run(context, matches),
        _ => Err(CommandError::usage("plugin: no command given")),
    }
}

/// The argument `NAME`.
fn name() -> Arg {
    Arg::new("name")
        .value_name("NAME")
        .required(true)
        .help("Name of the plugin")
}

/// The argument `DIR`: a plugin's crate.
fn crate_folder() -> Arg {
    Arg::new("folder")
        .value_name("DIR")
        .value_hint(ValueHint::DirPath)
        .default_value(".")
        .help("Folder of the plugin's crate")
}

/// The crate, ready for cargo.
fn workshop(folder: &str) -> Result<Workshop, CommandError> {
    let settings = Settings::read()?;
    let project = Project::open(Path::new(folder))?;
    let sdk = sdk(&settings)?;
    Ok(Workshop::open(project, &sdk, &settings.cargo_home)?)
}

fn sdk(settings: &Settings) -> Result<Sdk, CommandError> {
    let home = Home::at(&settings.home);
    Ok(Sdk::ensure(home.root_path())?)
}

fn word<'a>(matches: &'a ArgMatches, name: &str) -> &'a str {
    matches.get_one::<String>(name).map_or("", String::as_str)
}

/// Where a plugin came from: a path, or the address of a repository.
fn source_text(source: &Source) -> String {
    match source {
        Source::Link { path } | Source::Copy { path } => path.display().to_string(),
        Source::Git(origin) => origin.from.to_string(),
    }
}

fn granted(grants: &Grants) -> String {
    let lines = more_lines(grants);
    match lines.is_empty() {
        true => "granted nothing\n".to_owned(),
        false => lines
            .iter()
            .map(|line| format!("granted {line}\n"))
            .collect(),
    }
}
