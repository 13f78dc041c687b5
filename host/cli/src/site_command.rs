//! A plugin's commands as a command line: built from the index, no plugin code involved.

use std::ffi::OsString;

use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg as ClapArg, ArgAction, ArgMatches, Command as ClapCommand, ValueHint};
use sr_host::Typed;
use sr_policy::UntrustedText;
use sr_policy::command::{Arg, ArgKind, ArgType, Command};
use sr_policy::value::Cell;

use crate::{help, host_options, shell};

/// Characters of a plugin's help text that are shown in one place.
const HELP_CHARS: usize = 2_000;

/// The parser for one site.
pub(crate) fn parser(site: &str, summary: &str, commands: &[Command]) -> ClapCommand {
    let mut parser = ClapCommand::new(format!("sr-runtime {site}"))
        .bin_name(format!("sr-runtime {site}"))
        .about(shown(summary))
        .term_width(shell::help_width())
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .after_help(help::examples_text(&help::for_site(site, commands)));
    parser = host_options::add(parser);
    for command in commands {
        parser = parser.subcommand(subcommand(site, command));
    }
    parser
}

/// Parses the words after the site's name.
pub(crate) fn parse(
    parser: ClapCommand,
    site: &str,
    words: &[OsString],
) -> Result<ArgMatches, clap::Error> {
    let program = OsString::from(format!("sr-runtime {site}"));
    parser.try_get_matches_from(std::iter::once(&program).chain(words))
}

/// The words a person typed, by argument.
pub(crate) fn typed(command: &Command, matches: &ArgMatches) -> Vec<Typed> {
    command
        .args
        .iter()
        .filter(|arg| matches.value_source(&arg.name) == Some(ValueSource::CommandLine))
        .map(|arg| Typed {
            name: arg.name.clone(),
            values: match arg.kind {
                ArgKind::Flag => vec![],
                _ => matches
                    .get_many::<String>(&arg.name)
                    .into_iter()
                    .flatten()
                    .cloned()
                    .collect(),
            },
        })
        .collect()
}

fn subcommand(site: &str, command: &Command) -> ClapCommand {
    let access = format!("[{}]", help::access(command.access));
    let mut parser = ClapCommand::new(command.name.clone())
        .about(format!("{access} {}", shown(&command.summary)))
        .visible_aliases(command.aliases.clone());
    let details = text(&command.details);
    if !details.is_empty() {
        parser = parser.long_about(format!("{access} {}\n\n{details}", shown(&command.summary)));
    }
    let examples = help::of_plugin(site, command.examples.iter());
    parser = parser.after_help(help::examples_text(&examples));
    for arg in &command.args {
        parser = parser.arg(argument(arg));
    }
    parser
}

fn argument(arg: &Arg) -> ClapArg {
    let mut built = ClapArg::new(arg.name.clone())
        .help(about(arg))
        .required(arg.required);
    if !arg.positional {
        built = built.long(arg.name.clone());
        if let Some(short) = arg.short.as_ref().and_then(|short| short.chars().next()) {
            built = built.short(short);
        }
    }
    if arg.kind == ArgKind::Flag {
        return built.action(ArgAction::SetTrue);
    }
    built = built.value_name(value_name(arg));
    built = match (&arg.kind, arg.many) {
        (_, true) if arg.positional => built.action(ArgAction::Append).num_args(1..),
        (_, true) => built.action(ArgAction::Append),
        _ => built.action(ArgAction::Set),
    };
    match &arg.kind {
        ArgKind::Choice(words) => built.value_parser(PossibleValuesParser::new(words.clone())),
        ArgKind::Int { .. } | ArgKind::Float => built.allow_negative_numbers(true),
        ArgKind::Content => built.value_hint(ValueHint::FilePath),
        _ => built,
    }
}

fn value_name(arg: &Arg) -> String {
    if arg.positional {
        return arg.name.to_uppercase();
    }
    ArgType::from(&arg.kind).placeholder().to_owned()
}

fn about(arg: &Arg) -> String {
    let mut help = shown(&arg.help);
    if let ArgKind::Int { min, max } = arg.kind {
        match (min, max) {
            (Some(min), Some(max)) => help.push_str(&format!(" ({min} to {max})")),
            (Some(min), None) => help.push_str(&format!(" (at least {min})")),
            (None, Some(max)) => help.push_str(&format!(" (at most {max})")),
            (None, None) => {}
        }
    }
    match &arg.default {
        None | Some(Cell::Null | Cell::Flag(false)) => {}
        Some(default) => {
            help.push_str(&format!(
                " [default: {}]",
                shown(&crate::output::cell_text(default))
            ));
        }
    }
    help
}

/// One line of a plugin's text.
fn shown(text: &str) -> String {
    UntrustedText::from(text).one_line(HELP_CHARS)
}

/// Several lines of a plugin's text. The lines of a paragraph are put together, for help is
/// broken at another width than the plugin's source; what is indented or in a list stays.
fn text(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let line = shown(line);
        let is_apart = line.is_empty() || line.starts_with([' ', '-', '*', '#', '|', '>']);
        match lines.last_mut() {
            Some(last) if goes_on && !is_apart => {
                last.push(' ');
                last.push_str(&line);
            }
            _ => lines.push(line),
        }
        goes_on = !is_apart;
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn the_lines_of_a_paragraph_are_put_together_and_lists_stay() {
        assert_eq!(
            text("one\ntwo\n\nthree\n- a\n- b\n  more\nfour"),
            "one two\n\nthree\n- a\n- b\n  more\nfour"
        );
        assert_eq!(text(""), "");
    }
}
