//! `corpus/corpus.json`. What is in it is checked by the tests of the crate, which know the schemas.

use crate::{process, repo};
use std::fs;

#[path = "../../corpus/tests/generator/mod.rs"]
mod generator;

/// Writes it from the cases, then checks all files of the corpus.
pub(crate) fn write() -> Result<(), String> {
    let folder = repo::root().join("corpus");
    let path = folder.join("corpus.json");
    let text = generator::corpus_json(&folder.join("cases"))?;
    if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("wrote {}", path.display());
    }
    process::run(&mut process::cargo([
        "test",
        "--workspace",
        "--test",
        "data",
    ]))
}
