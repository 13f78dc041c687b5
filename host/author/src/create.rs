//! A new crate: builds, is tested, installs and runs with no edit.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use sr_plugin::{PluginName, SERVED_WORLD};

use crate::adopt::adopt;
use crate::error::AuthorError;
use crate::project::Project;
use crate::sdk::Sdk;

/// The files of a new crate: path and text, with `@NAME@`, `@SDK@` and `@WORLD@` to be filled in.
const TEMPLATE: [(&str, &str); 8] = [
    (
        "Cargo.toml",
        include_str!("../template/Cargo.toml.template"),
    ),
    (".gitignore", include_str!("../template/gitignore")),
    ("src/lib.rs", include_str!("../template/src/lib.rs")),
    (
        "plugin/sr-plugin.json",
        include_str!("../template/plugin/sr-plugin.json"),
    ),
    (
        "plugin/README.md",
        include_str!("../template/plugin/README.md"),
    ),
    (
        "recordings/hello.json",
        include_str!("../template/recordings/hello.json"),
    ),
    (
        "fixtures/hello.json",
        include_str!("../template/fixtures/hello.json"),
    ),
    (
        "fixtures/nobody.json",
        include_str!("../template/fixtures/nobody.json"),
    ),
];
/// Exact versions of everything the crate is built from, so that nothing has to be resolved.
/// `cargo xtask sdk-lock` writes it.
const LOCK: &str = include_str!("../template/Cargo.lock.template");
/// The crate's own name in [`LOCK`].
const LOCKED_NAME: &str = "plugin-name";
const PACKAGE: &str = "\n[[package]]\n";

/// Words of Rust and crates of its own: cargo or the compiler stumble over them.
const RUST_WORDS: [&str; 56] = [
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc-macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// Entries beside a new crate that are looked at for leftovers.
const MOST_LOOKED_AT: usize = 10_000;

/// A crate that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created {
    /// The plugin's name.
    pub name: PluginName,
    /// The crate.
    pub project: Project,
}

/// Makes a crate of this name in this folder, which must not be there or be empty.
///
/// # Errors
/// A name that no plugin or no crate can have, a folder that holds something, or the system
/// refused; nothing is left behind then.
pub fn create(name: &str, folder: &Path, sdk: &Sdk) -> Result<Created, AuthorError> {
    let name: PluginName = name.parse()?;
    check_crate_name(name.as_str())?;
    let folder = std::path::absolute(folder).map_err(AuthorError::io("find", folder))?;
    if !is_free(&folder)? {
        return Err(AuthorError::Taken { path: folder });
    }
    sweep(&folder);
    let new = beside(&folder);
    let _ = fs::remove_dir_all(&new);
    let made = write(&new, name.as_str(), sdk).and_then(|()| {
        fs::rename(&new, &folder).map_err(AuthorError::io("place the folder", &folder))
    });
    if made.is_err() {
        // What is said is why it could not be made.
        let _ = fs::remove_dir_all(&new);
    }
    made?;
    let project = Project::open(&folder)?;
    Ok(Created { name, project })
}

fn check_crate_name(name: &str) -> Result<(), AuthorError> {
    let refuse = |why| AuthorError::CrateName {
        name: name.to_owned(),
        why,
    };
    if RUST_WORDS.contains(&name) {
        return Err(refuse("it is a word of Rust"));
    }
    if name == LOCKED_NAME {
        return Err(refuse("it stands for a name"));
    }
    match LOCK.contains(&format!("\nname = \"{name}\"\n")) {
        true => Err(refuse("a crate that every plugin is built from has it")),
        false => Ok(()),
    }
}

fn is_free(folder: &Path) -> Result<bool, AuthorError> {
    match folder.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(AuthorError::io("look at", folder)(error)),
        Ok(metadata) if !metadata.is_dir() => Ok(false),
        Ok(_) => {
            let mut entries = folder
                .read_dir()
                .map_err(AuthorError::io("list the folder", folder))?;
            Ok(entries.next().is_none())
        }
    }
}

fn beside(folder: &Path) -> PathBuf {
    folder.with_file_name(format!("{}{}", new_prefix(folder), std::process::id()))
}

