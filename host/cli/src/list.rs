//! `sr-runtime list`: every command of every installed plugin, from the index alone.

use clap::Command as ClapCommand;
use serde::Serialize;
use serde_json::Value;
use sr_plugin::{ArgLine, CommandLine};
use sr_policy::command::{Arg, ArgKind, ArgType, Command, Session, Strategy};
use sr_policy::exit;

use crate::Ended;
use crate::error::CommandError;
use crate::help::{self, access, range};
use crate::output::{Format, cell_json};
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
    let any = match format {
        Format::Json | Format::Yaml => objects(context, format)?,
        _ => rows(context, format)?,
    };
    if !any && context.format.is_none_or(|format| format == Format::Table) {
        context
            .shell
            .note("no plugins installed: sr-runtime plugin install FOLDER");
    }
    Ok(exit::OK)
}

/// Prints all about each command; whether there was any.
fn objects(context: &Context, format: Format) -> Result<bool, CommandError> {
    let plugins = context.runtime()?.list()?;
    let commands = plugins.iter().flat_map(|plugin| {
        let commands = plugin.entry.iter().flat_map(|entry| &entry.commands);
        commands.map(|command| Listed::new(plugin.name.as_str(), command))
    });
    let commands: Vec<Listed<'_>> = commands.collect();
    context.shell.objects(format, &commands)?;
    Ok(!commands.is_empty())
}

/// Prints a row for each command; whether there was any.
fn rows(context: &Context, format: Format) -> Result<bool, CommandError> {
    let index = context.runtime()?.command_index()?;
    let sites = match &index {
        Some(index) => index.lines().map_err(sr_host::Fault::from)?,
        None => Vec::new(),
    };
    let rows = sites.iter().flat_map(|(site, commands)| {
        commands
            .iter()
            .map(move |command| row(site.as_str(), command))
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let any = !rows.is_empty();
    context.shell.rows(format, &COLUMNS, rows)?;
    Ok(any)
}

/// For a person and a spreadsheet.
fn row(site: &str, command: &CommandLine<'_>) -> Vec<String> {
    let mut name = String::with_capacity(site.len() + 1 + command.name.len());
    name.push_str(site);
    name.push(' ');
    name.push_str(&command.name);
    let mut arguments = String::new();
    for arg in &command.args {
        if !arguments.is_empty() {
            arguments.push(' ');
        }
        usage(arg, &mut arguments);
    }
    vec![
        name,
        access(command.access).to_owned(),
        arguments,
        command.summary.clone().into_owned(),
    ]
}

fn usage(arg: &ArgLine<'_>, text: &mut String) {
    if !arg.required {
        text.push('[');
    }
    match arg.positional {
        true => text.extend(arg.name.chars().flat_map(char::to_uppercase)),
        false => {
            text.push_str("--");
            text.push_str(&arg.name);
            if arg.kind != ArgType::Flag {
                text.push(' ');
                text.push_str(arg.kind.placeholder());
            }
        }
    }
    if arg.many && arg.kind != ArgType::Flag {
        text.push_str("...");
    }
    if !arg.required {
        text.push(']');
    }
}

/// A command as data. The names of the keys are a promise.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    command: String,
    site: &'a str,
    name: &'a str,
    aliases: &'a [String],
    description: &'a str,
    access: &'static str,
    strategy: Strategy,
    browser: bool,
    args: Vec<Argument<'a>>,
    columns: Vec<&'a str>,
    domain: Option<&'a str>,
    example: Option<&'a str>,
    default_format: Option<&'a str>,
    site_session: Session,
}

#[derive(Serialize)]
struct Argument<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    short: Option<&'a str>,
    required: bool,
    positional: bool,
    many: bool,
    choices: Option<&'a [String]>,
    range: Option<Value>,
    default: Option<Value>,
    help: &'a str,
}

impl<'a> Listed<'a> {
    fn new(site: &'a str, command: &'a Command) -> Self {
        let example = command.examples.first();
        Self {
            command: format!("{site}/{}", command.name),
            site,
            name: &command.name,
            aliases: &command.aliases,
            description: &command.summary,
            access: access(command.access),
            strategy: command.strategy,
            browser: command.browser,
            args: command.args.iter().map(Argument::new).collect(),
            columns: command
                .columns
                .iter()
                .map(|column| column.name.as_str())
                .collect(),
            domain: command.domain.as_deref(),
            example: example.map(|example| example.line.as_str()),
            default_format: command.default_format.as_deref(),
            site_session: command.session,
        }
    }
}

impl<'a> Argument<'a> {
    fn new(arg: &'a Arg) -> Self {
        Self {
            name: &arg.name,
            kind: arg.kind.name(),
            short: arg.short.as_deref(),
            required: arg.required,
            positional: arg.positional,
            many: arg.many,
            choices: match &arg.kind {
                ArgKind::Choice(words) => Some(words),
                _ => None,
            },
            range: range(&arg.kind),
            default: arg.default.as_ref().map(cell_json),
            help: &arg.help,
        }
    }
}
