//! Where things are in this repository, and the few settings that are read.

use std::path::{Path, PathBuf};

/// The repository's root folder.
pub(crate) fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    match environment("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// Where the built plugins lie, one folder each.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// Where the built test guests lie, one folder each.
pub(crate) fn guests() -> PathBuf {
    root().join("target/guests")
}

/// The program as the development profile builds it.
pub(crate) fn debug_program() -> PathBuf {
    target().join("debug/sr-runtime")
}

/// The path below the root, for messages.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string()
}

/// A variable of the environment, if it is set and not empty.
#[expect(clippy::disallowed_methods, reason = "the one place xtask reads it")]
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
