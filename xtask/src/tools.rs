//! What a fresh machine lacks: Rust's WebAssembly targets. Rust itself is rustup's business.

use std::process::Command;

use crate::process;

/// The target of every component.
pub(crate) const COMPONENT_TARGET: &str = "wasm32-wasip2";
/// The other target the pure crates must build for.
pub(crate) const CORE_TARGET: &str = "wasm32-wasip1";

const NO_RUSTUP: &str = "rustup is not there, and the wasm targets are installed with it; \
    install it from https://rustup.rs, or add the targets wasm32-wasip2 and wasm32-wasip1 to your \
    Rust toolchain by other means";

/// Installs the missing targets; says nothing when none is missing.
pub(crate) fn ensure() -> Result<(), String> {
    let missing = missing_targets()?;
    if missing.is_empty() {
        return Ok(());
    }
    process::run(
        Command::new("rustup")
            .args(["target", "add"])
            .args(&missing)
            .current_dir(crate::repo::root()),
    )
}

/// Prints what [`ensure`] would do.
pub(crate) fn say_what_is_missing() -> Result<(), String> {
    let missing = missing_targets()?;
    if missing.is_empty() {
        println!("nothing to install");
    } else {
        println!("would run: rustup target add {}", missing.join(" "));
    }
    Ok(())
}

fn missing_targets() -> Result<Vec<&'static str>, String> {
    let wanted = [COMPONENT_TARGET, CORE_TARGET];
    let mut rustup = Command::new("rustup");
    rustup
        .args(["target", "list", "--installed"])
        .current_dir(crate::repo::root());
    match process::output(&mut rustup) {
        Ok(installed) => Ok(not_listed(&wanted, &installed)),
        // A distribution's Rust has no rustup but may well have the targets.
        Err(message) => {
            let missing: Vec<_> = wanted.into_iter().filter(|name| !has_std(name)).collect();
            if missing.is_empty() {
                Ok(missing)
            } else {
                Err(format!("{NO_RUSTUP} ({message})"))
            }
        }
    }
}

fn not_listed(wanted: &[&'static str], installed: &str) -> Vec<&'static str> {
    let is_there = |name: &str| installed.lines().any(|line| line.trim() == name);
    wanted
        .iter()
        .copied()
        .filter(|name| !is_there(name))
        .collect()
}

fn has_std(target: &str) -> bool {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", target]);
    process::output(&mut rustc).is_ok_and(|folder| std::path::Path::new(folder.trim()).is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_targets_that_are_not_listed_are_missing() {
        let installed = "wasm32-wasip2\nx86_64-unknown-linux-gnu\n";
        assert_eq!(
            not_listed(&[COMPONENT_TARGET, CORE_TARGET], installed),
            [CORE_TARGET]
        );
        assert_eq!(not_listed(&[CORE_TARGET], "wasm32-wasip1\n"), [""; 0]);
    }
}
