//! Whether a command's arguments are what the command line can parse.

use std::collections::HashSet;

use crate::command::{Arg, ArgKind};
use crate::command_rules::{Faults, bad_name, is_name, shown};
use crate::host_options::{is_reserved, is_reserved_short};
use crate::untrusted::UntrustedText;
use crate::url::CheckedUrl;
use crate::value::Cell;

pub(crate) fn check_args(args: &[Arg], faults: &mut Faults) {
    let mut names = HashSet::new();
    let mut letters = HashSet::new();
    let mut last_place: Option<&Arg> = None;
    for arg in args {
        let field = format!("argument {}", shown(&arg.name));
        if !is_name(&arg.name) {
            faults.add("args", bad_name(&arg.name));
        } else if is_reserved(&arg.name) {
            faults.add(
                &field,
                format!("--{} belongs to the host; choose another name", arg.name),
            );
        } else if !names.insert(arg.name.as_str()) {
            faults.add(&field, "named twice");
        }
        if let Some(short) = &arg.short {
            check_short(arg, short, &mut letters, &field, faults);
        }
        if arg.positional {
            check_order(arg, last_place, &field, faults);
            last_place = Some(arg);
        }
        check_kind(arg, &field, faults);
        check_default(arg, &field, faults);
        if arg.help.chars().any(char::is_control) {
            faults.add(&field, "help is one line without control characters");
        }
        faults.notes(&format!("{field}: notes"), &arg.notes);
    }
}

fn check_short<'a>(
    arg: &Arg,
    short: &'a str,
    letters: &mut HashSet<&'a str>,
    field: &str,
    faults: &mut Faults,
) {
    let mut chars = short.chars();
    let letter = match (chars.next(), chars.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => letter,
        _ => {
            return faults.add(
                field,
                format!("short is one ASCII letter: {}", shown(short)),
            );
        }
    };
    if arg.positional {
        faults.add(field, "a positional argument has no short option");
    } else if is_reserved_short(letter) {
        faults.add(
            field,
            format!("-{letter} belongs to the host; choose another letter"),
        );
    } else if !letters.insert(short) {
        faults.add(field, format!("-{letter} is used twice"));
    }
}

fn check_order(arg: &Arg, before: Option<&Arg>, field: &str, faults: &mut Faults) {
    if arg.kind == ArgKind::Flag {
        faults.add(field, "a flag is not positional");
    }
    let Some(before) = before else { return };
    if before.many {
        faults.add(
            field,
            format!(
                "stands behind {}, which takes all that is left",
                shown(&before.name)
            ),
        );
    } else if arg.required && !before.required {
        faults.add(
            field,
            format!(
                "is required and stands behind {}, which is not",
                shown(&before.name)
            ),
        );
    }
}

fn check_kind(arg: &Arg, field: &str, faults: &mut Faults) {
    match &arg.kind {
        ArgKind::Flag if arg.required => faults.add(field, "a required flag says nothing"),
        ArgKind::Flag if arg.many => faults.add(field, "a flag is given once"),
        ArgKind::Int {
            min: Some(min),
            max: Some(max),
        } if min > max => {
            faults.add(
                field,
                format!("no number is at least {min} and at most {max}"),
            );
        }
        ArgKind::Choice(words) => check_choice(words, field, faults),
        _ => {}
    }
}

fn check_choice(words: &[String], field: &str, faults: &mut Faults) {
    if words.is_empty() {
        faults.add(field, "a choice has at least one word");
    }
    let mut seen = HashSet::new();
    for word in words {
        let is_word = !word.is_empty()
            && !word.starts_with('-')
            && !word
                .chars()
                .any(|letter| letter.is_whitespace() || letter.is_control())
            // Help and error messages print it: what a terminal would not show is refused.
            && UntrustedText::from(word.as_str()).one_line(usize::MAX) == *word;
        if !is_word {
            faults.add(
                field,
                format!(
                    "a choice is a word without white space or hidden characters, not starting with -: {}",
                    shown(word)
                ),
            );
        } else if !seen.insert(word) {
            faults.add(field, format!("a choice is listed twice: {}", shown(word)));
        }
    }
}

