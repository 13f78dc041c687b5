//! What somebody would hand on: the program in `dist/bin/`, its manual pages and completion scripts
//! in `dist/share/`, one folder per plugin beside them.

use std::fs;

use crate::{guests, process, repo, share};

/// Builds the release program and the plugins.
pub(crate) fn run() -> Result<(), String> {
    guests::build()?;
    process::run(&mut process::cargo([
        "build",
        "--release",
        "--package",
        "sr-runtime",
    ]))?;
    let folder = repo::dist().join("bin");
    let program = folder.join("sr-runtime");
    let fresh = folder.join(".sr-runtime.new");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::copy(repo::target().join("release/sr-runtime"), &fresh))
        .and_then(|_| fs::rename(&fresh, &program))
        .map_err(|error| format!("{}: {error}", repo::shown(&program)))?;
    println!("{}", repo::shown(&program));
    let folder = repo::dist().join("share");
    share::write(&program, &folder)?;
    println!("{}", repo::shown(&folder));
    Ok(())
}
