//! `sr-runtime plugin inspect NAME`.

use clap::{ArgMatches, Command};
use serde_json::{Value, json};
use sr_host::Inspection;
use sr_plugin::VerifyState;
use sr_policy::{UntrustedText, exit};

use super::{name, source_text, word};
use crate::Ended;
use crate::faults::more_lines;
use crate::output::Fields;
use crate::root::Context;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("inspect")
        .about("Show a plugin's capabilities, domains, imports and hashes")
        .arg(name())
}

/// Shows what is known about one plugin; runs none of it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let inspection = context.runtime.inspect(word(matches, "name"))?;
    context.report(as_object(&inspection), || as_text(&inspection))?;
    Ok(exit::OK)
}

fn as_object(inspection: &Inspection) -> Fields {
    let entry = inspection.entry.as_ref();
    let package = inspection.package.as_ref();
    let shape = inspection
        .shape
        .as_ref()
        .and_then(|shape| shape.as_ref().ok());
    let component = package.ok().map(|package| {
        json!({
            "path": package.manifest.component.as_str(),
            "bytes": package.component.len(),
            "hash": package.component_hash.to_string(),
        })
    });
    let files: Option<Vec<Value>> = package.ok().map(|package| {
        let files = package.files.iter();
        files
            .map(|file| {
                json!({ "path": file.path, "bytes": file.bytes, "hash": file.sha256.to_string() })
            })
            .collect()
    });
    let imports: Option<Vec<String>> = shape.map(|shape| {
        let functions = shape.imports.iter().flat_map(|import| {
            let functions = import.functions.iter();
            functions.map(move |function| format!("{}.{function}", import.interface))
        });
        functions.collect()
    });
    let commands: Option<Vec<&str>> = entry.map(|entry| {
        let commands = entry.commands.iter();
        commands.map(|command| command.name.as_str()).collect()
    });
    let manifest = package.ok().map(|package| &package.manifest);
    Fields::new([
        ("name", json!(inspection.name.as_str())),
        ("state", json!(inspection.state.word())),
        (
            "source",
            json!(entry.map(|entry| source_text(&entry.source))),
        ),
        ("git", json!(entry.and_then(|entry| entry.source.git()))),
        (
            "version",
            json!(manifest.map(|manifest| manifest.version.as_str())),
        ),
        (
            "description",
            json!(manifest.map(|manifest| manifest.description.raw())),
        ),
        (
            "world",
            json!(manifest.map(|manifest| manifest.world.as_str())),
        ),
        (
            "hash",
            json!(package.ok().map(|package| package.hash.to_string())),
        ),
        ("component", json!(component)),
        ("files", json!(files)),
        ("asks", json!(package.ok().map(sr_plugin::Package::asks))),
        ("granted", json!(entry.map(|entry| &entry.grants))),
        ("effective", json!(inspection.effective)),
        ("imports", json!(imports)),
        ("wasi", json!(shape.map(|shape| &shape.wasi))),
        ("problems", json!(problems(inspection))),
        ("commands", json!(commands)),
    ])
}

fn problems(inspection: &Inspection) -> Vec<String> {
    let mut problems = Vec::new();
    if let Err(error) = &inspection.package {
        problems.push(error.to_string());
    }
    if let Some(Err(error)) = &inspection.shape {
        problems.push(error.to_string());
    }
    if let Ok(package) = &inspection.package {
        problems.extend(package.illegal_domains().iter().map(ToString::to_string));
    }
    problems
}

fn as_text(inspection: &Inspection) -> String {
    let shown = |text: &str| UntrustedText::from(text).one_line(2_000);
    let mut lines = Vec::new();
    let mut line = |name: &str, value: &str| lines.push(format!("{name:<13}{}", shown(value)));
    line("name", inspection.name.as_str());
    line("state", inspection.state.word());
    if let Some(entry) = &inspection.entry {
        line("source", &source_text(&entry.source));
        if let Some(git) = entry.source.git() {
            line("commit", git.commit.as_str());
            line("tree", git.tree.as_str());
        }
    }
    if let VerifyState::Tampered { expected, .. } = &inspection.state {
        line("lock hash", &expected.to_string());
    }
    if let Ok(package) = &inspection.package {
        let manifest = &package.manifest;
        line("version", &manifest.version);
        line("description", manifest.description.raw());
        line("world", manifest.world.as_str());
        line("hash", &package.hash.to_string());
        line(
            "component",
            &format!(
                "{} ({} bytes) {}",
                manifest.component.as_str(),
                package.component.len(),
                package.component_hash
            ),
        );
        line("asks for", &more_lines(&package.asks()).join("; "));
    }
    line("may use", &more_lines(&inspection.effective).join("; "));
    if let Some(Ok(shape)) = &inspection.shape {
        for import in &shape.imports {
            line(
                "imports",
                &format!("{}: {}", import.interface, import.functions.join(", ")),
            );
        }
        line(
            "wasi",
            &format!(
                "{} interfaces: output, clocks and random; no files, environment or sockets",
                shape.wasi.len()
            ),
        );
    }
    if let Some(entry) = &inspection.entry {
        let names: Vec<&str> = entry
            .commands
            .iter()
            .map(|command| command.name.as_str())
            .collect();
        line("commands", &names.join(", "));
    }
    for problem in problems(inspection) {
        line("problem", &problem);
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}
