//! `sr-runtime list`: every command of every installed plugin, from the index alone.

use serde_json::json;
use sr_policy::command::{Access, Arg, ArgKind, Command};
use sr_policy::exit;

use crate::Ended;
use crate::output::{Format, Table, cell_json};
use crate::root::Context;

/// Prints the commands.
pub(crate) fn run(context: &Context) -> Ended {
    let plugins = context.runtime.list()?;
    let commands = plugins.iter().flat_map(|plugin| {
        plugin.entry.iter().flat_map(move |entry| {
            entry
                .commands
                .iter()
                .map(move |command| (plugin.name.as_str(), command))
        })
    });
    match context.format.unwrap_or(Format::Table) {
        Format::Json => context.shell.json(
            &commands
                .map(|(site, command)| as_json(site, command))
                .collect(),
        )?,
        Format::Table => {
            let columns = ["command", "access", "arguments", "summary"];
            let mut table = Table::new(columns.map(str::to_owned));
            for (site, command) in commands {
                table.push([
                    format!("{site} {}", command.name),
                    access(command.access).to_owned(),
                    command.args.iter().map(usage).collect::<Vec<_>>().join(" "),
                    command.summary.clone(),
                ]);
            }
            if table.is_empty() {
                context
                    .shell
                    .note("no plugins installed: sr-runtime plugin install FOLDER");
                return Ok(exit::OK);
            }
            context.shell.table(&table)?;
        }
    }
    Ok(exit::OK)
}

fn access(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
    }
}

fn usage(arg: &Arg) -> String {
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

fn as_json(site: &str, command: &Command) -> serde_json::Value {
    json!({
        "command": format!("{site}/{}", command.name),
        "site": site,
        "name": command.name,
        "aliases": command.aliases,
        "description": command.summary,
        "access": access(command.access),
        "strategy": command.strategy,
        "browser": command.browser,
        "args": command.args.iter().map(|arg| json!({
            "name": arg.name,
            "type": arg.kind.name(),
            "required": arg.required,
            "positional": arg.positional,
            "many": arg.many,
            "choices": match &arg.kind { ArgKind::Choice(words) => Some(words), _ => None },
            "default": arg.default.as_ref().map(cell_json),
            "help": arg.help,
        })).collect::<Vec<_>>(),
        "columns": command.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(),
        "domain": command.domain,
        "example": command.examples.first().map(|example| example.line.as_str()),
        "defaultFormat": command.default_format,
        "siteSession": command.session,
    })
}
