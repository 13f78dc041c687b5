//! What a fresh machine lacks: Rust's WebAssembly targets, and programs that tests run. Rust itself
//! is rustup's business.

use std::process::Command;

use crate::process;

/// The target of every component.
pub(crate) use sr_guest_build::TARGET as COMPONENT_TARGET;

/// The other target the pure crates must build for.
pub(crate) const CORE_TARGET: &str = "wasm32-wasip1";

const NO_RUSTUP: &str = "rustup is not there, and the wasm targets are installed with it; \
    install it from https://rustup.rs, or add the targets wasm32-wasip2 and wasm32-wasip1 to your \
    Rust toolchain by other means";

/// Programs that tests run the real ones of, and the Debian package of each: shells, a repository's
/// server, system calls that fail, mounts of a test's own, another user, limits.
const PROGRAMS: [(&str, &str); 10] = [
    ("bash", "bash"),
    ("fish", "fish"),
    ("git", "git"),
    ("groff", "groff-base"),
    ("prlimit", "util-linux"),
    ("script", "bsdutils"),
    ("setpriv", "util-linux"),
    ("strace", "strace"),
    ("unshare", "util-linux"),
    ("zsh", "zsh"),
];

/// Installs the targets that are missing; says nothing when none is.
pub(crate) fn ensure_targets() -> Result<(), String> {
    let targets = missing_targets()?;
    if targets.is_empty() {
        return Ok(());
    }
    process::run(
        Command::new("rustup")
            .args(["target", "add"])
            .args(&targets)
            .current_dir(crate::repo::root()),
    )
}

/// The same, and the programs that tests run.
pub(crate) fn ensure() -> Result<(), String> {
    ensure_targets()?;
    let packages = missing_packages();
    if packages.is_empty() {
        return Ok(());
    }
    let mut steps = [apt(&["update"]), apt(&install(&packages))].into_iter();
    if let Err(message) = steps.try_for_each(|mut step| process::run(&mut step)) {
        // Their tests say that they saw nothing, and fail with CI=true.
        println!("not installed: {}: {message}", packages.join(" "));
    }
    Ok(())
}

/// Prints what [`ensure`] would do.
pub(crate) fn say_what_is_missing() -> Result<(), String> {
    let (targets, packages) = (missing_targets()?, missing_packages());
    if targets.is_empty() && packages.is_empty() {
        println!("nothing to install");
    }
    if !targets.is_empty() {
        println!("would run: rustup target add {}", targets.join(" "));
    }
    if !packages.is_empty() {
        println!("would run: {}", process::line(&apt(&install(&packages))));
    }
    Ok(())
}

/// apt-get, through sudo unless root runs this.
fn apt(arguments: &[&str]) -> Command {
    let id = process::output(Command::new("id").arg("-u"));
    let mut command = match id.is_ok_and(|id| id.trim() == "0") {
        true => Command::new("apt-get"),
        false => {
            // Never a question: nobody may be there to answer.
            let mut command = Command::new("sudo");
            command.args(["-n", "apt-get"]);
            command
        }
    };
    command.args(arguments);
    command
}

fn install<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
    arguments.extend(packages);
    arguments
}

fn missing_packages() -> Vec<&'static str> {
    let mut packages: Vec<_> = PROGRAMS
        .into_iter()
        .filter(|(program, _)| !is_there(program))
        .map(|(_, package)| package)
        .collect();
    packages.sort_unstable();
    packages.dedup();
    packages
}

/// Whether a program is on the search path.
fn is_there(program: &str) -> bool {
    let folders = crate::repo::environment("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
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
    fn packages_are_installed_without_a_question() {
        assert_eq!(
            install(&["strace", "util-linux"]).join(" "),
            "install --yes --no-install-recommends strace util-linux"
        );
    }

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
