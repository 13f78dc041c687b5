//! `sr-runtime plugin inspect NAME|FOLDER`.

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;
use sr_host::{ComponentFacts, Inspection, Limit, limits};
use sr_plugin::{FileEntry, LockEntry, SERVED_WORLD, Source, VerifyState};
use sr_policy::{UntrustedText, exit};

use super::{source_text, word};
use crate::Ended;
use crate::error::CommandError;
use crate::faults::more_lines;
use crate::output::Fields;
use crate::root::Context;

/// Files that are listed one by one for a person; `-f json` has all.
const FILES: usize = 50;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("inspect")
        .about("Show a plugin's capabilities, domains, imports, hashes, sizes and limits")
        .arg(
            Arg::new("name")
                .value_name("NAME|FOLDER")
                .required(true)
                .help("Name of an installed plugin, or a package folder: a path with a slash"),
        )
        .arg(
            Arg::new("wit")
                .long("wit")
                .action(ArgAction::SetTrue)
                .help("Show the component's imports and exports as WIT, and nothing else"),
        )
}

/// Shows what is known about one plugin; runs none of it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let inspection = inspect(context, word(matches, "name"))?;
    if matches.get_flag("wit") {
        let Inspection {
            package, component, ..
        } = inspection;
        package?;
        let wit = component.map(|component| component.wit).transpose()?;
        let wit = wit.unwrap_or_default();
        context.report(Fields::new([("wit", json!(wit))]), || wit.clone())?;
        return Ok(exit::OK);
    }
    context.report(as_object(&inspection), || as_text(&inspection))?;
    Ok(exit::OK)
}

/// A folder needs no home; with one, what is compiled of it is told too.
fn inspect(context: &Context, word: &str) -> Result<Inspection, CommandError> {
    match context.runtime() {
        Ok(runtime) => Ok(runtime.inspect(word)?),
        Err(_) if sr_host::is_folder(word) => Ok(sr_host::inspect_folder(word, None)?),
        Err(error) => Err(error),
    }
}

fn as_object(inspection: &Inspection) -> Fields {
    let entry = inspection.entry.as_ref();
    let package = inspection.package.as_ref().ok();
    let manifest = package.map(|package| &package.manifest);
    let facts = inspection.component.as_ref();
    let shape = facts.and_then(|component| component.shape.as_ref().ok());
    let component = package.zip(facts).map(|(package, component)| {
        json!({
            "path": package.manifest.component.as_str(),
            "hash": package.component_hash.to_string(),
            "bytes": component.sizes.total,
            "code": component.sizes.code,
            "data": component.sizes.data,
            "custom": component.sizes.custom,
            "other": component.sizes.other,
            "compiled": component.compiled,
        })
    });
    let world = json!({
        "asked": manifest.map(|manifest| manifest.world.as_str()),
        "built": shape.map(|shape| shape.version.text.as_str()),
        "offered": SERVED_WORLD,
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
    let installed_at = entry.map(|entry| sr_policy::date::text(entry.installed_at));
    let hash = inspection.files.as_ref().map(|(hash, _)| hash.to_string());
    let mut fields = Fields::new([
        (
            "name",
            json!(inspection.name.as_ref().map(|name| name.as_str())),
        ),
        ("state", json!(inspection.state.word())),
        ("folder", json!(inspection.folder.to_string_lossy())),
        ("placed", json!(entry.map(placed))),
        (
            "source",
            json!(entry.map(|entry| source_text(&entry.source))),
        ),
        ("git", json!(entry.and_then(|entry| entry.source.git()))),
        ("installedAt", json!(installed_at)),
        (
            "version",
            json!(manifest.map(|manifest| manifest.version.as_str())),
        ),
        (
            "description",
            json!(manifest.map(|manifest| manifest.description.raw())),
        ),
        ("world", world),
        ("hash", json!(hash)),
        ("lockHash", json!(entry.map(|entry| entry.hash.to_string()))),
        ("component", json!(component)),
    ]);
    match &inspection.files {
        Some((_, files)) => fields.push("files", files.iter().map(file).collect::<Vec<_>>()),
        None => fields.push("files", json!(null)),
    }
    fields
        .with("asks", json!(package.map(sr_plugin::Package::asks)))
        .with("granted", json!(entry.map(|entry| &entry.grants)))
        .with("effective", json!(inspection.effective))
        .with("imports", json!(imports))
        .with("wasi", json!(shape.map(|shape| &shape.wasi)))
        .with(
            "wit",
            json!(facts.and_then(|component| component.wit.as_ref().ok())),
        )
        .with("limits", limits().iter().map(limit).collect::<Vec<_>>())
        .with("problems", json!(problems(inspection)))
        .with("commands", json!(commands))
}

fn file(file: &FileEntry) -> Fields {
    Fields::new([
        ("path", json!(file.path)),
        ("bytes", json!(file.bytes)),
        ("hash", json!(file.sha256.to_string())),
    ])
}

fn limit(limit: &Limit) -> Fields {
    Fields::new([
        ("name", json!(limit.name)),
        ("most", json!(limit.most)),
        ("unit", json!(limit.unit)),
    ])
}

fn placed(entry: &LockEntry) -> &'static str {
    match entry.source {
        Source::Link { .. } => "linked",
        Source::Copy { .. } | Source::Git(_) => "copied",
    }
}

/// What keeps it from running, or from doing all it asks for.
fn problems(inspection: &Inspection) -> Vec<String> {
    let mut problems = Vec::new();
    match &inspection.verdict {
        Some(VerifyState::Differs { expected, .. }) => {
            problems.push(format!("it differs from its lock entry: {expected}"));
        }
        Some(VerifyState::BrokenEntry { faults }) => {
            let faults = faults.join("; ");
            problems.push(format!("its lock entry breaks a rule: {faults}"));
        }
        _ => {}
    }
    match &inspection.package {
        Err(error) => problems.push(error.to_string()),
        Ok(package) => {
            problems.extend(package.illegal_domains().iter().map(ToString::to_string));
        }
    }
    if let Some(component) = &inspection.component {
        problems.extend(component.shape.as_ref().err().map(ToString::to_string));
        problems.extend(component.gaps.iter().map(|gap| {
            let (function, capability) = (&gap.function, gap.capability.name());
            format!("{function} needs the capability \"{capability}\", which the manifest does not ask for")
        }));
    }
    problems
}

/// Lines of a name and a value, each filtered for the terminal.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, name: &str, value: &str) {
        let value = UntrustedText::from(value).one_line(2_000);
        let line = format!("{name:<13}{value}");
        self.0.push_str(line.trim_end());
        self.0.push('\n');
    }
}

