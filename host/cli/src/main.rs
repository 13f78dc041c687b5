//! `sr-runtime`: runs site adapters as sandboxed WASI components.

mod error;
mod faults;
mod host_options;
mod list;
mod observer;
mod output;
mod plugin_command;
mod root;
mod settings;
mod shell;
mod site;
mod site_command;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::error::CommandError;
use crate::output::Format;
use crate::shell::Shell;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    match root::run(&words) {
        Ok(exit) => ExitCode::from(exit),
        Err(error) => {
            let format = asked_format(&words);
            Shell::default().note(error.render(format).trim_end());
            ExitCode::from(error.exit)
        }
    }
}

/// The format for an error, found even when the command line does not parse.
fn asked_format(words: &[OsString]) -> Format {
    let mut words = words.iter().map(|word| word.to_string_lossy());
    let mut format = Format::Table;
    while let Some(word) = words.next() {
        let name = match &*word {
            "-f" | "--format" => words.next(),
            "--" => break,
            _ => word
                .strip_prefix("--format=")
                .or_else(|| word.strip_prefix("-f"))
                .map(|name| name.strip_prefix('=').unwrap_or(name).to_owned().into()),
        };
        if let Some(named) = name.and_then(|name| Format::named(&name)) {
            format = named;
        }
    }
    format
}

/// How a command of the program ends: its exit code, or the error to print.
type Ended = Result<u8, CommandError>;
