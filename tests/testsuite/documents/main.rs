//! `documents --write` writes the generated parts of `docs/`; `documents --check` says which are stale.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for the terminal of a developer"
)]

use std::process::ExitCode;

use testsuite::generate;

fn main() -> ExitCode {
    let root = testsuite::root();
    let mode = std::env::args().nth(1);
    let done = match mode.as_deref() {
        Some("--write") => generate::write(&root),
        Some("--check") => generate::stale(&root),
        _ => {
            eprintln!("usage: documents --write | --check");
            return ExitCode::from(2);
        }
    };
    match (done, mode.as_deref()) {
        (Err(error), _) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
        (Ok(stale), Some("--check")) if !stale.is_empty() => {
            eprintln!(
                "error: stale: {}\nhint: run `cargo xtask docs`",
                stale.join(", ")
            );
            ExitCode::FAILURE
        }
        (Ok(changed), _) => {
            for name in changed {
                println!("wrote docs/{name}");
            }
            ExitCode::SUCCESS
        }
    }
}
