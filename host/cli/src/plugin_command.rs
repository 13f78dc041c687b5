//! `sr-runtime plugin …`.

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Value, json};
use sr_host::{InstallOptions, Listed, Verdict};
use sr_plugin::{ChangeKind, Placement, Source, VerifyState};
use sr_policy::{Grants, exit};

use crate::Ended;
use crate::error::CommandError;
use crate::faults::more_lines;
use crate::output::{Format, Table};
use crate::root::Context;

mod inspect;

/// The parser for `plugin` and below.
pub(crate) fn parser() -> Command {
    let name = || {
        Arg::new("name")
            .value_name("NAME")
            .required(true)
            .help("Name of the plugin")
    };
    Command::new("plugin")
        .about("Install and look after plugins")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            Command::new("install")
                .about("Install a built package folder and grant what its manifest asks for")
                .arg(
                    Arg::new("source")
                        .value_name("FOLDER")
                        .required(true)
                        .help("file:///absolute/path or a path"),
                )
                .arg(
                    Arg::new("copy")
                        .long("copy")
                        .action(ArgAction::SetTrue)
                        .help("Copy the folder instead of linking it"),
                ),
        )
        .subcommand(Command::new("list").about("List installed plugins"))
        .subcommand(
            Command::new("verify")
                .about("Hold installed plugins against the hashes in the lock")
                .arg(name().required(false)),
        )
        .subcommand(
            Command::new("update")
                .about("Record a plugin's folder anew, after a wanted change")
                .arg(name())
                .arg(
                    Arg::new("grant")
                        .long("grant")
                        .action(ArgAction::SetTrue)
                        .help("Allow what the new manifest asks for in addition"),
                ),
        )
        .subcommand(
            Command::new("uninstall")
                .about("Take a plugin away")
                .arg(name()),
        )
        .subcommand(
            Command::new("inspect")
                .about("Show a plugin's capabilities, domains, imports and hashes")
                .arg(name()),
        )
}

/// Runs the subcommand.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    match matches.subcommand() {
        Some(("install", matches)) => {
            let copy = matches.get_flag("copy");
            install(context, word(matches, "source"), InstallOptions { copy })
        }
        Some(("list", _)) => list(context),
        Some(("verify", matches)) => verify(context, matches.get_one::<String>("name")),
        Some(("update", matches)) => {
            update(context, word(matches, "name"), matches.get_flag("grant"))
        }
        Some(("uninstall", matches)) => uninstall(context, word(matches, "name")),
        Some(("inspect", matches)) => inspect::run(context, word(matches, "name")),
        _ => Err(CommandError::usage("plugin: no command given")),
    }
}

fn word<'a>(matches: &'a ArgMatches, name: &str) -> &'a str {
    matches.get_one::<String>(name).map_or("", String::as_str)
}

