//! `sr-runtime completion SHELL`, and the hidden command that its scripts ask.

mod candidates;
mod engine;

use clap::{Arg, ArgMatches, Command};
use sr_policy::exit;

use crate::Ended;
use crate::error::CommandError;
use crate::help;
use crate::shell::Shell;

pub(crate) use engine::{ENGINE, answer};

/// The shells and their scripts.
const SCRIPTS: [(&str, &str); 3] = [
    ("bash", include_str!("bash.sh")),
    ("zsh", include_str!("zsh.sh")),
    ("fish", include_str!("fish.fish")),
];

/// The parser of this command.
pub(crate) fn parser() -> Command {
    Command::new("completion")
        .about("Print a script that completes command lines in a shell")
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(SCRIPTS.map(|(shell, _)| shell))
                .help("The shell that will read the script"),
        )
        .after_help(help::own_examples("sr-runtime completion"))
}

/// Prints the script of a shell.
pub(crate) fn print(matches: &ArgMatches, shell: Shell) -> Ended {
    let asked = matches.get_one::<String>("shell");
    let script = SCRIPTS
        .iter()
        .find(|(name, _)| asked.is_some_and(|asked| asked == name))
        .map(|(_, script)| *script)
        .ok_or_else(|| CommandError::usage("completion: no shell given"))?;
    shell.print(script)?;
    Ok(exit::OK)
}
