//! `sr-runtime plugin migrate [DIR]`.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use serde_json::{Value, json};
use sr_author::migrate::{FoundCommand, FoundPlugin, Literal, Migration, Origin};
use sr_policy::{UntrustedText, exit};

use crate::Ended;
use crate::error::CommandError;
use crate::output::Fields;
use crate::root::Context;
use crate::settings::Settings;

/// Characters of a line that are shown; others wrote most of them.
const SHOWN_CHARS: usize = 500;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("migrate")
        .about("Say what opencli plugins are there and what each would need here; changes nothing")
        .arg(
            Arg::new("folder")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::DirPath)
                .help("The folder of the plugins [default: ~/.opencli/plugins]"),
        )
}

/// Runs it. No folder at the usual place is an answer; one that was named has to be there.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let named = matches.get_one::<PathBuf>("folder");
    let folder = match named {
        Some(folder) => folder.clone(),
        None => Settings::read()?.home.join(".opencli/plugins"),
    };
    let migration = sr_author::migrate(&folder)
        .map_err(|error| CommandError::new("FILES", error.to_string(), exit::GENERIC))?;
    if !migration.found && named.is_some() {
        return Err(
            CommandError::usage(format!("no such folder: {}", folder.display()))
                .hint("give the folder that holds the plugins, usually ~/.opencli/plugins"),
        );
    }
    context.report(as_object(&migration), || as_text(&migration))?;
    Ok(exit::OK)
}

fn as_object(migration: &Migration) -> Fields {
    let plugins: Vec<Fields> = migration.plugins.iter().map(plugin_object).collect();
    Fields::new([
        ("folder", json!(migration.folder.display().to_string())),
        ("found", json!(migration.found)),
    ])
    .with("plugins", plugins)
    .with("problems", json!(migration.problems))
}

fn plugin_object(plugin: &FoundPlugin) -> Fields {
    let commands: Vec<Fields> = plugin.commands.iter().map(command_object).collect();
    let capabilities: Vec<&str> = plugin.capabilities.iter().map(|one| one.name()).collect();
    Fields::new([
        ("name", json!(plugin.name)),
        ("path", json!(plugin.path.display().to_string())),
        ("source", json!(plugin.origin.as_ref().map(origin_json))),
        ("version", json!(plugin.version)),
        ("description", json!(plugin.description)),
    ])
    .with("commands", commands)
    .with("capabilities", json!(capabilities))
    .with("domains", json!(plugin.domains))
    .with("steps", json!(plugin.steps))
    .with("missing", json!(plugin.missing))
    .with("problems", json!(plugin.problems))
}

fn origin_json(origin: &Origin) -> Value {
    match origin {
        Origin::Git { url } => json!({ "kind": "git", "url": url }),
        Origin::Local { path } => json!({ "kind": "local", "path": path }),
        Origin::Monorepo {
            url,
            repository,
            folder,
        } => json!({ "kind": "monorepo", "url": url, "repository": repository, "folder": folder }),
        Origin::Text(text) => json!({ "kind": "text", "text": text }),
    }
}

fn command_object(command: &FoundCommand) -> Fields {
    Fields::new([
        ("file", json!(command.file)),
        ("line", json!(command.line)),
        ("site", json!(command.site.text())),
        ("name", json!(command.name.text())),
        ("access", json!(command.access.text())),
        ("domain", json!(command.domain.text())),
        ("strategy", json!(command.effective_strategy())),
        ("browser", json!(command.needs_browser())),
        ("arguments", json!(command.arguments)),
        ("pipeline", json!(command.pipeline)),
        ("unreadable", json!(command.unreadable())),
    ])
}

fn as_text(migration: &Migration) -> String {
    let folder = migration.folder.display();
    if !migration.found {
        return format!("nothing to migrate, there is no folder {folder}\n");
    }
    let mut text: String = migration.plugins.iter().map(plugin_text).collect();
    for problem in &migration.problems {
        text.push_str(&format!("problem: {}\n", shown(problem)));
    }
    let plugins = migration.plugins.len();
    let commands: usize = migration
        .plugins
        .iter()
        .map(|plugin| plugin.commands.len())
        .sum();
    text.push_str(&format!(
        "plugins: {plugins}, commands: {commands}, in {folder}\n"
    ));
    text
}

fn plugin_text(plugin: &FoundPlugin) -> String {
    let mut text = format!(
        "{} {}\n",
        shown(&plugin.name),
        plugin
            .version
            .as_deref()
            .map_or_else(|| "without version".to_owned(), shown)
    );
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            text.push_str(&format!("  {name:<10}{}\n", shown(value)));
        }
    };
    line("about", plugin.description.as_deref().unwrap_or_default());
    line(
        "from",
        &plugin
            .origin
            .as_ref()
            .map_or_else(|| "not recorded in the lock".to_owned(), origin_text),
    );
    line("folder", &plugin.path.display().to_string());
    for command in &plugin.commands {
        line("command", &command_text(command));
    }
    let capabilities: Vec<&str> = plugin.capabilities.iter().map(|one| one.name()).collect();
    line("asks for", &capabilities.join(", "));
    let domains: Vec<&str> = plugin.domains.iter().map(String::as_str).collect();
    line("domains", &domains.join(", "));
    for step in &plugin.steps {
        line("to do", step);
    }
    line("not yet", &plugin.missing.join(", "));
    for problem in &plugin.problems {
        line("problem", problem);
    }
    text
}

fn origin_text(origin: &Origin) -> String {
    match origin {
        Origin::Git { url } => format!("git {url}"),
        Origin::Local { path } => format!("folder {path}"),
        Origin::Monorepo { url, folder, .. } => format!("git {url}, folder {folder}"),
        Origin::Text(text) => text.clone(),
    }
}

fn command_text(command: &FoundCommand) -> String {
    let word = |value: &Literal| match value {
        Literal::Text(text) => text.clone(),
        Literal::Absent => "none".to_owned(),
        Literal::Unreadable => "not readable".to_owned(),
    };
    let strategy = command.effective_strategy().unwrap_or("not readable");
    let mut text = format!(
        "{}/{} ({}:{}): access {}, strategy {strategy}",
        word(&command.site),
        word(&command.name),
        command.file,
        command.line,
        word(&command.access),
    );
    if command.needs_browser() {
        text.push_str(", in a browser");
    }
    if command.domain != Literal::Absent {
        text.push_str(&format!(", domain {}", word(&command.domain)));
    }
    text
}

fn shown(text: &str) -> String {
    UntrustedText::from(text).one_line(SHOWN_CHARS)
}
