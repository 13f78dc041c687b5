//! `sr-runtime`: runs site adapters as sandboxed WASI components.

mod asked;
mod author_faults;
mod completion;
mod error;
mod faults;
mod git_faults;
mod help;
mod host_options;
mod line;
mod list;
mod observer;
mod output;
mod plugin_command;
mod progress;
mod root;
mod settings;
mod shell;
mod site;
mod site_changed;
mod site_command;
mod usage;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::error::CommandError;
use crate::shell::Shell;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if words == [sr_host::COMPILER_WORD] {
        return compile(Shell::default());
    }
    sr_host::outlive_file_limits();
    let shell = Shell {
        format: asked::format(&words),
        ..Shell::default()
    };
    match root::run(&words, shell) {
        Ok(exit) => ExitCode::from(exit),
        Err(error) => {
            shell.fail(&error);
            ExitCode::from(error.exit)
        }
    }
}

/// Started by the program itself: see `sr_engine::Compiler`.
fn compile(shell: Shell) -> ExitCode {
    match sr_host::compile_standard_input() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            shell.note(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

/// How a command of the program ends: its exit code, or the error to print.
type Ended = Result<u8, CommandError>;
