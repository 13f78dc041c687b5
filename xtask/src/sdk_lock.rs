//! The lock file a new plugin gets: the versions of this repository's own, cut down by cargo to what
//! a plugin is built from. A test holds it against both.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;

use crate::{process, repo};

/// What the plugin is called in it; `plugin new` puts the real name there.
const NAME: &str = "plugin-name";

/// Writes `host/author/template/Cargo.lock.template`.
pub(crate) fn write() -> Result<(), String> {
    let template = repo::root().join("host/author/template");
    let folder = repo::target().join("sdk-lock");
    let failed = |error: std::io::Error| format!("{}: {error}", repo::shown(&folder));
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    let manifest = fs::read_to_string(template.join("Cargo.toml.template")).map_err(failed)?;
    let manifest = manifest
        .replace("@NAME@", NAME)
        .replace("@SDK@", env!("CARGO_PKG_VERSION"));
    fs::create_dir_all(folder.join("src"))
        .and_then(|()| fs::create_dir(folder.join(".cargo")))
        .and_then(|()| symlink(repo::root(), folder.join(".cargo/sdk")))
        .and_then(|()| fs::write(folder.join("src/lib.rs"), ""))
        .and_then(|()| fs::write(folder.join("Cargo.toml"), manifest))
        .and_then(|()| fs::copy(repo::root().join("Cargo.lock"), folder.join("Cargo.lock")))
        .map_err(failed)?;
    let mut cargo = process::cargo(["metadata", "--offline", "--format-version", "1"]);
    for (name, place) in [("sr-guest", "sdk"), ("sr-guest-testkit", "testkit")] {
        let path = format!(".cargo/sdk/guest-sdk/{place}");
        cargo.args(["--config", &format!("patch.crates-io.{name}.path={path:?}")]);
    }
    process::output(cargo.current_dir(&folder))?;
    let place = template.join("Cargo.lock.template");
    fs::copy(folder.join("Cargo.lock"), &place).map_err(failed)?;
    println!("{}", repo::shown(&place));
    Ok(())
}
