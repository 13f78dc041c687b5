//! The table of hostile cases, and the parts of `docs/` that are generated from code.

pub mod cases;
pub mod due;
pub mod generate;
pub mod limits;

use std::path::{Path, PathBuf};

/// The repository's root folder.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
