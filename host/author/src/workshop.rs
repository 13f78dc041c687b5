//! Cargo at work on a plugin's crate: the component, its package folder, the native tests.

use std::io::{BufRead, BufReader};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use sr_guest_build::{TARGET, cargo_arguments, registry_folders};
use sr_plugin::PluginName;

use crate::adopt::{adopt, own_folder, settings};
use crate::error::AuthorError;
use crate::fixtures::FILTER_VARIABLE;
use crate::project::Project;
use crate::sdk::Sdk;

/// Compiler flags from outside: they would replace those that make a component the same anywhere.
const FLAG_VARIABLES: [&str; 4] = [
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_TARGET_WASM32_WASIP2_RUSTFLAGS",
];

/// A crate that is ready for cargo: it leads to the SDK, and Rust can build components.
///
/// How long cargo takes has no bound of ours: it shows what it does, and whoever started it can end it.
#[derive(Debug)]
pub struct Workshop {
    project: Project,
    description: Description,
    /// Cargo's home, for the folders of it that get another name.
    cargo_home: PathBuf,
    uses_sdk: bool,
}

/// A package folder that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// The plugin's name.
    pub name: PluginName,
    /// `dist/NAME`.
    pub folder: PathBuf,
    /// Whether it differs from what lay there.
    pub changed: bool,
}

/// What `cargo metadata` says that matters here.
#[derive(Debug, Deserialize)]
struct Description {
    workspace_root: PathBuf,
    packages: Vec<DescribedPackage>,
}

#[derive(Debug, Deserialize)]
struct DescribedPackage {
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    /// None for a path.
    source: Option<String>,
}

/// One line of cargo's messages.
#[derive(Deserialize)]
struct Message {
    reason: String,
    manifest_path: Option<PathBuf>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

impl Workshop {
    /// Looks at the crate, leads it to the SDK if it takes the SDK by its version, and at what
    /// Rust can do here. Installs nothing.
    ///
    /// # Errors
    /// Cargo or the target is missing, `Cargo.toml` is not acceptable, or the system refused.
    pub fn open(project: Project, sdk: &Sdk, cargo_home: &Path) -> Result<Self, AuthorError> {
        let description = describe(&project)?;
        let uses_sdk = description
            .package(&project)
            .is_some_and(|package| package.dependencies.iter().any(Dependency::is_the_sdk));
        if uses_sdk {
            adopt(&project, sdk)?;
        }
        has_target(&project)?;
        Ok(Self {
            project,
            description,
            cargo_home: std::path::absolute(cargo_home)
                .map_err(AuthorError::io("find", cargo_home))?,
            uses_sdk,
        })
    }

    /// The crate.
    #[must_use]
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Builds the component and writes `dist/NAME`: exactly the files of `plugin/` and the component.
    /// Cargo's own words go to standard error.
    ///
    /// # Errors
    /// The manifest breaks a rule, cargo fails, the crate makes no component, the system refused.
    pub fn build(&self) -> Result<Built, AuthorError> {
        let manifest = self.project.read_manifest()?;
        own_folder(&self.project.dist())?;
        let parts = self.project.parts();
        let mut files = sr_guest_build::read_folder(&parts)?;
        let place = PathBuf::from(manifest.component.as_str());
        if let Some(taken) = files
            .keys()
            .find(|file| place.starts_with(file) || file.starts_with(&place))
        {
            return Err(AuthorError::ComponentTaken {
                path: parts.join(taken),
            });
        }
        let wasm = self.compile()?;
        let bytes = std::fs::read(&wasm).map_err(AuthorError::io("read the file", &wasm))?;
        let component = sr_guest_build::without_names(&bytes)
            .map_err(|source| AuthorError::Component { path: wasm, source })?;
        files.insert(place, component);
        let folder = self.project.dist().join(manifest.name.as_str());
        let changed = sr_guest_build::replace_folder(&folder, &files)?;
        Ok(Built {
            name: manifest.name,
            folder,
            changed,
        })
    }

    /// Runs the crate's own tests; their words go to standard error. Fixtures that do not hold
    /// `filter` in their names are left out.
    ///
    /// # Errors
    /// A test or cargo failed.
    pub fn test(&self, filter: &str) -> Result<(), AuthorError> {
        let mut cargo = self.cargo();
        cargo.arg("test").args(self.overrides());
        let errors = std::io::stderr();
        let errors = errors.as_fd().try_clone_to_owned();
        let errors = errors.map_err(AuthorError::io("use", Path::new("standard error")))?;
        // A fixture that fails is a panic there, and where the test kit panics tells nobody anything.
        cargo
            .env(FILTER_VARIABLE, filter)
            .env_remove("RUST_BACKTRACE")
            .stdout(errors);
        let status = cargo.status().map_err(no_program("cargo"))?;
        ended("cargo test", status)
    }

