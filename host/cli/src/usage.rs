//! A command line that does not parse, in the words of this program.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use sr_policy::exit;
use sr_policy::host_options::HOST_OPTIONS;

use crate::error::CommandError;
use crate::output::{FORMATS, Format};
use crate::shell::Shell;
use crate::{Ended, asked, help, line};

/// Help and version go to stdout and are no error; everything else is a usage error.
///
/// `tree` and `words` are what was parsed.
pub(crate) fn clap_error(
    error: &clap::Error,
    shell: Shell,
    tree: Command,
    words: &[OsString],
) -> Ended {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            if let Some(name) = asked::unknown_format(words) {
                return Err(unknown_format(&name));
            }
            shell.print(&text)?;
            Ok(exit::OK)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => match shell.format {
            Some(Format::Json | Format::Yaml) => Err(no_command(&text)),
            _ => {
                shell.note(text.trim_end());
                Ok(exit::USAGE)
            }
        },
        ErrorKind::InvalidValue if is_format(error) => {
            let name = match error.get(ContextKind::InvalidValue) {
                Some(ContextValue::String(name)) => name.as_str(),
                _ => "",
            };
            Err(unknown_format(name))
        }
        _ => {
            let mut tree = tree;
            tree.build();
            let place = line::follow(&tree, &line::as_text(words));
            let near = nearest_in(error, place.command);
            let usage = place.command.clone().render_usage().to_string();
            let mut error = from_text(error, &text, near, usage.trim());
            let examples = help::examples_for(&place.path.join(" "));
            if let Some(example) = examples.first() {
                error.hints.push(format!("for example: {}", example.line));
            }
            Err(error)
        }
    }
}

/// Whether a line asks for help, or gives no command and so gets it.
pub(crate) fn is_any_help(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    )
}

/// The nearest of these names, if one is near enough to be a typing error: one slip in a short
/// word, more in a long one.
pub(crate) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names
        .map(|name| (strsim::osa_distance(word, name), name))
        .filter(|(distance, name)| *distance <= (name.len() / 3).max(1))
        .min()
        .map(|(_, name)| name)
}

/// What was probably meant. clap's own guesses are not taken: it takes `tcsh` for `zsh`, and two
/// letters that changed places for two errors.
fn nearest_in(error: &clap::Error, command: &Command) -> Option<String> {
    let text = |kind| match error.get(kind)? {
        ContextValue::String(word) => Some(word.as_str()),
        _ => None,
    };
    let meant = match error.kind() {
        ErrorKind::UnknownArgument => {
            let word = text(ContextKind::InvalidArg)?.strip_prefix("--")?;
            let longs = command.get_arguments().filter_map(clap::Arg::get_long);
            format!("--{}", nearest(word, longs)?)
        }
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand)?;
            let commands = command.get_subcommands().map(Command::get_name);
            nearest(word, commands)?.to_owned()
        }
        ErrorKind::InvalidValue => {
            let word = text(ContextKind::InvalidValue)?;
            let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue) else {
                return None;
            };
            nearest(word, values.iter().map(String::as_str))?.to_owned()
        }
        _ => return None,
    };
    Some(format!("did you mean: {meant}"))
}

/// The error as clap says it, its advice as hints.
///
/// Its usage line names only what was given and what is needed; the whole one says more.
fn from_text(
    error: &clap::Error,
    text: &str,
    near: Option<String>,
    whole_usage: &str,
) -> CommandError {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let mut usage = CommandError::usage(first.strip_prefix("error: ").unwrap_or(first).to_owned());
    let known = misplaced(error);
    usage.hints.extend(known.clone());
    if known.is_none() {
        usage.hints.extend(near.clone());
    }
    for line in lines {
        match line.strip_prefix("tip: ") {
            // A guess, which is made above, or a way to pass a value that looks like an option.
            Some(tip) if known.is_some() || near.is_some() || tip.contains("similar") => {}
            Some(tip) => usage.hints.push(tip.to_owned()),
            None if line.starts_with("Usage:") => {}
            None if line.starts_with("For more information") => {}
            None => {
                usage.message.push(' ');
                usage.message.push_str(line);
            }
        }
    }
    usage
        .hints
        .extend(whole_usage.lines().next().map(str::to_owned));
    usage
}

fn is_format(error: &clap::Error) -> bool {
    matches!(error.get(ContextKind::InvalidArg),
        Some(ContextValue::String(arg)) if arg.starts_with("--format"))
}

fn unknown_format(name: &str) -> CommandError {
    let usage = match name {
        "" => CommandError::usage("no output format behind --format"),
        _ => CommandError::usage(format!("unknown output format: {name}")),
    };
    let near = nearest(name, FORMATS.into_iter());
    let mut usage = usage.hint(format!("formats: {}", FORMATS.join(", ")));
    usage
        .hints
        .extend(near.map(|name| format!("did you mean: {name}")));
    usage
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

/// What help would say, for a program that reads data.
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
    use crate::root::parser;

    fn ended(line: &str) -> Ended {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let error = parser()
            .try_get_matches_from(std::iter::once(&"sr-runtime".into()).chain(&words))
            .unwrap_err();
        let shell = Shell {
            verbose: false,
            format: Some(Format::Json),
        };
        clap_error(&error, shell, parser(), &words)
    }

    #[test]
    fn no_command_is_a_usage_error_for_a_program_that_reads_data() {
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

    #[test]
    fn a_typing_error_is_told_with_what_was_meant() {
        for (line, hint) in [
            ("plugin instal x", "did you mean: install"),
            ("--fromat json list", "did you mean: --format"),
            ("list --verbos", "did you mean: --verbose"),
            ("plugin lsit", "did you mean: list"),
            ("plugin install --cpoy x", "did you mean: --copy"),
            ("-f jsno list", "did you mean: json"),
            ("completion bsh", "did you mean: bash"),
        ] {
            let error = ended(line).unwrap_err();
            assert_eq!(error.exit, exit::USAGE);
            assert!(
                error.hints.iter().any(|one| one == hint),
                "{line}: {error:?}"
            );
        }
    }

    #[test]
    fn what_is_no_typing_error_is_no_guess() {
        for line in [
            "-f xml list",
            "completion tcsh",
            "plugin frobnicate",
            "list --qux",
        ] {
            let error = ended(line).unwrap_err();
            assert!(
                !error.hints.iter().any(|hint| hint.contains("did you mean")),
                "{line}: {error:?}"
            );
        }
    }

    #[test]
    fn the_whole_usage_and_an_example_are_told() {
        let error = ended("plugin install --copy").unwrap_err();
        assert!(
            error
                .hints
                .iter()
                .any(|hint| hint == "Usage: sr-runtime plugin install [OPTIONS] <SOURCE>"),
            "{error:?}"
        );
        let error = ended("completion tcsh").unwrap_err();
        assert!(
            error
                .hints
                .iter()
                .any(|hint| hint.starts_with("for example: sr-runtime completion")),
            "{error:?}"
        );
    }

    #[test]
    fn an_unknown_format_lists_those_there_are() {
        for line in [
            "-f bogus list",
            "list --format=bogus",
            "plugin list -fbogus",
        ] {
            let error = ended(line).unwrap_err();
            assert_eq!(error.message, "unknown output format: bogus", "{line}");
            assert_eq!(error.hints[0], "formats: table, json, yaml, csv, md, plain");
            assert_eq!(error.exit, exit::USAGE);
        }
    }
}