fn check_default(arg: &Arg, field: &str, faults: &mut Faults) {
    let Some(default) = &arg.default else { return };
    if arg.required {
        faults.add(field, "a required argument has no default");
    }
    if *default == Cell::Flag(true) {
        faults.add(field, "default: a flag that is on cannot be switched off");
    }
    if let Err(reason) = fits(&arg.kind, default) {
        faults.add(field, format!("default: {reason}"));
    }
}

/// Whether a value is what an argument of this kind accepts.
///
/// # Errors
/// The reason, fit for a message.
pub fn fits(kind: &ArgKind, value: &Cell) -> Result<(), String> {
    match (kind, value) {
        (ArgKind::Flag, Cell::Flag(_)) | (ArgKind::Text | ArgKind::Content, Cell::Text(_)) => {
            Ok(())
        }
        (ArgKind::Int { min, max }, Cell::Int(number)) => {
            let fits = min.is_none_or(|min| *number >= min) && max.is_none_or(|max| *number <= max);
            match (fits, min, max) {
                (true, ..) | (false, None, None) => Ok(()),
                (false, Some(min), Some(max)) => Err(format!("not from {min} to {max}")),
                (false, Some(min), None) => Err(format!("less than {min}")),
                (false, None, Some(max)) => Err(format!("more than {max}")),
            }
        }
        (ArgKind::Float, Cell::Int(_)) => Ok(()),
        (ArgKind::Float, Cell::Float(number)) if number.is_finite() => Ok(()),
        (ArgKind::Url, Cell::Text(text)) => CheckedUrl::parse(text)
            .map(drop)
            .map_err(|error| error.to_string()),
        (ArgKind::Date, Cell::Text(text)) if crate::date::parse(text).is_some() => Ok(()),
        (ArgKind::Date, Cell::Text(_)) => Err("not YYYY-MM-DD or RFC 3339".to_owned()),
        (ArgKind::Date, Cell::Time(_)) => Ok(()),
        (ArgKind::Json, Cell::Text(text) | Cell::Json(text)) => {
            serde_json::from_str::<serde_json::Value>(text)
                .map(drop)
                .map_err(|error| format!("not JSON: {error}"))
        }
        (ArgKind::Choice(words), Cell::Text(text)) if words.contains(text) => Ok(()),
        (ArgKind::Choice(words), Cell::Text(_)) => {
            Err(format!("not one of {}", shown(&words.join(", "))))
        }
        _ => Err(format!(
            "a value of another type than the argument, which is {}",
            kind.name()
        )),
    }
}

/// The cell of a word on a command line; [`fits`] holds for it.
///
/// # Errors
/// The reason, fit for a message.
pub fn read_word(kind: &ArgKind, word: &str) -> Result<Cell, String> {
    let cell = match kind {
        ArgKind::Flag => Cell::Flag(word.parse().map_err(|_| "not true or false")?),
        ArgKind::Int { .. } => Cell::Int(word.parse().map_err(|_| "not a whole number")?),
        ArgKind::Float => Cell::Float(word.parse().map_err(|_| "not a number")?),
        _ => settled(kind, Cell::Text(word.to_owned())),
    };
    fits(kind, &cell)?;
    Ok(cell)
}

/// A value as a component gets it: a date as its moment, JSON as JSON, a URL normalised. A
/// declared default may spell them as text.
#[must_use]
pub fn settled(kind: &ArgKind, value: Cell) -> Cell {
    match (kind, value) {
        (ArgKind::Date, Cell::Text(text)) => {
            crate::date::parse(&text).map_or(Cell::Text(text), Cell::Time)
        }
        (ArgKind::Json, Cell::Text(text)) => Cell::Json(text),
        (ArgKind::Url, Cell::Text(text)) => match CheckedUrl::parse(&text) {
            Ok(url) => Cell::Text(url.as_str().to_owned()),
            Err(_) => Cell::Text(text),
        },
        (_, value) => value,
    }
}
