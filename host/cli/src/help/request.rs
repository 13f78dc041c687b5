//! The ways to ask for help.

use std::ffi::OsString;

use clap::error::ErrorKind;
use sr_policy::host_options::HOST_OPTIONS;

use crate::output::Format;

/// Whether this outcome is help that was asked for as data.
pub(crate) fn is_help(error: &clap::Error, format: Option<Format>) -> bool {
    error.kind() == ErrorKind::DisplayHelp && matches!(format, Some(Format::Json | Format::Yaml))
}

/// `help SITE COMMAND` and `SITE help COMMAND` as `SITE COMMAND --help`. The word is reserved, so
/// as one of the first two it is never a site, and never a command of one.
pub(crate) fn with_help_option(words: &[OsString]) -> Vec<OsString> {
    let mut words = words.to_vec();
    let mut commands = 0;
    let mut is_value = false;
    let mut found = None;
    for (at, word) in words.iter().enumerate() {
        let word = word.to_string_lossy();
        if std::mem::take(&mut is_value) {
            continue;
        }
        if word == "--" || commands == 2 {
            break;
        }
        if word.starts_with('-') {
            is_value = wants_value(&word);
        } else if word == "help" {
            found = Some(at);
            break;
        } else {
            commands += 1;
        }
    }
    if let Some(at) = found {
        words.remove(at);
        // Help on how to get help is the help of the program.
        if commands == 0 && words.get(at).is_some_and(|word| word == "help") {
            words.remove(at);
        }
        let end = words.iter().position(|word| word == "--");
        words.insert(end.unwrap_or(words.len()), "--help".into());
    }
    words
}

/// Whether the next word is the value of this option.
fn wants_value(word: &str) -> bool {
    let valued = || HOST_OPTIONS.iter().filter(|option| option.value.is_some());
    match word.strip_prefix("--") {
        Some(long) => valued().any(|option| option.long == long),
        None => word
            .chars()
            .next_back()
            .is_some_and(|last| valued().any(|option| option.short == Some(last))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str) -> String {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let words = with_help_option(&words);
        words.join(" ".as_ref()).to_string_lossy().into_owned()
    }

    #[test]
    fn the_word_help_is_the_option_of_what_stands_behind_it() {
        assert_eq!(asked("help"), "--help");
        assert_eq!(asked("help help"), "--help");
        assert_eq!(asked("help plugin install"), "plugin install --help");
        assert_eq!(asked("-f json help site run"), "-f json site run --help");
        assert_eq!(asked("site help run -f yaml"), "site run -f yaml --help");
        assert_eq!(asked("plugin help"), "plugin --help");
        assert_eq!(asked("help site -- x"), "site --help -- x");
    }

    #[test]
    fn the_word_help_anywhere_else_is_a_value() {
        for line in [
            "site run help",
            "-f help site",
            "-vf help site",
            "site --replay help run",
            "-- help",
            "plugin install help",
        ] {
            assert_eq!(asked(line), line);
        }
    }
}
