//! One level of help as a document. Names, options and choices come from the tree that parses, so
//! it cannot say something else; kinds, bounds and defaults of a plugin come from the index.

use clap::{Arg, ArgAction, Command, ValueHint};
use serde_json::{Value, json};
use sr_policy::command::{self, Access, ArgKind, Column};
use sr_policy::exit::{EXIT_CODES, ExitCode};

use super::examples::{self, Line};
use crate::line::takes_value;
use crate::output::{Fields, cell_json};

/// What the help is about.
pub(crate) enum Subject<'a> {
    /// A command of the program itself.
    Own,
    /// A plugin, with its commands.
    Site(&'a str, &'a [command::Command]),
    /// One command of a plugin.
    SiteCommand(&'a str, &'a command::Command),
}

/// The document of a built command; `path` is how a person types it.
pub(crate) fn document(path: &str, command: &Command, subject: &Subject<'_>) -> Fields {
    let index = |name: &str| match subject {
        Subject::Site(_, commands) => commands.iter().find(|one| one.name == name),
        _ => None,
    };
    let own = match subject {
        Subject::SiteCommand(_, command) => Some(*command),
        _ => None,
    };
    let (runtime, options): (Vec<&Arg>, Vec<&Arg>) = command
        .get_arguments()
        .filter(|arg| !arg.is_positional() && !arg.is_hide_set())
        .partition(|arg| is_runtime(arg));
    let commands: Vec<Fields> = command
        .get_subcommands()
        .filter(|one| !one.is_hide_set() && one.get_name() != "help")
        .map(|one| summary(one, index(one.get_name())))
        .collect();
    let list = |args: &mut dyn Iterator<Item = &Arg>| -> Vec<Fields> {
        args.map(|arg| argument(arg, own)).collect()
    };
    let description = own.map_or_else(|| about(command), |own| own.summary.clone());
    let details = own.map(|own| own.details.as_str()).unwrap_or_default();
    let aliases: Vec<&str> = command.get_visible_aliases().collect();
    let mut fields = Fields::new([
        ("command", json!(path)),
        ("usage", json!(usage(command))),
        ("description", json!(description)),
        ("details", json!(details)),
        ("access", json!(own.map(|own| access(own.access)))),
        ("aliases", json!(aliases)),
    ])
    .with("commands", commands)
    .with("arguments", list(&mut command.get_positionals()))
    .with("options", list(&mut options.into_iter()))
    .with("runtime_options", list(&mut runtime.into_iter()))
    .with("examples", lines(&examples_of(path, subject)));
    if let Some(own) = own {
        let column = |column: &Column| {
            Fields::new([
                ("name", json!(column.name)),
                ("kind", json!(column.kind.name())),
                ("help", json!(column.help)),
            ])
        };
        fields.push(
            "columns",
            own.columns.iter().map(column).collect::<Vec<_>>(),
        );
        fields.push("default_format", json!(own.default_format));
    }
    if path == "sr-runtime" {
        let code = |row: &ExitCode| {
            Fields::new([
                ("code", json!(row.code)),
                ("name", json!(row.name)),
                ("meaning", json!(row.meaning)),
            ])
        };
        fields.push(
            "exit_codes",
            EXIT_CODES.iter().map(code).collect::<Vec<_>>(),
        );
    }
    fields
}

fn examples_of(path: &str, subject: &Subject<'_>) -> Vec<Line> {
    match subject {
        Subject::Own => examples::for_command(path),
        Subject::Site(site, commands) => examples::for_site(site, commands),
        Subject::SiteCommand(site, command) => examples::of_plugin(site, command.examples.iter()),
    }
}

fn lines(examples: &[Line]) -> Vec<Fields> {
    examples
        .iter()
        .map(|example| Fields::new([("line", json!(example.line)), ("says", json!(example.says))]))
        .collect()
}

fn summary(command: &Command, index: Option<&command::Command>) -> Fields {
    let description = index.map_or_else(|| about(command), |index| index.summary.clone());
    let aliases: Vec<&str> = command.get_visible_aliases().collect();
    Fields::new([
        ("name", json!(command.get_name())),
        ("usage", json!(usage(command))),
        ("description", json!(description)),
        ("access", json!(index.map(|index| access(index.access)))),
        ("aliases", json!(aliases)),
    ])
}

fn argument(arg: &Arg, command: Option<&command::Command>) -> Fields {
    let id = arg.get_id().as_str();
    let index = command.and_then(|command| command.args.iter().find(|one| one.name == id));
    let possible = match takes_value(arg) {
        true => arg.get_possible_values(),
        false => vec![],
    };
    let choices: Vec<&str> = possible
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(clap::builder::PossibleValue::get_name)
        .collect();
    let kind = index.map_or_else(|| kind(arg, &choices), |index| index.kind.name());
    let help = match index {
        Some(index) => index.help.clone(),
        None => arg.get_help().map(ToString::to_string).unwrap_or_default(),
    };
    let default = index
        .and_then(|index| index.default.as_ref())
        .map(cell_json);
    Fields::new([
        ("name", json!(arg.get_long().unwrap_or(id))),
        ("short", json!(arg.get_short())),
        ("help", json!(help)),
        ("positional", json!(arg.is_positional())),
        ("required", json!(arg.is_required_set())),
        ("many", json!(matches!(arg.get_action(), ArgAction::Append))),
        ("kind", json!(kind)),
        ("value", json!(value_name(arg))),
        ("choices", json!(choices)),
        ("range", json!(index.and_then(|index| range(&index.kind)))),
        ("default", json!(default)),
    ])
}

/// The bounds of a whole number, if it has any.
pub(crate) fn range(kind: &ArgKind) -> Option<Value> {
    match kind {
        ArgKind::Int { min, max } if min.is_some() || max.is_some() => {
            Some(json!({ "min": min, "max": max }))
        }
        _ => None,
    }
}

fn kind(arg: &Arg, choices: &[&str]) -> &'static str {
    match arg.get_value_hint() {
        _ if !takes_value(arg) => "flag",
        _ if !choices.is_empty() => "choice",
        ValueHint::FilePath => "file",
        ValueHint::DirPath => "folder",
        _ => "text",
    }
}

fn value_name(arg: &Arg) -> Option<String> {
    let names = arg.get_value_names().filter(|_| takes_value(arg))?;
    names.first().map(ToString::to_string)
}

/// Options every command takes: those of the program, and those of the runtime on a site.
fn is_runtime(arg: &Arg) -> bool {
    arg.is_global_set() || matches!(arg.get_id().as_str(), "help" | "version")
}

fn usage(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    usage.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn about(command: &Command) -> String {
    command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default()
}

/// The word for how a command acts.
pub(crate) fn access(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
    }
}
