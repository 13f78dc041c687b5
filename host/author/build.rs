//! Makes the table of the SDK's sources that the program carries: the same lay-out as in this
//! repository, so that every relative path in it holds, and a workspace manifest with the rows it needs.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates, by their folders; in each `Cargo.toml`, `src` and what `src` includes.
const CRATES: [&str; 4] = [
    "guest-sdk/sdk",
    "guest-sdk/macros",
    "guest-sdk/testkit",
    "host/policy",
];
/// Folders that are carried whole.
const FOLDERS: [&str; 6] = [
    "guest-sdk/sdk/src",
    "guest-sdk/sdk/examples",
    "guest-sdk/macros/src",
    "guest-sdk/testkit/src",
    "guest-sdk/wit",
    "host/policy/src",
];

type Done<T> = Result<T, Box<dyn Error>>;

fn main() -> Done<()> {
    let own = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let root = own.join("../..").canonicalize()?;
    let out = PathBuf::from(variable("OUT_DIR")?);

    let mut paths = BTreeSet::new();
    for folder in FOLDERS {
        watch(&root.join(folder));
        collect(&root, Path::new(folder), &mut paths)?;
    }
    for folder in CRATES {
        paths.insert(Path::new(folder).join("Cargo.toml"));
    }
    watch(&root.join("Cargo.toml"));
    fs::write(out.join("workspace.toml"), workspace(&root)?)?;

    let mut table = String::from("&[\n");
    writeln!(
        table,
        "(\"Cargo.toml\", include_bytes!({:?})),",
        out.join("workspace.toml")
    )?;
    for path in &paths {
        let place = root.join(path);
        watch(&place);
        writeln!(table, "({path:?}, include_bytes!({place:?})),")?;
    }
    table.push_str("]\n");
    fs::write(out.join("sdk.rs"), table)?;
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "a build script is told its places this way"
)]
fn variable(name: &str) -> Done<String> {
    Ok(std::env::var(name)?)
}

fn watch(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

/// Every file but tests, which only this repository runs.
fn collect(root: &Path, below: &Path, paths: &mut BTreeSet<PathBuf>) -> Done<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(root, &path, paths)?;
        } else if !entry.file_name().to_string_lossy().ends_with("_tests.rs") {
            paths.insert(path);
        }
    }
    Ok(())
}

/// The root manifest of the carried workspace: this repository's package fields, lints and the
/// dependency rows that its crates name.
fn workspace(root: &Path) -> Done<String> {
    let whole = fs::read_to_string(root.join("Cargo.toml"))?;
    let mut named = BTreeSet::new();
    for folder in CRATES {
        let manifest = fs::read_to_string(root.join(folder).join("Cargo.toml"))?;
        named.extend(inherited(&manifest));
    }
    let mut text = String::from("[workspace]\nresolver = \"3\"\nmembers = [\n");
    for folder in CRATES {
        writeln!(text, "    \"{folder}\",")?;
    }
    text.push_str("]\n");
    let mut section = String::new();
    for line in whole.lines() {
        if line.starts_with('[') {
            section = line.to_owned();
            if wanted(&section) {
                write!(text, "\n{line}\n")?;
            }
            continue;
        }
        let is_row = section == "[workspace.dependencies]";
        let key = line.split(['=', ' ', '.']).next().unwrap_or_default();
        let keep = match is_row {
            true => named.remove(key),
            false => wanted(&section) && !line.trim().is_empty(),
        };
        if keep {
            writeln!(text, "{line}")?;
        }
    }
    match named.first() {
        Some(missing) => Err(format!("no row in workspace.dependencies for {missing}").into()),
        None => Ok(text),
    }
}

fn wanted(section: &str) -> bool {
    section == "[workspace.package]"
        || section == "[workspace.dependencies]"
        || section.starts_with("[workspace.lints.")
}

/// The dependencies a manifest takes from its workspace.
fn inherited(manifest: &str) -> BTreeSet<String> {
    let mut section = "";
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section == "[dependencies]" && line.contains("workspace = true") {
            let key = line.split(['=', ' ', '.']).next().unwrap_or_default();
            found.insert(key.to_owned());
        }
    }
    found
}
