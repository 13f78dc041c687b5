//! What a command line asks for, told without a parser: an error needs its format even when the
//! words do not parse.

use std::ffi::OsString;

use crate::output::Format;

/// The format in which an error is told: the last one named.
pub(crate) fn format(words: &[OsString]) -> Format {
    let mut words = words.iter().map(|word| word.to_string_lossy());
    let mut format = Format::Table;
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        let name = match value(&word) {
            Some("") => words.next(),
            Some(name) => Some(name.to_owned().into()),
            None => None,
        };
        if let Some(named) = name.and_then(|name| Format::named(&name)) {
            format = named;
        }
    }
    format
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

    fn asked(line: &str) -> Format {
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
            assert_eq!(asked(line), Format::Json, "{line}");
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
            "-f json demo -f table",
        ] {
            assert_eq!(asked(line), Format::Table, "{line}");
        }
    }
}
