//! Names from packages, made fit for a message.

use std::ffi::OsStr;
use std::path::Path;

use crate::path::has_odd_character;

const SHOWN_CHARS: usize = 100;

/// Everything that is not printable ASCII, and the backslash, as an escape; cut after 100 characters.
pub(crate) fn escaped(text: &str) -> String {
    escaped_to(text, SHOWN_CHARS)
}

/// The same with another cut.
pub(crate) fn escaped_to(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).flat_map(one).collect();
    if text.chars().nth(most).is_some() {
        shown.push_str("...");
    }
    shown
}

/// The same for a file name that may not be UTF-8: odd bytes as `\xNN`.
pub(crate) fn escaped_os(name: &OsStr) -> String {
    match name.to_str() {
        Some(text) => escaped(text),
        None => name
            .as_encoded_bytes()
            .iter()
            .take(SHOWN_CHARS)
            .map(|byte| byte.escape_ascii().to_string())
            .collect(),
    }
}

/// A path of the person's own: as it is, but for bytes that are not UTF-8 and for characters that
/// a terminal would not show, as escapes.
#[must_use]
pub fn shown_path(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for character in chunk.valid().chars() {
            match has_odd_character(character.encode_utf8(&mut [0; 4])) {
                true => shown.extend(character.escape_default()),
                false => shown.push(character),
            }
        }
        for byte in chunk.invalid() {
            shown.push_str(&byte.escape_ascii().to_string());
        }
    }
    shown
}

fn one(character: char) -> impl Iterator<Item = char> {
    let plain = matches!(character, ' '..='~') && character != '\\';
    let escape = (!plain).then(|| character.escape_default());
    plain
        .then_some(character)
        .into_iter()
        .chain(escape.into_iter().flatten())
}

/// The known word that was probably meant.
pub(crate) fn closest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .filter(|(far, candidate)| *far <= 2 && *far < candidate.len())
        .min_by_key(|(far, _)| *far)
        .map(|(_, candidate)| candidate)
}

/// Edits between two short words (insert, remove, replace).
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.chars().count()).collect();
    for (line, a) in left.chars().take(64).enumerate() {
        let mut diagonal = line;
        let mut before = line + 1;
        for (b, cell) in right.chars().zip(row.iter_mut().skip(1)) {
            let best = (diagonal + usize::from(a != b))
                .min(before + 1)
                .min(*cell + 1);
            diagonal = std::mem::replace(cell, best);
            before = best;
        }
        if let Some(first) = row.first_mut() {
            *first = line + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        for (a, b, far) in [
            ("domain", "domains", 1),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("x", "x", 0),
        ] {
            assert_eq!(distance(a, b), far, "{a} {b}");
        }
    }

    #[test]
    fn nothing_but_printable_ascii_is_shown() {
        assert_eq!(
            escaped("a\u{1b}[31mb\n\u{202e}é"),
            "a\\u{1b}[31mb\\n\\u{202e}\\u{e9}"
        );
        assert_eq!(escaped(&"x".repeat(300)).len(), 103);
    }

    #[test]
    fn a_path_shows_every_byte_of_it() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = OsStr::from_bytes(b"/h\xc3\xa9/a\0b\x1b[2J\xff/\xe2\x80\xae");
        assert_eq!(
            shown_path(Path::new(path)),
            "/h\u{e9}/a\\u{0}b\\u{1b}[2J\\xff/\\u{202e}"
        );
    }

    #[test]
    fn a_far_word_is_not_suggested() {
        assert_eq!(closest("domain", &["domains", "posts"]), Some("domains"));
        assert_eq!(closest("zzz", &["domains", "posts"]), None);
    }
}
