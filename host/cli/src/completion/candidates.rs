//! What may stand at a place of a command line.

use clap::{Arg, ArgAction, ValueHint};
use sr_host::Listed;

use crate::line::{Place, takes_value};

/// Words that may stand there, and whether paths may.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) candidates: Vec<Candidate>,
    pub(super) paths: Option<Paths>,
}

/// A word and what it does; both may be a plugin's.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) word: String,
    pub(super) says: String,
}

/// Paths that the shell completes itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paths {
    Files,
    Folders,
}

impl Answer {
    fn add(&mut self, word: impl Into<String>, says: impl Into<String>) {
        self.candidates.push(Candidate {
            word: word.into(),
            says: says.into(),
        });
    }
}

/// The answer for a word that starts with `current` at this place.
pub(super) fn at(place: &Place<'_>, current: &str, plugins: &[Listed]) -> Answer {
    let mut answer = all(place, current, plugins);
    answer
        .candidates
        .retain(|candidate| candidate.word.starts_with(current));
    answer
}

fn all(place: &Place<'_>, current: &str, plugins: &[Listed]) -> Answer {
    let mut answer = Answer::default();
    if let Some(option) = place.waits {
        values(&mut answer, option, place, plugins, "");
        return answer;
    }
    let takes_options = !place.values_only;
    if takes_options && let Some((long, _)) = current.split_once('=') {
        let named = |arg: &&Arg| {
            long.strip_prefix("--")
                .is_some_and(|long| arg.get_long() == Some(long))
        };
        if let Some(option) = place.command.get_arguments().find(named) {
            let prefix = format!("{long}=");
            values(&mut answer, option, place, plugins, &prefix);
        }
        return answer;
    }
    if takes_options && current.starts_with('-') {
        options(&mut answer, place);
        return answer;
    }
    if takes_options && place.values == 0 {
        commands(&mut answer, place, plugins);
    }
    if let Some(argument) = positional(place) {
        values(&mut answer, argument, place, plugins, "");
    }
    if takes_options && answer.candidates.is_empty() && answer.paths.is_none() && current.is_empty()
    {
        options(&mut answer, place);
    }
    answer
}

fn commands(answer: &mut Answer, place: &Place<'_>, plugins: &[Listed]) {
    for command in place
        .command
        .get_subcommands()
        .filter(|one| !one.is_hide_set())
    {
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        answer.add(command.get_name(), about.clone());
        for alias in command.get_visible_aliases() {
            answer.add(alias, about.clone());
        }
    }
    if place.command.is_allow_external_subcommands_set() {
        for plugin in plugins {
            let says = plugin.entry.as_ref().map(|entry| entry.description.clone());
            answer.add(plugin.name.as_str(), says.unwrap_or_default());
        }
    }
}

fn options(answer: &mut Answer, place: &Place<'_>) {
    for option in place.command.get_arguments() {
        let Some(long) = option.get_long().filter(|_| !option.is_hide_set()) else {
            continue;
        };
        let given = place
            .given
            .iter()
            .any(|one| one.get_id() == option.get_id());
        if given && !matches!(option.get_action(), ArgAction::Append) {
            continue;
        }
        answer.add(format!("--{long}"), about(option));
    }
}

/// The argument whose value comes next.
fn positional<'t>(place: &Place<'t>) -> Option<&'t Arg> {
    let mut positionals = place.command.get_positionals();
    positionals.nth(place.values).or_else(|| {
        let last = place.command.get_positionals().last()?;
        matches!(last.get_action(), ArgAction::Append).then_some(last)
    })
}

fn values(answer: &mut Answer, arg: &Arg, place: &Place<'_>, plugins: &[Listed], prefix: &str) {
    if !takes_value(arg) {
        return;
    }
    for value in arg.get_possible_values() {
        if !value.is_hide_set() {
            let says = value
                .get_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            answer.add(format!("{prefix}{}", value.get_name()), says);
        }
    }
    if is_plugin_name(arg, place) {
        for plugin in plugins {
            let says = plugin.entry.as_ref().map(|entry| entry.description.clone());
            answer.add(format!("{prefix}{}", plugin.name), says.unwrap_or_default());
        }
    }
    answer.paths = match arg.get_value_hint() {
        ValueHint::FilePath | ValueHint::AnyPath => Some(Paths::Files),
        ValueHint::DirPath => Some(Paths::Folders),
        _ => None,
    };
}

/// `plugin COMMAND NAME` names one that is there; only a new one cannot.
fn is_plugin_name(arg: &Arg, place: &Place<'_>) -> bool {
    let of_plugin = matches!(place.path.as_slice(), [_, "plugin", command] if *command != "new");
    let names = arg.get_value_names().unwrap_or_default();
    of_plugin && matches!(names, [name] if name.split('|').any(|word| word == "NAME"))
}

fn about(arg: &Arg) -> String {
    arg.get_help().map(ToString::to_string).unwrap_or_default()
}
