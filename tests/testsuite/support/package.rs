//! A package folder made of a built test guest and whatever a test wants to be odd about it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Guest, root};

/// The manifest's name.
const MANIFEST: &str = "sr-plugin.json";

/// A package folder in a folder of its own, which is there as long as somebody holds it.
#[derive(Clone)]
pub(crate) struct Package {
    around: Arc<TempDir>,
}

impl Package {
    /// What every package of a test is called, whatever guest it is made of.
    pub(crate) const NAME: &str = "demo";

    /// The guest that fetches, fails and prints on demand.
    pub(crate) fn every_case() -> Self {
        Self::of("every-case")
    }

    /// The guest with write commands.
    pub(crate) fn writer() -> Self {
        Self::of("writer")
    }

    /// The guest that takes more than it should.
    pub(crate) fn hostile() -> Self {
        Self::of("hostile")
    }

    /// A package around this component, which may fetch from example.com.
    pub(crate) fn around(component: &[u8]) -> Self {
        let package = Self::every_case().domains(&["example.com"]);
        package.put_component(component);
        package
    }

    /// A package that compiles in no time, for tests of everything around the component.
    pub(crate) fn small() -> Self {
        Self::around(&Guest::good().build())
    }

    fn of(guest: &str) -> Self {
        let built = built(guest);
        let package = Self {
            around: Arc::new(tempfile::tempdir().unwrap()),
        };
        copy(&built, &package.path());
        package.manifest(|manifest| manifest["name"] = json!(Self::NAME))
    }

    /// The package folder.
    pub(crate) fn path(&self) -> PathBuf {
        self.around.path().join("package")
    }

    /// A folder beside the package: outside of it, and thrown away with it.
    pub(crate) fn outside(&self) -> PathBuf {
        self.around.path().join("outside")
    }

    pub(crate) fn url(&self) -> String {
        format!("file://{}", self.path().display())
    }

    /// Where the manifest says the component is.
    pub(crate) fn component(&self) -> PathBuf {
        let manifest = read_manifest(&self.path());
        self.path().join(manifest["component"].as_str().unwrap())
    }

    /// Puts another component in its place.
    pub(crate) fn put_component(&self, component: &[u8]) {
        fs::write(self.component(), component).unwrap();
    }

    /// Another name than the usual one.
    pub(crate) fn named(self, name: &str) -> Self {
        self.manifest(|manifest| manifest["name"] = json!(name))
    }

    /// Changes the manifest.
    pub(crate) fn manifest(self, change: impl FnOnce(&mut Value)) -> Self {
        self.edit(change);
        self
    }

    /// The same, of a package that is installed.
    pub(crate) fn edit(&self, change: impl FnOnce(&mut Value)) {
        let mut manifest = read_manifest(&self.path());
        change(&mut manifest);
        self.put(MANIFEST, serde_json::to_vec_pretty(&manifest).unwrap());
    }

    /// These domains and no others: the bundled sitedata names none.
    pub(crate) fn domains(self, domains: &[&str]) -> Self {
        let package = self.manifest(|manifest| {
            manifest["domains"] = json!(domains);
            if let Some(manifest) = manifest.as_object_mut() {
                manifest.remove("sitedata");
            }
        });
        let _ = fs::remove_file(package.path().join("sitedata.json"));
        package
    }

    /// The manifest's bytes, as they are.
    pub(crate) fn manifest_bytes(&self) -> Vec<u8> {
        fs::read(self.path().join(MANIFEST)).unwrap()
    }

    /// A manifest that need not be JSON.
    pub(crate) fn raw_manifest(self, bytes: impl AsRef<[u8]>) -> Self {
        self.put(MANIFEST, bytes);
        self
    }

    /// Writes a file of the package.
    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

fn read_manifest(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join(MANIFEST)).unwrap()).unwrap()
}

/// The folder that `cargo xtask guests` laid out for a test guest.
fn built(guest: &str) -> PathBuf {
    let source = root().join("tests/guests").join(guest).join("plugin");
    let name = read_manifest(&source)["name"].as_str().unwrap().to_owned();
    let folder = root().join("target/guests").join(name);
    assert!(
        folder.join(MANIFEST).is_file(),
        "{} is not built; run `cargo xtask guests`",
        folder.display()
    );
    folder
}

/// Copies a folder with everything in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}
