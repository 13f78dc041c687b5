//! A good package to start every case from, and homes that are not the real one.

use std::fs;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use serde_json::{Value, json};
use sr_plugin::{
    Home, HomeError, LockEntry, Package, PackageError, Placing, PluginName, Source, Strictness,
};
use sr_policy::command::Command;
use tempfile::TempDir;

pub(crate) const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0 old";

/// A package folder on disk.
pub(crate) struct Folder {
    pub(crate) dir: TempDir,
}

pub(crate) fn manifest() -> Value {
    json!({
        "name": "sr-demo",
        "version": "1.0.0",
        "description": "A demo.",
        "world": "sr:runtime/adapter@0.1.0",
        "component": "component.wasm",
        "domains": ["demo.example.com"],
        "capabilities": ["fetch"],
    })
}

/// The manifest with one key set, or removed by null.
pub(crate) fn manifest_with(key: &str, value: Value) -> Value {
    let mut manifest = manifest();
    let object = manifest.as_object_mut().unwrap();
    match value {
        Value::Null => object.remove(key),
        value => object.insert(key.to_owned(), value),
    };
    manifest
}

impl Folder {
    pub(crate) fn good() -> Self {
        let folder = Self {
            dir: TempDir::new().unwrap(),
        };
        folder.write("sr-plugin.json", manifest().to_string());
        folder.write("component.wasm", COMPONENT);
        folder
    }

    pub(crate) fn with_manifest(manifest: &Value) -> Self {
        let folder = Self::good();
        folder.write("sr-plugin.json", manifest.to_string());
        folder
    }

    pub(crate) fn with_sitedata(sitedata: impl AsRef<[u8]>) -> Self {
        let folder = Self::with_manifest(&manifest_with("sitedata", json!("sitedata.json")));
        folder.write("sitedata.json", sitedata);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn open(&self) -> Dir {
        Dir::open_ambient_dir(self.path(), ambient_authority()).unwrap()
    }

    pub(crate) fn read(&self) -> Result<Package, PackageError> {
        Package::read(&self.open(), Strictness::Install)
    }

    pub(crate) fn refusal(&self) -> String {
        self.read()
            .map(|package| package.hash)
            .expect_err("must be refused")
            .to_string()
    }
}

pub(crate) fn name(text: &str) -> PluginName {
    text.parse().unwrap()
}

/// The least command that keeps the rules.
fn command() -> Command {
    let command = json!({
        "name": "go",
        "summary": "Go",
        "access": "read",
        "strategy": "public",
        "session": "ephemeral",
    });
    serde_json::from_value(command).unwrap()
}

pub(crate) fn entry(package: &Package, source: Source) -> LockEntry {
    LockEntry::new(
        package,
        source,
        1_700_000_000_000,
        package.asks(),
        vec![command()],
    )
}

pub(crate) fn copy_entry(folder: &Folder, package: &Package) -> LockEntry {
    entry(
        package,
        Source::Copy {
            path: folder.path().to_owned(),
        },
    )
}

pub(crate) fn link_entry(folder: &Folder, package: &Package) -> LockEntry {
    entry(
        package,
        Source::Link {
            path: folder.path().to_owned(),
        },
    )
}

pub(crate) fn install_copy(
    home: &Home,
    name: &PluginName,
    folder: &Folder,
) -> Result<(), HomeError> {
    let package = folder.read().unwrap();
    home.transaction(|change| {
        change.install(name, Placing::Copy(&package), copy_entry(folder, &package))
    })
}

pub(crate) fn install_link(
    home: &Home,
    name: &PluginName,
    folder: &Folder,
) -> Result<(), HomeError> {
    let package = folder.read().unwrap();
    home.transaction(|change| {
        change.install(
            name,
            Placing::Link(folder.path()),
            link_entry(folder, &package),
        )
    })
}

/// Every path below a folder, links not followed.
pub(crate) fn everything_below(path: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(path) else {
        return found;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(everything_below(&path));
        }
        found.push(path);
    }
    found.sort();
    found
}

/// Set in a process that a test started to do its part elsewhere.
pub(crate) const CHILD: &str = "SR_TEST_CHILD";

/// Whether this process is such a child.
#[expect(
    clippy::disallowed_methods,
    reason = "a switch between two parts of one test"
)]
pub(crate) fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}
