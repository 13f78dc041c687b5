//! Running other programs: shown before they run, judged by their exit code.

use std::ffi::OsStr;
use std::process::Command;

use crate::repo;

/// Cargo, in the root folder. The cargo that runs us, so that a `+toolchain` is kept.
pub(crate) fn cargo<I, S>(arguments: I) -> Command
where
    I: IntoIterator<Item = S>,
    S: AsRef<OsStr>,
{
    let program = repo::environment("CARGO").unwrap_or_else(|| "cargo".to_owned());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(repo::root());
    // Set for us by `cargo run`; they would describe xtask to whatever cargo builds next.
    for name in ["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "CARGO_PKG_VERSION"] {
        command.env_remove(name);
    }
    command
}

/// The command as a person would type it.
pub(crate) fn line(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program())
        .file_name()
        .unwrap_or(command.get_program());
    let mut words = vec![program.to_string_lossy().into_owned()];
    for argument in command.get_args() {
        let text = argument.to_string_lossy();
        if text.is_empty() || text.contains([' ', '"', '*', '\'', '$', '&', ';']) {
            words.push(format!("'{}'", text.replace('\'', r"'\''")));
        } else {
            words.push(text.into_owned());
        }
    }
    words.join(" ")
}

/// Shows the command, runs it and wants exit code 0.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    run_for(command, 0)
}

/// Shows the command, runs it and wants this exit code.
pub(crate) fn run_for(command: &mut Command, wanted: i32) -> Result<(), String> {
    let shown = line(command);
    println!("$ {shown}");
    let status = command
        .status()
        .map_err(|error| format!("cannot start {shown}: {error}"))?;
    match status.code() {
        Some(code) if code == wanted => Ok(()),
        Some(code) if wanted == 0 => Err(format!("exit code {code}: {shown}")),
        Some(code) => Err(format!("exit code {code}, not {wanted}: {shown}")),
        None => Err(format!("ended by a signal ({status}): {shown}")),
    }
}

/// The standard output of a command that must succeed.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let shown = line(command);
    let output = command
        .output()
        .map_err(|error| format!("cannot start {shown}: {error}"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {shown}\n{}", output.status, complaint.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
