//! The generated parts of `docs/`. The generator itself lies in the testsuite, which also checks it.

use crate::process;

/// Writes them.
pub(crate) fn write() -> Result<(), String> {
    process::run(&mut process::cargo(documents("--write")))
}

/// The cargo arguments that run the generator.
pub(crate) fn documents(mode: &str) -> [&str; 8] {
    [
        "run",
        "--quiet",
        "--package",
        "testsuite",
        "--bin",
        "documents",
        "--",
        mode,
    ]
}
