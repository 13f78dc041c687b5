//! Words as on the command line, to the call a component gets. Smaller than the real command
//! line, same meaning: `--name value`, `--name=value`, `-n value`, flags, positional words, `--`.

use sr_guest::bindings::exports::sr::runtime::plugin::{Arg, ArgKind, Command};
use sr_guest::{Call, Cell, Failure, Named, Result, failure};
use sr_policy::command_rules;

use crate::convert;

pub(crate) fn call(command: &Command, words: &[&str]) -> Result<Call> {
    let mut args = Vec::new();
    let mut given = Vec::new();
    let mut positional = command.args.iter().filter(|arg| arg.positional).peekable();
    let mut words = words.iter().copied();
    let mut only_positional = false;
    while let Some(word) = words.next() {
        if word == "--" && !only_positional {
            only_positional = true;
            continue;
        }
        let option = if only_positional {
            None
        } else {
            option(command, word)?
        };
        let (arg, text) = match option {
            Some((arg, text)) => (arg, text),
            None => {
                let Some(arg) = positional.peek().copied() else {
                    return Err(failure::invalid(word, "one word too many"));
                };
                if !arg.many {
                    positional.next();
                }
                (arg, Some(word))
            }
        };
        let value = match (&arg.kind, text) {
            (ArgKind::Flag, None) => Cell::Flag(true),
            (ArgKind::Flag, Some(_)) => return Err(invalid(arg, "a flag takes no value")),
            (_, Some(text)) => value(arg, text)?,
            (_, None) => {
                let text = words
                    .next()
                    .ok_or_else(|| invalid(arg, "a value is missing"))?;
                value(arg, text)?
            }
        };
        if !arg.many && given.contains(&arg.name) {
            return Err(invalid(arg, "given twice"));
        }
        given.push(arg.name.clone());
        args.push(named(arg, value));
    }
    for arg in &command.args {
        if given.contains(&arg.name) {
            continue;
        }
        if let Some(default) = &arg.default {
            let kind = convert::arg_kind(&arg.kind);
            let value = command_rules::settled(&kind, convert::cell(default));
            args.push(named(arg, convert::from_plain(value)));
        } else if matches!(arg.kind, ArgKind::Flag) {
            args.push(named(arg, Cell::Flag(false)));
        } else if arg.required {
            return Err(invalid(arg, "missing"));
        }
    }
    given.dedup();
    Ok(Call {
        command: command.name.clone(),
        args,
        given,
        notes: Vec::new(),
    })
}

fn named(arg: &Arg, value: Cell) -> Named {
    Named {
        name: arg.name.clone(),
        value,
    }
}

fn invalid(arg: &Arg, reason: impl Into<String>) -> Failure {
    failure::invalid(&arg.name, reason)
}

/// The option a word names, and its value after `=`; `None` for a positional word.
fn option<'a>(command: &'a Command, word: &'a str) -> Result<Option<(&'a Arg, Option<&'a str>)>> {
    let negative = word
        .strip_prefix('-')
        .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()));
    let Some(rest) = word
        .strip_prefix('-')
        .filter(|rest| !rest.is_empty() && !negative)
    else {
        return Ok(None);
    };
    let (name, value) = match rest.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (rest, None),
    };
    let mut args = command.args.iter().filter(|arg| !arg.positional);
    let found = match name.strip_prefix('-') {
        Some(long) => args.find(|arg| arg.name == long),
        None => args.find(|arg| arg.short.as_deref() == Some(name)),
    };
    match found {
        Some(arg) => Ok(Some((arg, value))),
        None => Err(failure::invalid(word, "no such option")),
    }
}

fn value(arg: &Arg, text: &str) -> Result<Cell> {
    command_rules::read_word(&convert::arg_kind(&arg.kind), text)
        .map(convert::from_plain)
        .map_err(|reason| invalid(arg, reason))
}