    fn compile(&self) -> Result<PathBuf, AuthorError> {
        let mut cargo = self.cargo();
        cargo
            .args(cargo_arguments(&self.renamed()?))
            .args(self.overrides())
            .arg("--message-format=json-render-diagnostics")
            .stdout(Stdio::piped());
        for name in FLAG_VARIABLES {
            cargo.env_remove(name);
        }
        let mut child = cargo.spawn().map_err(no_program("cargo"))?;
        let own = self.project.root().join("Cargo.toml");
        let mut found = None;
        if let Some(messages) = child.stdout.take() {
            for line in BufReader::new(messages).lines() {
                let line = line.map_err(AuthorError::io("read", Path::new("cargo's messages")))?;
                let Ok(message) = serde_json::from_str::<Message>(&line) else {
                    continue;
                };
                if message.reason == "compiler-artifact"
                    && message.manifest_path.as_ref() == Some(&own)
                {
                    let mut files = message.filenames.into_iter();
                    found = files
                        .find(|file| {
                            file.extension()
                                .is_some_and(|extension| extension == "wasm")
                        })
                        .or(found);
                }
            }
        }
        let status = child.wait().map_err(no_program("cargo"))?;
        ended("cargo build", status)?;
        found.ok_or(AuthorError::NoComponent { path: own })
    }

    /// The folders of this machine, and what they are called in the component.
    fn renamed(&self) -> Result<Vec<(PathBuf, &'static str)>, AuthorError> {
        let mut folders = vec![(self.description.workspace_root.clone(), ".")];
        let listed = || {
            registry_folders(&self.cargo_home)
                .map_err(AuthorError::io("list the folder", &self.cargo_home))
        };
        let mut crates = listed()?;
        if crates.is_empty() {
            // Only what was fetched has a folder to rename.
            let mut cargo = self.cargo();
            cargo.arg("fetch").args(self.overrides());
            let status = cargo.status().map_err(no_program("cargo"))?;
            ended("cargo fetch", status)?;
            crates = listed()?;
        }
        folders.extend(crates);
        Ok(folders)
    }

    fn cargo(&self) -> Command {
        command("cargo", &self.project)
    }

    fn overrides(&self) -> Vec<String> {
        let settings = if self.uses_sdk { settings() } else { vec![] };
        settings
            .into_iter()
            .flat_map(|setting| ["--config".to_owned(), setting])
            .collect()
    }
}

impl Description {
    fn package(&self, project: &Project) -> Option<&DescribedPackage> {
        let own = project.root().join("Cargo.toml");
        let mut packages = self.packages.iter();
        packages.find(|package| package.manifest_path == own)
    }
}

impl Dependency {
    fn is_the_sdk(&self) -> bool {
        let named = self.name == "sr-guest" || self.name == "sr-guest-testkit";
        named && self.source.is_some()
    }
}

fn describe(project: &Project) -> Result<Description, AuthorError> {
    let mut cargo = command("cargo", project);
    cargo
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .stdout(Stdio::piped());
    let output = cargo
        .spawn()
        .and_then(std::process::Child::wait_with_output)
        .map_err(no_program("cargo"))?;
    ended("cargo metadata", output.status)?;
    serde_json::from_slice(&output.stdout).map_err(|error| AuthorError::Metadata {
        reason: error.to_string(),
    })
}

/// Whether Rust's standard library for components is there; the toolchain is the crate's.
fn has_target(project: &Project) -> Result<(), AuthorError> {
    let mut rustc = command("rustc", project);
    rustc
        .args(["--print", "target-libdir", "--target", TARGET])
        .stdout(Stdio::piped());
    let output = rustc
        .spawn()
        .and_then(std::process::Child::wait_with_output)
        .map_err(no_program("rustc"))?;
    ended("rustc --print target-libdir", output.status)?;
    let folder = String::from_utf8_lossy(&output.stdout);
    match Path::new(folder.trim()).is_dir() {
        true => Ok(()),
        false => Err(AuthorError::NoTarget { target: TARGET }),
    }
}

fn command(program: &str, project: &Project) -> Command {
    let mut command = Command::new(program);
    command.current_dir(project.root()).stdin(Stdio::null());
    command
}

fn no_program(program: &'static str) -> impl FnOnce(std::io::Error) -> AuthorError {
    move |source| match source.kind() {
        std::io::ErrorKind::NotFound => AuthorError::NoProgram { program },
        _ => AuthorError::Io {
            action: "run",
            path: program.into(),
            source,
        },
    }
}

fn ended(line: &str, status: std::process::ExitStatus) -> Result<(), AuthorError> {
    if status.success() {
        return Ok(());
    }
    Err(AuthorError::Failed {
        line: line.to_owned(),
        ended: match status.code() {
            Some(code) => format!("exit code {code}"),
            None => status.to_string(),
        },
    })
}
