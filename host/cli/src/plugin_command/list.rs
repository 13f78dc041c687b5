//! `sr-runtime plugin list`.

use clap::Command;
use serde_json::{Value, json};
use sr_host::Listed;
use sr_plugin::{Placement, Source};
use sr_policy::exit;

use crate::Ended;
use crate::output::{Format, Table};
use crate::root::Context;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("list").about("List installed plugins")
}

/// Runs it.
pub(crate) fn run(context: &Context) -> Ended {
    let plugins = context.runtime.list()?;
    if context.format == Some(Format::Json) {
        let rows: Value = plugins.iter().map(listed_json).collect();
        context.shell.json(&rows)?;
        return Ok(exit::OK);
    }
    if plugins.is_empty() {
        context
            .shell
            .note("no plugins installed: sr-runtime plugin install FOLDER");
        return Ok(exit::OK);
    }
    let mut table = Table::new(["name", "version", "state", "commands", "from"].map(str::to_owned));
    for plugin in &plugins {
        let entry = plugin.entry.as_ref();
        table.push([
            plugin.name.to_string(),
            entry.map_or_else(String::new, |entry| entry.version.clone()),
            state(plugin).to_owned(),
            entry.map_or_else(String::new, |entry| {
                let names: Vec<&str> = entry
                    .commands
                    .iter()
                    .map(|command| command.name.as_str())
                    .collect();
                names.join(", ")
            }),
            from(plugin),
        ]);
    }
    context.shell.table(&table)?;
    Ok(exit::OK)
}

fn listed_json(plugin: &Listed) -> Value {
    let entry = plugin.entry.as_ref();
    json!({
        "name": plugin.name.as_str(),
        "version": entry.map(|entry| entry.version.as_str()),
        "description": entry.map(|entry| entry.description.as_str()),
        "state": state(plugin),
        "commands": entry.map(|entry| {
            entry.commands.iter().map(|command| command.name.as_str()).collect::<Vec<_>>()
        }),
        "source": from(plugin),
        "installedAt": entry.map(|entry| sr_policy::date::text(entry.installed_at)),
        "grants": entry.map(|entry| &entry.grants),
    })
}

/// What can be told without reading the package; `plugin verify` tells the rest.
fn state(plugin: &Listed) -> &'static str {
    match (&plugin.entry, &plugin.placement) {
        (None, _) => "unverified",
        (_, Placement::Missing) => "missing",
        (_, Placement::Link { dangling: true, .. }) => "dangling link",
        (_, Placement::Link { .. }) => "linked",
        (_, Placement::Folder) => "copied",
        (_, Placement::Other) => "not a folder",
    }
}

fn from(plugin: &Listed) -> String {
    match (&plugin.entry, &plugin.placement) {
        (Some(entry), _) => match &entry.source {
            Source::Link { path } | Source::Copy { path } => path.display().to_string(),
        },
        (None, Placement::Link { target, .. }) => target.display().to_string(),
        (None, _) => String::new(),
    }
}
