//! The words before a site or a built-in command.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};
use sr_host::{Runtime, Strictness};
use sr_plugin::Home;
use sr_policy::exit;
use sr_policy::host_options::HOST_OPTIONS;

use crate::error::CommandError;
use crate::output::Format;
use crate::settings::Settings;
use crate::shell::Shell;
use crate::{Ended, host_options, list, plugin_command, site};

/// What every built-in command gets.
pub(crate) struct Context {
    /// The runtime over the person's home.
    pub(crate) runtime: Runtime,
    /// Where text goes.
    pub(crate) shell: Shell,
    /// The asked format, if any.
    pub(crate) format: Option<Format>,
}

/// Parses the first words and hands over.
pub(crate) fn run(words: &[OsString], shell: Shell) -> Ended {
    let program = OsString::from("sr-runtime");
    let parser = parser();
    let names: Vec<String> = parser
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect();
    let matches = match parser.try_get_matches_from(std::iter::once(&program).chain(words)) {
        Ok(matches) => matches,
        Err(error) => return clap_error(&error, shell),
    };
    let shell = Shell {
        verbose: matches.get_flag("verbose"),
        ..shell
    };
    let format = matches
        .get_one::<String>("format")
        .map(|name| Format::named(name).ok_or_else(|| host_options::unknown_format(name)))
        .transpose()?;
    let settings = Settings::read()?;
    let strictness = Strictness {
        domains: settings.strict_domains,
        integrity: settings.strict_integrity,
    };
    let runtime = Runtime::new(Home::at(&settings.home), strictness);
    let context = Context {
        runtime,
        shell,
        format,
    };
    match matches.subcommand() {
        Some(("plugin", matches)) => plugin_command::run(&context, matches),
        Some(("list", _)) => list::run(&context),
        Some((name, matches)) => {
            let rest: Vec<OsString> = matches
                .get_many::<OsString>("")
                .into_iter()
                .flatten()
                .cloned()
                .collect();
            site::run(context, name, &rest, &names)
        }
        None => Err(CommandError::usage("no command given")),
    }
}

fn parser() -> Command {
    Command::new("sr-runtime")
        .about("Run commands on websites through sandboxed plugins")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .allow_external_subcommands(true)
        .external_subcommand_value_parser(clap::value_parser!(OsString))
        .arg(
            Arg::new("format")
                .short('f')
                .long("format")
                .value_name("FORMAT")
                .global(true)
                .help("Output format: table or json"),
        )
        .arg(
            Arg::new("verbose")
                .short('v')
                .long("verbose")
                .action(ArgAction::SetTrue)
                .global(true)
                .help("Show log lines and the plugin's own output"),
        )
        .subcommand(plugin_command::parser())
        .subcommand(Command::new("list").about("List the commands of all installed plugins"))
        .after_help(
            "A plugin's commands run as `sr-runtime SITE COMMAND`; `sr-runtime list` shows them.",
        )
}

/// Help and version go to stdout and are no error; everything else is a usage error.
pub(crate) fn clap_error(error: &clap::Error, shell: Shell) -> Ended {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            shell.print(&text)?;
            Ok(exit::OK)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if shell.json => Err(no_command(&text)),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            shell.note(text.trim_end());
            Ok(exit::USAGE)
        }
        _ => {
            let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            let first = lines.next().unwrap_or_default();
            let mut usage =
                CommandError::usage(first.strip_prefix("error: ").unwrap_or(first).to_owned());
            let known = misplaced(error);
            usage.hints.extend(known.clone());
            for line in lines {
                match line.strip_prefix("tip: ") {
                    Some(_) if known.is_some() => {}
                    Some(tip) => usage.hints.push(tip.to_owned()),
                    None if line.starts_with("Usage:") => usage.hints.push(line.to_owned()),
                    None if line.starts_with("For more information") => {}
                    None => {
                        usage.message.push(' ');
                        usage.message.push_str(line);
                    }
                }
            }
            Err(usage)
        }
    }
}

/// An option of the runtime where it is not taken: before the site, or not here yet.
fn misplaced(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let long = word.strip_prefix("--")?;
    let option = HOST_OPTIONS.iter().find(|option| option.long == long)?;
    Some(match option.implemented {
        true => format!("{word} belongs after the site: sr-runtime SITE COMMAND {word}"),
        false => format!("{word} is reserved for the runtime and not here yet"),
    })
}

/// What help would say, for a program that reads JSON.
fn no_command(help: &str) -> CommandError {
    let usage = help.lines().find_map(|line| line.strip_prefix("Usage: "));
    let program: Vec<&str> = usage
        .unwrap_or("sr-runtime")
        .split_whitespace()
        .take_while(|word| !word.starts_with(['[', '<']))
        .collect();
    let program = program.join(" ");
    CommandError::usage(format!("no command given: {program}"))
        .hint(format!("{program} --help shows the commands"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(line: &str) -> Ended {
        let words = line.split_whitespace();
        let error = parser()
            .try_get_matches_from(std::iter::once("sr-runtime").chain(words))
            .unwrap_err();
        let shell = Shell {
            verbose: false,
            json: true,
        };
        clap_error(&error, shell)
    }

    #[test]
    fn no_command_is_a_usage_error_for_a_program_that_reads_json() {
        let error = ended("-f json plugin").unwrap_err();
        assert_eq!((error.code.as_str(), error.exit), ("USAGE", exit::USAGE));
        assert_eq!(error.message, "no command given: sr-runtime plugin");
        assert_eq!(error.hints, ["sr-runtime plugin --help shows the commands"]);
    }

    #[test]
    fn an_option_of_the_runtime_in_the_wrong_place_says_where_it_belongs() {
        let error = ended("--replay x sr-arxiv paper").unwrap_err();
        assert!(
            error.hints[0].contains("after the site"),
            "{:?}",
            error.hints
        );
        let error = ended("plugin list --timeout 5").unwrap_err();
        assert!(error.hints[0].contains("not here yet"), "{:?}", error.hints);
    }

    #[test]
    fn no_command_at_all_is_told_with_the_whole_program() {
        for line in ["", "-f json", "plugin -f json"] {
            let error = ended(line).unwrap_err();
            assert_eq!((error.code.as_str(), error.exit), ("USAGE", exit::USAGE));
            assert!(!error.hints.is_empty(), "{line}");
        }
    }
}
