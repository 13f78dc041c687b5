//! `sr-runtime plugin pack`.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command};
use serde_json::json;
use sr_author::Project;
use sr_host::OpenPlugin;
use sr_plugin::MANIFEST_FILE;
use sr_policy::exit;

use super::build::near;
use super::{crate_folder, word};
use crate::Ended;
use crate::error::CommandError;
use crate::faults::more_lines;
use crate::output::Fields;
use crate::root::Context;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("pack")
        .about("Check a built package folder as an install would, and show its hash and files")
        .arg(crate_folder().help("Folder of the plugin's crate, or a package folder"))
}

/// Runs it; writes nothing.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let folder = package_folder(Path::new(word(matches, "folder")))?;
    let plugin = context.runtime()?.open_folder(&folder)?;
    context.report(as_object(&folder, &plugin), || as_text(&folder, &plugin))?;
    Ok(exit::OK)
}

/// The folder itself if it is a package, else what was built of the crate in it.
fn package_folder(folder: &Path) -> Result<PathBuf, CommandError> {
    if folder.join(MANIFEST_FILE).symlink_metadata().is_ok() {
        return Ok(folder.to_owned());
    }
    let project = Project::open(folder)?;
    let name = project.read_manifest()?.name;
    let built = project.dist().join(name.as_str());
    if !built.is_dir() {
        let message = format!("{}: not built yet", near(&built));
        return Err(CommandError::new("NOT_BUILT", message, exit::CONFIG)
            .hint("to build it: sr-runtime plugin build"));
    }
    Ok(built)
}

fn as_object(folder: &Path, plugin: &OpenPlugin) -> Fields {
    let package = plugin.package();
    let bytes: u64 = package.files.iter().map(|file| file.bytes).sum();
    let commands: Vec<&str> = plugin
        .commands
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    let files: Vec<Fields> = package
        .files
        .iter()
        .map(|file| {
            Fields::new([
                ("path", json!(file.path)),
                ("bytes", json!(file.bytes)),
                ("hash", json!(file.sha256.to_string())),
            ])
        })
        .collect();
    let component = json!({
        "path": package.manifest.component.as_str(),
        "bytes": package.component.len(),
        "hash": package.component_hash.to_string(),
    });
    Fields::new([
        ("ok", json!(true)),
        ("name", json!(plugin.name.as_str())),
        ("version", json!(package.manifest.version)),
        ("folder", json!(folder.display().to_string())),
        ("hash", json!(package.hash.to_string())),
        ("bytes", json!(bytes)),
        ("component", component),
        ("asks", json!(plugin.grants())),
        ("commands", json!(commands)),
    ])
    .with("files", files)
}

fn as_text(folder: &Path, plugin: &OpenPlugin) -> String {
    let package = plugin.package();
    let mut text = format!("{} {}\n", plugin.name, package.manifest.version);
    text.push_str(&format!("hash: {}\n", package.hash));
    for line in more_lines(plugin.grants()) {
        text.push_str(&format!("asks for {line}\n"));
    }
    for file in &package.files {
        let path = sr_policy::UntrustedText::from(file.path.as_str()).one_line(255);
        text.push_str(&format!("{:>9} bytes  {path}\n", file.bytes));
    }
    text.push_str(&format!(
        "to install: sr-runtime plugin install {}\n",
        place(folder)
    ));
    text
}

/// As `install` wants it: a path with a slash.
fn place(folder: &Path) -> String {
    let folder = near(folder);
    match folder.contains('/') {
        true => folder,
        false => format!("./{folder}"),
    }
}
