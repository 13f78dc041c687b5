//! A plugin whose files are others than the lock records. That is told before anything of the
//! changed component decides; help is of the recorded commands, a run is of the changed ones.

use std::ffi::OsString;

use sr_host::{Changed, Fault, OpenPlugin, Recorded};
use sr_policy::command::Command;
use sr_policy::exit;

use crate::error::CommandError;
use crate::root::Context;
use crate::site::{self, Index};
use crate::usage::{clap_error, is_any_help};
use crate::{Ended, faults, site_command};

/// Commands that are named in one line.
const NAMED: usize = 5;

/// What a line comes to with one set of commands.
enum Line {
    /// Help was asked for, or no command was given.
    Help(clap::Error),
    /// A command that takes its arguments.
    Taken,
    /// Something else.
    Refused(CommandError),
}

/// Runs one command of the changed plugin, or shows the help that was recorded.
pub(crate) fn run(
    context: &Context,
    recorded: Recorded,
    change: &Changed,
    words: &[OsString],
) -> Ended {
    let site = change.name.as_str();
    let shell = context.shell;
    shell.warn(&format!("{change}; {}", change.advice()));
    let (summary, commands) = recorded.index();
    let (summary, commands) = (summary.to_owned(), commands.to_vec());
    let index: Index<'_> = (&summary, &commands);
    let line = line(context, site, index, words);
    let opening = shell.spin(&format!("compiling {site}"));
    let loaded = context.runtime()?.load(recorded);
    drop(opening);
    if let Line::Help(error) = line {
        if let Some(difference) = difference(&commands, &loaded) {
            shell.warn(&format!(
                "this help is of the recorded commands of {site}; {difference}"
            ));
        }
        return site::no_run(context, site, index, &error, words);
    }
    run_live(context, loaded, site, &line, words).map_err(|error| faults::of_changed(error, change))
}

fn run_live(
    context: &Context,
    loaded: Result<OpenPlugin, Fault>,
    site: &str,
    recorded: &Line,
    words: &[OsString],
) -> Ended {
    let plugin = loaded?;
    let live = (plugin.description.as_str(), plugin.commands.as_slice());
    if let Line::Taken = recorded
        && let Line::Refused(error) = line(context, site, live, words)
    {
        return Err(CommandError::new(
            "INTEGRITY",
            format!(
                "this line fits the commands recorded for {site}, and the changed component does not take it: {}",
                error.message
            ),
            exit::INTEGRITY,
        ));
    }
    site::run_opened(context, &plugin, site, words)
}

fn line(context: &Context, site: &str, index: Index<'_>, words: &[OsString]) -> Line {
    let (summary, commands) = index;
    let parser = site_command::parser(site, summary, commands);
    let matches = match site_command::parse(parser.clone(), site, words) {
        Ok(matches) => matches,
        Err(error) if is_any_help(&error) => return Line::Help(error),
        Err(error) => {
            return match clap_error(&error, context.shell, parser, words) {
                Ok(_) => Line::Help(error),
                Err(refused) => Line::Refused(refused),
            };
        }
    };
    let command = matches
        .subcommand()
        .and_then(|(name, matches)| Some((sr_host::command_named(commands, name)?, matches)));
    let Some((command, matches)) = command else {
        return Line::Refused(CommandError::usage(format!("{site}: no command given")));
    };
    match sr_host::call(command, &site_command::typed(command, matches)) {
        Ok(_) => Line::Taken,
        Err(error) => Line::Refused(site::argument_error(&error)),
    }
}

/// How the changed commands differ from the recorded ones; none when they do not.
fn difference(recorded: &[Command], loaded: &Result<OpenPlugin, Fault>) -> Option<String> {
    let live = match loaded {
        Ok(plugin) => &plugin.commands,
        Err(fault) => return Some(format!("the changed ones cannot be read: {fault}")),
    };
    let in_live = |command: &&Command| live.iter().find(|one| one.name == command.name);
    let gone = recorded.iter().filter(|one| in_live(one).is_none());
    let other = recorded
        .iter()
        .filter(|one| in_live(one).is_some_and(|live| live != *one));
    let new = live
        .iter()
        .filter(|one| sr_host::command_named(recorded, &one.name).is_none());
    let words: Vec<String> = (new.map(|one| format!("new {}", one.name)))
        .chain(gone.map(|one| format!("gone {}", one.name)))
        .chain(other.map(|one| format!("other {}", one.name)))
        .collect();
    let first: Vec<&str> = words.iter().take(NAMED).map(String::as_str).collect();
    let more = match words.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(", {more} more"),
    };
    (!words.is_empty()).then(|| format!("the changed ones differ: {}{more}", first.join(", ")))
}
