//! Builds the plugins and the test guests to components, and lays out one package folder each.

use std::fs;
use std::path::{Path, PathBuf};

use sr_guest_build::{FolderError, TARGET, read_folder, replace_folder, without_names};

use crate::{process, repo, tools};

/// A package folder that [`build`] laid out.
pub(crate) struct Built {
    /// The plugin's name in its manifest.
    pub(crate) name: String,
    /// The package folder.
    pub(crate) folder: PathBuf,
    /// Whether it is one of the test guests.
    pub(crate) is_test: bool,
}

struct Source {
    package: String,
    plugin: String,
    component: PathBuf,
    folder: PathBuf,
    is_test: bool,
}

/// Builds all guests; a package folder is replaced whole, or not at all.
///
/// # Errors
/// The first thing that went wrong, with the folder it went wrong in.
pub(crate) fn build() -> Result<Vec<Built>, String> {
    tools::ensure_targets()?;
    let sources = sources()?;
    if sources.is_empty() {
        return Err("no guest has a plugin/sr-plugin.json yet".to_owned());
    }
    let arguments = sr_guest_build::cargo_arguments(&renamed()?);
    for source in &sources {
        // `cargo rustc` takes one crate a run.
        let mut cargo = process::cargo(&arguments);
        cargo.args(["--package", &source.package]);
        process::run(&mut cargo)?;
    }
    sources.into_iter().map(lay_out).collect()
}

/// The folders of this machine that get another name in the components.
fn renamed() -> Result<Vec<(PathBuf, &'static str)>, String> {
    let home = repo::environment("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let home = home.unwrap_or_default();
    if !home.join("registry/src").is_dir() {
        process::run(&mut process::cargo(["fetch", "--locked"]))?;
    }
    let mut folders = vec![(repo::root(), ".")];
    folders.extend(io(&home, sr_guest_build::registry_folders(&home))?);
    Ok(folders)
}

fn sources() -> Result<Vec<Source>, String> {
    let mut found = Vec::new();
    for (group, is_test) in [("plugins", false), ("tests/guests", true)] {
        for folder in subfolders(&repo::root().join(group))? {
            if folder.join("plugin/sr-plugin.json").is_file() {
                found.push(source(folder, is_test)?);
            }
        }
    }
    Ok(found)
}

fn source(folder: PathBuf, is_test: bool) -> Result<Source, String> {
    let manifest_path = folder.join("plugin/sr-plugin.json");
    let manifest = read(&manifest_path)?;
    let manifest: serde_json::Value = serde_json::from_slice(&manifest)
        .map_err(|error| format!("{}: {error}", repo::shown(&manifest_path)))?;
    let text = |key: &str| {
        let value = manifest.get(key).and_then(serde_json::Value::as_str);
        value
            .map(str::to_owned)
            .ok_or_else(|| format!("{}: no text at {key:?}", repo::shown(&manifest_path)))
    };
    Ok(Source {
        package: package_name(&folder.join("Cargo.toml"))?,
        plugin: text("name")?,
        component: PathBuf::from(text("component")?),
        folder,
        is_test,
    })
}

/// The first `name = "…"` of a Cargo.toml, which cargo itself writes as the package's name.
fn package_name(path: &Path) -> Result<String, String> {
    let text = String::from_utf8_lossy(&read(path)?).into_owned();
    text.lines()
        .find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
        .map(str::to_owned)
        .ok_or_else(|| format!("{}: no line `name = \"…\"`", repo::shown(path)))
}

fn lay_out(source: Source) -> Result<Built, String> {
    let built = repo::target()
        .join(TARGET)
        .join("release")
        .join(format!("{}.wasm", source.package.replace('-', "_")));
    let component = without_names(&read(&built)?)
        .map_err(|error| format!("{}: {error}", repo::shown(&built)))?;
    let size = component.len();

    let package = source.folder.join("plugin");
    let mut files = read_folder(&package).map_err(in_words)?;
    if files.insert(source.component.clone(), component).is_some() {
        return Err(format!(
            "{}: the component lies there already; xtask puts it there",
            repo::shown(&package.join(&source.component))
        ));
    }

    let parent = if source.is_test {
        repo::guests()
    } else {
        repo::dist()
    };
    let folder = parent.join(&source.plugin);
    let changed = replace_folder(&folder, &files).map_err(in_words)?;
    let note = if changed { "" } else { "  unchanged" };
    println!("{:>9} bytes  {}{note}", size, repo::shown(&folder));
    Ok(Built {
        name: source.plugin,
        folder,
        is_test: source.is_test,
    })
}

fn subfolders(folder: &Path) -> Result<Vec<PathBuf>, String> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in io(folder, fs::read_dir(folder))? {
        let path = io(folder, entry)?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn in_words(error: FolderError) -> String {
    let root = format!("{}/", repo::root().display());
    error.to_string().replace(&root, "")
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    io(path, fs::read(path))
}

fn io<T>(path: &Path, result: std::io::Result<T>) -> Result<T, String> {
    result.map_err(|error| format!("{}: {error}", repo::shown(path)))
}
