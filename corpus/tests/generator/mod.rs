//! `corpus.json`, made of the folders of `cases/`. Used by the tests here and by `cargo xtask corpus`.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The text of `corpus.json` for the cases in `folder`: by name, keys in order, a line feed at the end.
///
/// # Errors
/// A file that cannot be read or is no JSON, with its path, and anything else that lies in `folder`.
pub(crate) fn corpus_json(folder: &Path) -> Result<String, String> {
    let mut names = names(folder)?;
    names.sort();
    let mut cases = Vec::new();
    for name in names {
        let case = folder.join(&name);
        let found = self::names(&case)?;
        if let Some(other) = found
            .iter()
            .find(|file| !matches!(file.as_str(), "case.json" | "expected.json"))
        {
            return Err(format!("no file of a case: {}", case.join(other).display()));
        }
        let (input, expected) = (
            read(&case.join("case.json"))?,
            read(&case.join("expected.json"))?,
        );
        cases.push(json!({"name": name, "case": input, "expected": expected}));
    }
    let corpus = json!({"schema": 1, "cases": cases});
    let text = serde_json::to_string_pretty(&corpus).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

fn names(folder: &Path) -> Result<Vec<String>, String> {
    let fault = |error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(fault)? {
        names.push(
            entry
                .map_err(fault)?
                .file_name()
                .to_string_lossy()
                .into_owned(),
        );
    }
    Ok(names)
}

fn read(path: &Path) -> Result<Value, String> {
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| fault(&error))?;
    serde_json::from_str(&text).map_err(|error| fault(&error))
}
