//! Where the words of a command line lead, without parsing it: for help, which has no matches,
//! and for completion, whose line is not finished.

use std::ffi::OsString;

use clap::{Arg, Command};

/// A place on a command line.
pub(crate) struct Place<'t> {
    /// The command that the line is in.
    pub(crate) command: &'t Command,
    /// The names on the way there, the program's first.
    pub(crate) path: Vec<&'t str>,
    /// The option whose value is the next word.
    pub(crate) waits: Option<&'t Arg>,
    /// Options that were given.
    pub(crate) given: Vec<&'t Arg>,
    /// How many values by place the last command has.
    pub(crate) values: usize,
    /// Behind `--`: no options any more.
    pub(crate) values_only: bool,
    /// Where a word stands that is no command of the program: a site's name.
    pub(crate) site: Option<usize>,
}

/// The words as text; what is no text is compared with nothing.
pub(crate) fn as_text(words: &[OsString]) -> Vec<String> {
    words
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

/// Follows the words from a built command; stops at a site's name.
pub(crate) fn follow<'t>(root: &'t Command, words: &[String]) -> Place<'t> {
    let mut place = Place {
        command: root,
        path: vec![root.get_name()],
        waits: None,
        given: vec![],
        values: 0,
        values_only: false,
        site: None,
    };
    for (at, word) in words.iter().enumerate() {
        if place.waits.take().is_some() {
            continue;
        }
        let command = place.command;
        if !place.values_only && word == "--" {
            place.values_only = true;
        } else if !place.values_only && word.starts_with('-') && word.len() > 1 {
            option(&mut place, command, word);
        } else if let Some(next) = subcommand(&place, command, word) {
            place.command = next;
            place.path.push(next.get_name());
        } else if command.is_allow_external_subcommands_set() {
            place.site = Some(at);
            return place;
        } else {
            place.values += 1;
        }
    }
    place
}

fn subcommand<'t>(place: &Place<'_>, command: &'t Command, word: &str) -> Option<&'t Command> {
    match place.values_only || place.values > 0 {
        true => None,
        false => command.find_subcommand(word),
    }
}

fn option<'t>(place: &mut Place<'t>, command: &'t Command, word: &str) {
    let arguments = || command.get_arguments();
    if let Some(long) = word.strip_prefix("--") {
        let (long, has_value) = match long.split_once('=') {
            Some((long, _)) => (long, true),
            None => (long, false),
        };
        if let Some(arg) = arguments().find(|arg| arg.get_long() == Some(long)) {
            place.given.push(arg);
            place.waits = (takes_value(arg) && !has_value).then_some(arg);
        }
        return;
    }
    let mut letters = word.chars().skip(1);
    while let Some(letter) = letters.next() {
        let Some(arg) = arguments().find(|arg| arg.get_short() == Some(letter)) else {
            return;
        };
        place.given.push(arg);
        if takes_value(arg) {
            place.waits = letters.next().is_none().then_some(arg);
            return;
        }
    }
}

/// Whether an option has a value.
pub(crate) fn takes_value(arg: &Arg) -> bool {
    arg.get_action().takes_values()
}

#[cfg(test)]
mod tests {
    use clap::ArgAction;

    use super::*;

    fn tree() -> Command {
        let mut tree = Command::new("program")
            .allow_external_subcommands(true)
            .arg(Arg::new("format").short('f').long("format").global(true))
            .arg(
                Arg::new("verbose")
                    .short('v')
                    .long("verbose")
                    .action(ArgAction::SetTrue)
                    .global(true),
            )
            .subcommand(
                Command::new("plugin").subcommand(Command::new("install").arg(Arg::new("source"))),
            );
        tree.build();
        tree
    }

    fn told(line: &str) -> String {
        let tree = tree();
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let place = follow(&tree, &words);
        format!(
            "{} {} {:?} {:?}",
            place.path.join(" "),
            place.values,
            place.waits.map(|arg| arg.get_id().as_str()),
            place.site
        )
    }

    #[test]
    fn options_and_their_values_are_no_commands() {
        for line in [
            "-f plugin plugin install x",
            "plugin --format install install x",
            "plugin -vf json install x",
            "plugin -fjson -v install --format=install x",
        ] {
            assert_eq!(told(line), "program plugin install 1 None None", "{line}");
        }
    }

    #[test]
    fn what_is_waited_for_and_where_a_site_starts_is_known() {
        assert_eq!(told(""), "program 0 None None");
        assert_eq!(
            told("plugin install -vf"),
            "program plugin install 0 Some(\"format\") None"
        );
        assert_eq!(told("-v site run plugin"), "program 0 None Some(1)");
        assert_eq!(
            told("plugin install -- -f"),
            "program plugin install 1 None None"
        );
    }
}
