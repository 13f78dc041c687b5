//! An author: a home, the machine's Rust, no network.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Run, Sandbox, root};

/// The first build of all compiles what every plugin is made of.
const LONGEST: Duration = Duration::from_secs(20 * 60);

/// Somebody who makes a plugin in a home of their own.
pub(crate) struct Author {
    pub(crate) sandbox: Sandbox,
    path: OsString,
}

impl Author {
    pub(crate) fn new() -> Self {
        Self {
            sandbox: Sandbox::new(),
            path: variable("PATH").unwrap_or_default(),
        }
    }

    /// Finds programs in this folder before all others.
    pub(crate) fn with_first(mut self, folder: &Path) -> Self {
        let others = std::env::split_paths(&self.path).collect::<Vec<_>>();
        let all = std::iter::once(folder.to_owned()).chain(others);
        self.path = std::env::join_paths(all).unwrap();
        self
    }

    /// Finds programs in this folder and nowhere else.
    pub(crate) fn with_only(mut self, folder: &Path) -> Self {
        folder.as_os_str().clone_into(&mut self.path);
        self
    }

    /// The program in a folder, with the machine's Rust and no network. What every plugin is
    /// built from is compiled once for all tests.
    pub(crate) fn command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = self.sandbox.command(arguments);
        self.equip(&mut command, folder);
        command
    }

    /// Cargo as the author would type it.
    pub(crate) fn cargo(&self, folder: &Path, arguments: &[&str]) -> Run {
        let mut command = Command::new("cargo");
        command.args(arguments).env_clear();
        command.env("HOME", self.sandbox.home());
        self.equip(&mut command, folder);
        Run::within(LONGEST, &mut command)
    }

    fn equip(&self, command: &mut Command, folder: &Path) {
        command
            .current_dir(folder)
            .env("PATH", &self.path)
            .env("CARGO_HOME", home("CARGO_HOME", ".cargo"))
            .env("RUSTUP_HOME", home("RUSTUP_HOME", ".rustup"))
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TARGET_DIR", root().join("target/author"));
    }

    pub(crate) fn run(&self, folder: &Path, arguments: &[&str]) -> Run {
        Run::within(LONGEST, &mut self.command(folder, arguments))
    }

    /// A new crate of this name in the home.
    #[track_caller]
    pub(crate) fn create(&self, name: &str) -> PathBuf {
        self.run(self.sandbox.home(), &["plugin", "new", name])
            .exit(0);
        self.sandbox.home().join(name)
    }
}

/// Changes a text file by replacing what must be in it.
#[track_caller]
pub(crate) fn replace(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "no {from:?} in {}", path.display());
    fs::write(path, text.replace(from, to)).unwrap();
}

fn home(name: &str, below_home: &str) -> PathBuf {
    variable(name).map_or_else(
        || std::env::home_dir().unwrap().join(below_home),
        PathBuf::from,
    )
}

#[expect(
    clippy::disallowed_methods,
    reason = "where the machine keeps its Rust"
)]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}
