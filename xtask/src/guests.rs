//! Builds the plugins and the test guests to components, and lays out one package folder each.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{process, repo, sections, tools};

/// The profile of a published component: small, and a panic is a trap.
const PROFILE: [&str; 5] = [
    "profile.release.opt-level=\"z\"",
    "profile.release.lto=\"fat\"",
    "profile.release.codegen-units=1",
    "profile.release.panic=\"abort\"",
    "profile.release.strip=true",
];

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
    tools::ensure()?;
    let sources = sources()?;
    if sources.is_empty() {
        return Err("no guest has a plugin/sr-plugin.json yet".to_owned());
    }
    let flags = remapped()?.join("\",\"");
    for source in &sources {
        // As `cdylib` alone: cargo does no link-time optimisation for a crate that is an `rlib` too,
        // and a component is a fifth larger then. Only `cargo rustc` takes the type, a crate a run.
        let mut cargo = process::cargo(["rustc", "--lib", "--release", "--crate-type", "cdylib"]);
        cargo.args(["--package", &source.package]);
        cargo.args(["--target", tools::COMPONENT_TARGET]);
        for setting in PROFILE {
            cargo.args(["--config", setting]);
        }
        let target = tools::COMPONENT_TARGET;
        cargo.args([
            "--config",
            &format!("target.{target}.rustflags=[\"{flags}\"]"),
        ]);
        process::run(&mut cargo)?;
    }
    sources.into_iter().map(lay_out).collect()
}

/// Compiler flags that keep this machine's folders out of the components: a component is named by
/// its hash, so the same source must give the same bytes anywhere.
fn remapped() -> Result<Vec<String>, String> {
    let home = repo::environment("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let registry = home.unwrap_or_default().join("registry/src");
    if !registry.is_dir() {
        process::run(&mut process::cargo(["fetch", "--locked"]))?;
    }
    let mut folders: Vec<(PathBuf, &str)> = vec![(repo::root(), ".")];
    folders.extend(
        subfolders(&registry)?
            .into_iter()
            .map(|folder| (folder, "crates")),
    );
    Ok(folders
        .iter()
        .map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()))
        .collect())
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
        .join(tools::COMPONENT_TARGET)
        .join("release")
        .join(format!("{}.wasm", source.package.replace('-', "_")));
    let component = sections::without_names(&read(&built)?)
        .map_err(|error| format!("{}: {error}", repo::shown(&built)))?;
    let size = component.len();

    let mut files = BTreeMap::new();
    let package = source.folder.join("plugin");
    collect(&package, Path::new(""), &mut files)?;
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
    let changed = replace(&folder, &files)?;
    let note = if changed { "" } else { "  unchanged" };
    println!("{:>9} bytes  {}{note}", size, repo::shown(&folder));
    Ok(Built {
        name: source.plugin,
        folder,
        is_test: source.is_test,
    })
}

/// Puts exactly these files into the folder: written beside it, then renamed over it.
fn replace(folder: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) -> Result<bool, String> {
    let mut present = BTreeMap::new();
    if folder.is_dir() && collect(folder, Path::new(""), &mut present).is_ok() && present == *files
    {
        return Ok(false);
    }
    let new = beside(folder, "new");
    let old = beside(folder, "old");
    remove(&new)?;
    remove(&old)?;
    for (path, bytes) in files {
        let place = new.join(path);
        if let Some(parent) = place.parent() {
            io(parent, fs::create_dir_all(parent))?;
        }
        io(&place, fs::write(&place, bytes))?;
    }
    if folder.exists() {
        io(folder, fs::rename(folder, &old))?;
    }
    io(folder, fs::rename(&new, folder))?;
    remove(&old)?;
    Ok(true)
}

fn beside(folder: &Path, word: &str) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!(".{name}.{word}"))
}

fn remove(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        io(folder, fs::remove_dir_all(folder))?;
    }
    Ok(())
}

fn collect(
    root: &Path,
    below: &Path,
    files: &mut BTreeMap<PathBuf, Vec<u8>>,
) -> Result<(), String> {
    let folder = root.join(below);
    for entry in io(&folder, fs::read_dir(&folder))? {
        let entry = io(&folder, entry)?;
        let path = below.join(entry.file_name());
        let kind = io(&folder, entry.file_type())?;
        if kind.is_dir() {
            collect(root, &path, files)?;
        } else if kind.is_file() {
            files.insert(path, read(&entry.path())?);
        } else {
            let place = repo::shown(&entry.path());
            return Err(format!("{place}: neither a file nor a folder"));
        }
    }
    Ok(())
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

fn read(path: &Path) -> Result<Vec<u8>, String> {
    io(path, fs::read(path))
}

fn io<T>(path: &Path, result: std::io::Result<T>) -> Result<T, String> {
    result.map_err(|error| format!("{}: {error}", repo::shown(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(pairs: &[(&str, &str)]) -> BTreeMap<PathBuf, Vec<u8>> {
        let pair = |(path, text): &(&str, &str)| (PathBuf::from(path), text.as_bytes().to_vec());
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn a_package_folder_holds_exactly_what_was_built() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("sr-demo");
        let first = files(&[("a.wasm", "1"), ("data/old.json", "{}")]);
        assert!(replace(&folder, &first).unwrap());
        assert!(!replace(&folder, &first).unwrap());

        let second = files(&[("a.wasm", "2")]);
        assert!(replace(&folder, &second).unwrap());
        let mut present = BTreeMap::new();
        collect(&folder, Path::new(""), &mut present).unwrap();
        assert_eq!(present, second);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }
}
