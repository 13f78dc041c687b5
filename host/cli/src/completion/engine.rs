//! Answers a shell: the words so far in, candidates out. It reads the lock file and nothing else of
//! the home: no package, no compiled code.
//!
//! Each line is a word, a tab and a description. The last one may be `:files` or `:folders`: the
//! shell completes paths itself. What cannot be completed is answered with nothing.

use std::ffi::OsString;
use std::io::Write;

use clap::Command;
use sr_host::Listed;
use sr_policy::command_rules::check_commands;
use sr_policy::{UntrustedText, exit};

use super::candidates::{Answer, Paths, at};
use crate::error::CommandError;
use crate::shell::Shell;
use crate::{Ended, help, line, root, site_command};

/// The hidden command: no plugin can have this name.
pub(crate) const ENGINE: &str = "__complete";

/// Characters of a description.
const DESCRIPTION_CHARS: usize = 80;

/// Answers for these words: `--`, those before the cursor's, and the one at the cursor.
pub(crate) fn answer(words: &[OsString], shell: Shell) -> Ended {
    let words = match words.split_first() {
        Some((first, words)) if first == "--" => words,
        _ => {
            return Err(CommandError::usage(format!(
                "{ENGINE}: write -- before the words"
            )));
        }
    };
    let Some((current, before)) = words.split_last() else {
        return Ok(exit::OK);
    };
    let current = current.to_string_lossy();
    let answer = answer_for(before, &current);
    shell
        .data(|out| write(out, &answer))
        .map_err(|error| CommandError::new("OUTPUT", error.to_string(), exit::GENERIC))?;
    Ok(exit::OK)
}

fn answer_for(before: &[OsString], current: &str) -> Answer {
    // `help X` goes on like X.
    let before = line::as_text(&help::with_help_option(before));
    // A lock that cannot be read has no sites; the command that was asked will say so.
    let plugins = root::runtime()
        .and_then(|runtime| Ok(runtime.list()?))
        .unwrap_or_default();
    let mut tree = root::parser();
    tree.build();
    let place = line::follow(&tree, &before);
    let Some(start) = place.site else {
        return at(&place, current, &plugins);
    };
    let (Some(site), Some(rest)) = (before.get(start), before.get(start + 1..)) else {
        return Answer::default();
    };
    match site_tree(site, &plugins) {
        Some(tree) => at(&line::follow(&tree, rest), current, &plugins),
        None => Answer::default(),
    }
}

/// The commands of a site, if the index holds what the command line can offer.
fn site_tree(site: &str, plugins: &[Listed]) -> Option<Command> {
    let plugin = plugins.iter().find(|plugin| plugin.name.as_str() == site)?;
    let entry = plugin.entry.as_ref()?;
    check_commands(&entry.commands).ok()?;
    let mut tree = site_command::parser(site, &entry.description, &entry.commands);
    tree.build();
    Some(tree)
}

fn write(out: &mut dyn Write, answer: &Answer) -> std::io::Result<()> {
    for candidate in answer.candidates.iter().filter(|one| is_plain(&one.word)) {
        let says = UntrustedText::from(candidate.says.as_str()).one_line(DESCRIPTION_CHARS);
        writeln!(out, "{}\t{}", candidate.word, says.trim())?;
    }
    match answer.paths {
        None => Ok(()),
        Some(Paths::Files) => writeln!(out, ":files"),
        Some(Paths::Folders) => writeln!(out, ":folders"),
    }
}

/// Whether a word stands on a command line as it is, in every shell. Others are not offered: a
/// shell would have to quote them, and not every one does.
fn is_plain(word: &str) -> bool {
    let starts = |first: char| first.is_alphanumeric() || first == '-';
    word.starts_with(starts)
        && word
            .chars()
            .all(|letter| letter.is_alphanumeric() || "-_./:@+,=".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_no_shell_reads_as_more_are_offered() {
        for word in [
            "plugin",
            "--format=json",
            "blood-orange",
            "größe",
            "a.b/c:d",
            "2026-01-02",
        ] {
            assert!(is_plain(word), "{word}");
        }
        for word in [
            "",
            ":files",
            "$(touch x)",
            "`x`",
            "a;b",
            "a b",
            "a'b",
            "a\"b",
            "a|b",
            "~x",
            "=x",
            "*",
            "!x",
            "a\nb",
            "a\\b",
            "{a,b}",
            "a#",
            "%1",
            "a&b",
            "<x",
            "a\u{202e}b",
        ] {
            assert!(!is_plain(word), "{word}");
        }
    }
}
