//! `sr-runtime list`: every command of every installed plugin, from the index alone.

use clap::Command as ClapCommand;
use serde_json::json;
use sr_plugin::{ArgLine, CommandLine};
use sr_policy::command::{Arg, ArgKind, Command};
use sr_policy::exit;

use crate::Ended;
use crate::error::CommandError;
use crate::help::{self, access, range};
use crate::output::{Document, Fields, Format, cell_json};
use crate::root::Context;

/// What a table shows of a command.
const COLUMNS: [&str; 4] = ["command", "access", "arguments", "summary"];

/// The parser of this command.
pub(crate) fn parser() -> ClapCommand {
    ClapCommand::new("list")
        .about("List the commands of all installed plugins")
        .after_help(help::own_examples("sr-runtime list"))
}

/// Prints the commands.
pub(crate) fn run(context: &Context) -> Ended {
    let format = Format::of_rows(context.format, None);
    // Data tells all about a command; everything else reads no more of the lock than it shows.
    let is_data = matches!(format, Format::Json | Format::Yaml);
    let commands = if is_data {
        objects(context)?
    } else {
        rows(context)?
    };
    if commands.is_empty() && context.format.is_none_or(|format| format == Format::Table) {
        context
            .shell
            .note("no plugins installed: sr-runtime plugin install FOLDER");
    }
    let document = match is_data {
        true => Document::Many(commands),
        false => Document::List(&COLUMNS, commands),
    };
    context.shell.document(format, &document)?;
    Ok(exit::OK)
}

fn objects(context: &Context) -> Result<Vec<Fields>, CommandError> {
    let plugins = context.runtime()?.list()?;
    let commands = plugins.iter().flat_map(|plugin| {
        let commands = plugin.entry.iter().flat_map(|entry| &entry.commands);
        commands.map(|command| as_object(plugin.name.as_str(), command))
    });
    Ok(commands.collect())
}

fn rows(context: &Context) -> Result<Vec<Fields>, CommandError> {
    let sites = context.runtime()?.command_lines()?;
    let commands = sites.iter().flat_map(|(site, commands)| {
        commands
            .iter()
            .map(move |command| as_row(site.as_str(), command))
    });
    Ok(commands.collect())
}

/// For a person and a spreadsheet.
fn as_row(site: &str, command: &CommandLine) -> Fields {
    let arguments: Vec<String> = command.args.iter().map(usage).collect();
    let [
        command_column,
        access_column,
        arguments_column,
        summary_column,
    ] = COLUMNS;
    Fields::new([
        (command_column, json!(format!("{site} {}", command.name))),
        (access_column, json!(access(command.access))),
        (arguments_column, json!(arguments.join(" "))),
        (summary_column, json!(command.summary)),
    ])
}

fn usage(arg: &ArgLine) -> String {
    let many = if arg.many { "..." } else { "" };
    let word = match (arg.positional, &arg.kind) {
        (true, _) => format!("{}{many}", arg.name.to_uppercase()),
        (false, ArgKind::Flag) => format!("--{}", arg.name),
        (false, _) => format!("--{} VALUE{many}", arg.name),
    };
    if arg.required {
        word
    } else {
        format!("[{word}]")
    }
}

fn as_object(site: &str, command: &Command) -> Fields {
    let arguments: Vec<Fields> = command.args.iter().map(argument).collect();
    let columns = command.columns.iter().map(|column| column.name.as_str());
    let example = command
        .examples
        .first()
        .map(|example| example.line.as_str());
    Fields::new([
        ("command", json!(format!("{site}/{}", command.name))),
        ("site", json!(site)),
        ("name", json!(command.name)),
        ("aliases", json!(command.aliases)),
        ("description", json!(command.summary)),
        ("access", json!(access(command.access))),
        ("strategy", json!(command.strategy)),
        ("browser", json!(command.browser)),
    ])
    .with("args", arguments)
    .with("columns", columns.collect::<serde_json::Value>())
    .with("domain", json!(command.domain))
    .with("example", json!(example))
    .with("defaultFormat", json!(command.default_format))
    .with("siteSession", json!(command.session))
}

fn argument(arg: &Arg) -> Fields {
    let choices = match &arg.kind {
        ArgKind::Choice(words) => Some(words),
        _ => None,
    };
    Fields::new([
        ("name", json!(arg.name)),
        ("type", json!(arg.kind.name())),
        ("short", json!(arg.short)),
        ("required", json!(arg.required)),
        ("positional", json!(arg.positional)),
        ("many", json!(arg.many)),
        ("choices", json!(choices)),
        ("range", json!(range(&arg.kind))),
        ("default", json!(arg.default.as_ref().map(cell_json))),
        ("help", json!(arg.help)),
    ])
}