fn as_text(inspection: &Inspection) -> String {
    let mut lines = Lines::default();
    let name = inspection.name.as_ref().map_or("", |name| name.as_str());
    lines.add("name", name);
    lines.add("state", inspection.state.word());
    lines.add("folder", &inspection.folder.display().to_string());
    if let Some(entry) = &inspection.entry {
        lines.add(
            "source",
            &format!("{} from {}", placed(entry), source_text(&entry.source)),
        );
        if let Some(git) = entry.source.git() {
            lines.add("commit", git.commit.as_str());
            lines.add("tree", git.tree.as_str());
        }
        lines.add("installed", &sr_policy::date::text(entry.installed_at));
        lines.add("lock hash", &entry.hash.to_string());
    }
    if let Some((hash, _)) = &inspection.files {
        lines.add("hash", &hash.to_string());
    }
    if let Ok(package) = &inspection.package {
        let manifest = &package.manifest;
        lines.add("version", &manifest.version);
        lines.add("description", manifest.description.raw());
        let world = manifest.world.as_str();
        lines.add("world", &format!("{world}, offered: {SERVED_WORLD}.x"));
        let path = manifest.component.as_str();
        lines.add("component", &format!("{path} {}", package.component_hash));
        if let Some(component) = &inspection.component {
            component_lines(&mut lines, component);
        }
        lines.add("asks for", &more_lines(&package.asks()).join("; "));
    }
    if let Some(entry) = &inspection.entry {
        lines.add("granted", &more_lines(&entry.grants).join("; "));
    }
    lines.add("may use", &more_lines(&inspection.effective).join("; "));
    if let Some(entry) = &inspection.entry {
        let names: Vec<&str> = entry
            .commands
            .iter()
            .map(|command| command.name.as_str())
            .collect();
        lines.add("commands", &names.join(", "));
    }
    if let Some((_, files)) = &inspection.files {
        for file in files.iter().take(FILES) {
            lines.add(
                "file",
                &format!("{} ({} bytes) {}", file.path, file.bytes, file.sha256),
            );
        }
        if files.len() > FILES {
            lines.add("file", &format!("{} more", files.len() - FILES));
        }
    }
    let limits: Vec<String> = limits()
        .iter()
        .map(|limit| format!("{} {} {}", limit.name, limit.most, limit.unit))
        .collect();
    lines.add("limits", &limits.join("; "));
    for problem in problems(inspection) {
        lines.add("problem", &problem);
    }
    lines.0
}

fn component_lines(lines: &mut Lines, component: &ComponentFacts) {
    let sizes = component.sizes;
    lines.add(
        "bytes",
        &format!(
            "{}: code {}, data {}, custom sections {}, other {}",
            sizes.total, sizes.code, sizes.data, sizes.custom, sizes.other
        ),
    );
    let compiled = match component.compiled {
        Some(bytes) => format!("{bytes} bytes in the store"),
        None => "not in the store".to_owned(),
    };
    lines.add("compiled", &compiled);
    if let Ok(shape) = &component.shape {
        lines.add("built for", &format!("sr:runtime {}", shape.version.text));
        for import in &shape.imports {
            let functions = import.functions.join(", ");
            lines.add("imports", &format!("{}: {functions}", import.interface));
        }
        let text = format!(
            "{} interfaces: output, clocks and random; no files, environment or sockets",
            shape.wasi.len()
        );
        lines.add("wasi", &text);
    }
}