/// What stands before the process in the name of a crate that is being made.
fn new_prefix(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.new-")
}

/// Removes what killed processes left of making this folder. A process that is there, whatever it
/// is now, keeps its name.
fn sweep(folder: &Path) {
    let prefix = new_prefix(folder);
    let entries = folder.parent().and_then(|parent| parent.read_dir().ok());
    for entry in entries.into_iter().flatten().flatten().take(MOST_LOOKED_AT) {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(&prefix));
        let process = process.and_then(|id| Pid::from_raw(id.parse().ok()?));
        if process.is_some_and(|id| test_kill_process(id) == Err(Errno::SRCH)) {
            // What cannot be removed is only space.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn write(folder: &Path, name: &str, sdk: &Sdk) -> Result<(), AuthorError> {
    let world = format!("{SERVED_WORLD}.0");
    let fill = |text: &str| {
        text.replace("@NAME@", name)
            .replace("@SDK@", Sdk::VERSION)
            .replace("@WORLD@", &world)
    };
    for (path, text) in TEMPLATE {
        put(&folder.join(path), &fill(text))?;
    }
    put(&folder.join("Cargo.lock"), &lock(name))?;
    let project = Project::at(folder).ok_or_else(|| AuthorError::NoProject {
        path: folder.to_owned(),
        missing: "plugin/sr-plugin.json",
    })?;
    adopt(&project, sdk)
}

fn put(place: &Path, text: &str) -> Result<(), AuthorError> {
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent).map_err(AuthorError::io("make the folder", parent))?;
    }
    fs::write(place, text).map_err(AuthorError::io("write the file", place))
}

/// The lock file with the crate's name in its place: cargo keeps the packages sorted.
fn lock(name: &str) -> String {
    let mut parts = LOCK.split(PACKAGE).map(|part| part.trim_end_matches('\n'));
    let mut text = format!("{}\n", parts.next().unwrap_or_default());
    let mut packages: Vec<String> = parts
        .map(|package| match package_name(package) == LOCKED_NAME {
            true => package.replace(LOCKED_NAME, name),
            false => package.to_owned(),
        })
        .collect();
    packages.sort_by(|one, other| package_name(one).cmp(package_name(other)));
    for package in packages {
        text.push_str(&format!("{PACKAGE}{package}\n"));
    }
    text
}

fn package_name(package: &str) -> &str {
    package
        .strip_prefix("name = \"")
        .and_then(|rest| rest.split('"').next())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_of_killed_processes_go_and_everything_else_stays() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("sr-demo");
        // Beyond the largest id there can be.
        let gone = home.path().join(".sr-demo.new-999999999");
        let own = beside(&folder);
        let others = [
            ".sr-demo.new-1",
            ".sr-demo.new-x",
            ".sr-other.new-999999999",
        ];
        for name in others {
            fs::create_dir(home.path().join(name)).unwrap();
        }
        fs::create_dir(&gone).unwrap();
        fs::create_dir(&own).unwrap();
        sweep(&folder);
        assert!(!gone.exists());
        assert!(own.exists());
        for name in others {
            assert!(home.path().join(name).exists(), "{name}");
        }
    }

    #[test]
    fn the_lock_of_a_new_crate_is_sorted_and_otherwise_the_template() {
        assert_eq!(lock(LOCKED_NAME), LOCK);
        let other = lock("aaa");
        let first = other.split(PACKAGE).nth(1).unwrap();
        assert_eq!(package_name(first), "aaa");
        assert_eq!(other.len(), LOCK.len() - LOCKED_NAME.len() + 3);
    }

    #[test]
    fn a_name_that_no_crate_can_have_is_refused_with_its_reason() {
        for (name, says) in [
            ("match", "a word of Rust"),
            ("test", "a word of Rust"),
            ("sr-guest", "every plugin is built from"),
            ("serde", "every plugin is built from"),
            ("plugin-name", "stands for a name"),
        ] {
            let error = check_crate_name(name).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        check_crate_name("my-site").unwrap();
    }

    #[test]
    fn the_words_are_sorted_so_that_none_is_missed_when_one_is_added() {
        assert!(RUST_WORDS.is_sorted());
    }
}
