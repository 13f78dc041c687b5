//! What the topics share: a home, a package to install, a server to talk to.

mod author;
pub(crate) mod faults;
mod git;
mod guest;
pub(crate) mod machine;
mod package;
mod recording;
mod run;
mod sandbox;
mod server;
mod tools;
pub(crate) mod wasm;
mod yaml;

pub(crate) use author::{Author, replace};
pub(crate) use git::{Answer, GitHost, Repository};
pub(crate) use guest::{Guest, importing};
pub(crate) use package::{Package, copy};
pub(crate) use recording::Recording;
pub(crate) use run::{Run, spawn};
pub(crate) use sandbox::{Sandbox, collect};
pub(crate) use server::{Authority, Reply, Server};
pub(crate) use tools::tool;
pub(crate) use yaml::read_yaml;

use std::path::PathBuf;

/// The repository's root folder.
pub(crate) fn root() -> PathBuf {
    testsuite::root().canonicalize().unwrap()
}

/// The program, as it lies beside this test's own executable.
pub(crate) fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let program = test.parent().unwrap().parent().unwrap().join("sr-runtime");
    assert!(
        program.is_file(),
        "{} is not there; run `cargo build --package sr-runtime`",
        program.display()
    );
    program
}
