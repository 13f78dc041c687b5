//! Settings from the environment, read once.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;

use sr_plugin::shown_path;

use crate::error::CommandError;

/// What the environment says. Proxies are not among it: `--proxy` is the only way to name one.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The person's home; `.sr` is in it.
    pub(crate) home: PathBuf,
    /// `CARGO_HOME`, or where cargo looks without it: for those who build a plugin.
    pub(crate) cargo_home: PathBuf,
    /// `SR_STRICT_DOMAINS=1`: a plugin without domains is refused.
    pub(crate) strict_domains: bool,
    /// `SR_STRICT_INTEGRITY=1`: only plugins that match the lock run.
    pub(crate) strict_integrity: bool,
}

impl Settings {
    /// Reads the environment.
    pub(crate) fn read() -> Result<Self, CommandError> {
        let home = variable("HOME")
            .filter(|home| !home.is_empty())
            .map(PathBuf::from)
            .filter(|home| home.is_absolute())
            .ok_or_else(|| {
                CommandError::config("HOME is not set to an absolute path")
                    .hint("set HOME to your home folder: plugins and the lock are in HOME/.sr")
            })?;
        // Reading would take it for an empty home, writing would fail deep inside.
        if let Err(error) = home.symlink_metadata()
            && error.kind() == ErrorKind::NotFound
        {
            return Err(CommandError::config(format!(
                "HOME is a folder that is not there: {}",
                shown_path(&home)
            ))
            .hint("make the folder, or set HOME to the one that is meant"));
        }
        let cargo_home = variable("CARGO_HOME")
            .filter(|folder| !folder.is_empty())
            .map_or_else(|| home.join(".cargo"), PathBuf::from);
        Ok(Self {
            home,
            cargo_home,
            strict_domains: switch("SR_STRICT_DOMAINS")?,
            strict_integrity: switch("SR_STRICT_INTEGRITY")?,
        })
    }
}

/// `PATH`: the folders to look for the `git` program in.
pub(crate) fn search() -> OsString {
    variable("PATH").unwrap_or_default()
}

/// Whether the terminal says that it knows control sequences.
pub(crate) fn terminal_can_erase() -> bool {
    variable("TERM").is_some_and(|terminal| !terminal.is_empty() && terminal != "dumb")
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one home of environment variables"
)]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// A switch is on with 1, off with 0 or nothing. Anything else is refused: a strict mode that
/// was meant and not understood must not be off.
fn switch(name: &str) -> Result<bool, CommandError> {
    match variable(name) {
        None => Ok(false),
        Some(value) if value == "1" => Ok(true),
        Some(value) if value == "0" || value.is_empty() => Ok(false),
        Some(value) => Err(CommandError::config(format!(
            "{name} is neither 0 nor 1: {}",
            value.to_string_lossy()
        ))),
    }
}