fn install(context: &Context, source: &str, options: InstallOptions) -> Ended {
    let installed = context.runtime.install(source, options)?;
    let entry = &installed.entry;
    if context.format == Some(Format::Json) {
        let value = json!({
            "ok": true,
            "name": installed.name.as_str(),
            "version": entry.version,
            "hash": entry.hash.to_string(),
            "grants": entry.grants,
            "commands": entry.commands.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(),
        });
        context.shell.json(&value)?;
        return Ok(exit::OK);
    }
    let mut text = format!("installed {} {}\n", installed.name, entry.version);
    text.push_str(&granted(installed.grants()));
    let names: Vec<&str> = entry
        .commands
        .iter()
        .map(|command| command.name.as_str())
        .collect();
    text.push_str(&format!("commands: {}\n", names.join(", ")));
    let writes = sr_host::writes(&entry.commands);
    if !writes.is_empty() {
        text.push_str(&format!("commands that write: {}\n", writes.join(", ")));
    }
    context.shell.print(&text)?;
    if entry.grants.domains.is_empty() {
        context.shell.warn(&format!(
            "{} declares no domains: every request is refused",
            installed.name
        ));
    }
    Ok(exit::OK)
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

fn update(context: &Context, name: &str, grant: bool) -> Ended {
    let updated = context.runtime.update(name, grant)?;
    let held = updated
        .before
        .as_ref()
        .map(|entry| entry.grants.clone())
        .unwrap_or_default();
    let more = updated.entry.grants.beyond(&held);
    let less = held.beyond(&updated.entry.grants);
    let before = updated.before.as_ref().map(|entry| entry.hash);
    if context.format == Some(Format::Json) {
        let value = json!({
            "ok": true,
            "name": updated.name.as_str(),
            "version": updated.entry.version,
            "hash": {
                "before": before.map(|hash| hash.to_string()),
                "now": updated.entry.hash.to_string(),
            },
            "granted": more,
            "withdrawn": less,
        });
        context.shell.json(&value)?;
        return Ok(exit::OK);
    }
    let mut text = match before == Some(updated.entry.hash) {
        true => format!("{} is unchanged\n", updated.name),
        false => format!("updated {} to {}\n", updated.name, updated.entry.version),
    };
    if !more.is_empty() {
        text.push_str(&granted(&more));
    }
    for line in more_lines(&less) {
        text.push_str(&format!("withdrawn {line}\n"));
    }
    context.shell.print(&text)?;
    Ok(exit::OK)
}

fn uninstall(context: &Context, name: &str) -> Ended {
    let removal = context.runtime.uninstall(name)?;
    if context.format == Some(Format::Json) {
        let value = json!({ "ok": true, "name": removal.name.as_str() });
        context.shell.json(&value)?;
        return Ok(exit::OK);
    }
    context
        .shell
        .print(&format!("uninstalled {}\n", removal.name))?;
    if let Some(source) = removal.source {
        context
            .shell
            .note(&format!("its folder stays: {}", source.display()));
    }
    Ok(exit::OK)
}

fn list(context: &Context) -> Ended {
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

fn verify(context: &Context, name: Option<&String>) -> Ended {
    let verdicts = context.runtime.verify(name.map(String::as_str))?;
    let good = verdicts.iter().all(|verdict| verdict.state.is_verified());
    if context.format == Some(Format::Json) {
        let rows: Value = verdicts.iter().map(verdict_json).collect();
        context.shell.json(&rows)?;
    } else {
        if verdicts.is_empty() {
            context
                .shell
                .note("no plugins installed: sr-runtime plugin install FOLDER");
        }
        let text: String = verdicts.iter().map(verdict_text).collect();
        context.shell.print(&text)?;
    }
    Ok(if good { exit::OK } else { exit::INTEGRITY })
}

fn verdict_json(verdict: &Verdict) -> Value {
    let mut value = json!({ "name": verdict.name.as_str(), "state": verdict.state.word() });
    if let (
        VerifyState::Tampered {
            expected,
            actual,
            changes,
            refused,
        },
        Value::Object(map),
    ) = (&verdict.state, &mut value)
    {
        map.insert("expected".into(), json!(expected.to_string()));
        map.insert("found".into(), json!(actual.map(|hash| hash.to_string())));
        map.insert("refused".into(), json!(refused));
        let changes: Value = changes
            .iter()
            .map(|change| json!({ "path": change.path, "change": change_word(change.kind) }))
            .collect();
        map.insert("changes".into(), changes);
    }
    value
}

fn verdict_text(verdict: &Verdict) -> String {
    let shown = |text: &str| sr_policy::UntrustedText::from(text).one_line(1_000);
    let name = &verdict.name;
    match &verdict.state {
        VerifyState::Verified { hash } => format!("{name}: verified {hash}\n"),
        VerifyState::Missing => format!(
            "{name}: missing; the lock records it, its folder is gone\n  fix: put it back, or: sr-runtime plugin uninstall {name}\n"
        ),
        VerifyState::Unverified => format!(
            "{name}: unverified; the lock does not record it\n  fix: sr-runtime plugin update {name} --grant\n"
        ),
        VerifyState::Tampered {
            expected,
            actual,
            changes,
            refused,
        } => {
            let mut text = format!("{name}: tampered\n  expected: {expected}\n");
            if let Some(actual) = actual {
                text.push_str(&format!("  found:    {actual}\n"));
            }
            if let Some(refused) = refused {
                text.push_str(&format!("  refused:  {}\n", shown(refused)));
            }
            for change in changes {
                text.push_str(&format!(
                    "  {}: {}\n",
                    change_word(change.kind),
                    shown(&change.path)
                ));
            }
            text.push_str(&format!(
                "  fix, after a wanted change: sr-runtime plugin update {name}\n"
            ));
            text
        }
    }
}

fn change_word(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
        ChangeKind::Changed => "changed",
    }
}
