//! `sr-runtime plugin list`.

use clap::Command;
use serde_json::json;
use sr_host::{Listed, PluginState};
use sr_plugin::Placement;
use sr_policy::exit;

use super::source_text;
use crate::Ended;
use crate::output::{Fields, Format};
use crate::root::Context;

/// What a table shows of a plugin.
const COLUMNS: [&str; 5] = ["name", "version", "state", "commands", "from"];

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("list").about("List installed plugins")
}

/// Runs it.
pub(crate) fn run(context: &Context) -> Ended {
    let plugins = context.runtime.list()?;
    let format = Format::of_rows(context.format, None);
    if plugins.is_empty() && context.format.is_none_or(|format| format == Format::Table) {
        context
            .shell
            .note("no plugins installed: sr-runtime plugin install FOLDER");
    }
    match format {
        Format::Json | Format::Yaml => {
            let plugins: Vec<Fields> = plugins.iter().map(as_object).collect();
            context.shell.objects(format, &plugins)?;
        }
        _ => {
            let rows = plugins.iter().map(row).collect();
            context.shell.rows(format, &COLUMNS, rows)?;
        }
    }
    Ok(exit::OK)
}

/// For a person and a spreadsheet.
fn row(plugin: &Listed) -> Vec<String> {
    let entry = plugin.entry.as_ref();
    vec![
        plugin.name.to_string(),
        entry.map(|entry| entry.version.clone()).unwrap_or_default(),
        state(plugin).to_owned(),
        commands(plugin)
            .map(|names| names.join(", "))
            .unwrap_or_default(),
        whole_source(plugin),
    ]
}

fn as_object(plugin: &Listed) -> Fields {
    let entry = plugin.entry.as_ref();
    let installed_at = entry.map(|entry| sr_policy::date::text(entry.installed_at));
    Fields::new([
        ("name", json!(plugin.name.as_str())),
        ("version", json!(entry.map(|entry| entry.version.as_str()))),
        (
            "description",
            json!(entry.map(|entry| entry.description.as_str())),
        ),
        ("state", json!(state(plugin))),
        ("commands", json!(commands(plugin))),
        ("source", json!(from(plugin))),
        ("commit", json!(commit(plugin))),
        ("installedAt", json!(installed_at)),
        ("grants", json!(entry.map(|entry| &entry.grants))),
    ])
}

fn commit(plugin: &Listed) -> Option<&str> {
    let git = plugin.entry.as_ref()?.source.git()?;
    Some(git.commit.as_str())
}

fn whole_source(plugin: &Listed) -> String {
    match commit(plugin) {
        Some(commit) => format!("{}, commit {commit}", from(plugin)),
        None => from(plugin),
    }
}

fn commands(plugin: &Listed) -> Option<Vec<&str>> {
    let entry = plugin.entry.as_ref()?;
    Some(
        entry
            .commands
            .iter()
            .map(|command| command.name.as_str())
            .collect(),
    )
}

fn state(plugin: &Listed) -> &'static str {
    PluginState::at_a_glance(plugin.entry.as_ref(), &plugin.placement).word()
}

fn from(plugin: &Listed) -> String {
    match (&plugin.entry, &plugin.placement) {
        (Some(entry), _) => source_text(&entry.source),
        (None, Placement::Link { target, .. }) => target.display().to_string(),
        (None, _) => String::new(),
    }
}
