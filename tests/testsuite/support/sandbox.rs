//! A home that nobody else uses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::{Package, Run, Server, program};

/// A throw-away home and the program that lives in it.
pub(crate) struct Sandbox {
    home: TempDir,
    /// Held, because an installed package is a link to its folder.
    package: Option<Package>,
    variables: Vec<(&'static str, String)>,
}

impl Sandbox {
    /// An empty home.
    pub(crate) fn new() -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
            package: None,
            variables: Vec::new(),
        }
    }

    /// A home with this package installed as a link.
    #[track_caller]
    pub(crate) fn with(package: &Package) -> Self {
        let mut sandbox = Self::new();
        sandbox.install(package).exit(0);
        sandbox.package = Some(package.clone());
        sandbox
    }

    /// A variable for every run from now on.
    pub(crate) fn env(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// `~/.sr`, which need not be there.
    pub(crate) fn state(&self) -> PathBuf {
        self.home().join(".sr")
    }

    /// `~/.sr/plugins.lock.json`.
    pub(crate) fn lock(&self) -> PathBuf {
        self.state().join("plugins.lock.json")
    }

    /// The command, not yet started. Its environment is this home and nothing of the developer's.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.home())
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(self.home());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::of(&mut self.command(arguments))
    }

    pub(crate) fn install(&self, package: &Package) -> Run {
        self.run(&["plugin", "install", &package.url()])
    }

    /// The `fetch` command of the installed test guest, with rows and errors as JSON.
    pub(crate) fn fetch(&self, url: &str, more: &[&str]) -> Run {
        let mut arguments = vec![Package::NAME, "fetch", "-f", "json"];
        arguments.extend(more);
        arguments.extend(["--", url]);
        self.run(&arguments)
    }

    /// The same, with `example.com` (http) being this server.
    pub(crate) fn fetch_from(&self, server: &Server, url: &str, more: &[&str]) -> Run {
        let rule = server.connect_to("example.com");
        let mut arguments = vec!["--connect-to", rule.as_str()];
        arguments.extend(more);
        self.fetch(url, &arguments)
    }

    /// No plugin, nothing in the store, no lock: what a refused install leaves behind.
    #[track_caller]
    pub(crate) fn wrote_nothing(&self) {
        let written = self.written();
        assert!(written.is_empty(), "left behind: {written:?}");
    }

    /// The files of the plugins and the store, and the lock.
    pub(crate) fn written(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for folder in ["plugins", "store"] {
            collect(&self.state().join(folder), &mut found);
        }
        if self.lock().exists() {
            found.push(self.lock());
        }
        found.sort();
        found
    }
}

/// Everything below a folder but folders; links are not followed.
pub(crate) fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), found);
        } else {
            found.push(entry.path());
        }
    }
}
