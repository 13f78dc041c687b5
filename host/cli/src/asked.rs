//! What a command line asks for, told without a parser: an error needs its format even when the
//! words do not parse.

use std::borrow::Cow;
use std::ffi::OsString;

use crate::output::Format;

/// The format in which an error is told: the last one named, if any.
pub(crate) fn format(words: &[OsString]) -> Option<Format> {
    let names = names(words);
    names.iter().rev().find_map(|name| Format::named(name))
}

/// The first name that is no format.
pub(crate) fn unknown_format(words: &[OsString]) -> Option<String> {
    let mut names = names(words).into_iter();
    names.find(|name| Format::named(name).is_none())
}

fn names(words: &[OsString]) -> Vec<String> {
    let mut words = words.iter().map(|word| word.to_string_lossy());
    let mut names = vec![];
    while let Some(word) = words.next().filter(|word| word != "--") {
        match value(&word) {
            Some("") => names.extend(words.next().map(Cow::into_owned)),
            Some(name) => names.push(name.to_owned()),
            None => {}
        }
    }
    names
}

/// What stands behind `--format` or `-f` in the same word; empty when it is the next word.
fn value(word: &str) -> Option<&str> {
    if let Some(long) = word.strip_prefix("--") {
        let value = long.strip_prefix("format")?;
        return match value.is_empty() {
            true => Some(value),
            false => value.strip_prefix('='),
        };
    }
    // Other letters may stand before it in the same word: `-vf json`.
    let (switches, value) = word.strip_prefix('-')?.split_once('f')?;
    let bundled = switches.chars().all(|letter| letter.is_ascii_alphabetic());
    bundled.then(|| value.strip_prefix('=').unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str) -> Option<Format> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        format(&words)
    }

    #[test]
    fn json_is_found_in_every_spelling() {
        for line in [
            "-f json",
            "-fjson",
            "-f=json",
            "--format json",
            "--format=json",
            "-vf json",
            "-vfjson",
            "-vf=json",
            "demo echo -vf json --text x",
            "-f table demo -f json",
        ] {
            assert_eq!(asked(line), Some(Format::Json), "{line}");
            let line = line.replace("json", "yml");
            assert_eq!(asked(&line), Some(Format::Yaml), "{line}");
        }
    }

    #[test]
    fn other_words_ask_for_nothing() {
        for line in [
            "",
            "json",
            "-v json",
            "-f",
            "-f nonsense",
            "--form json",
            "--formats=json",
            "--text=-f json",
            "-1f json",
            "-- -f json",
        ] {
            assert_eq!(asked(line), None, "{line}");
        }
        assert_eq!(asked("-f json demo -f table"), Some(Format::Table));
    }
}
