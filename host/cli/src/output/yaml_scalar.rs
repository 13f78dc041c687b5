//! How YAML spells a string or a number so that no parser takes it for something else.

use std::borrow::Cow;
use std::fmt::Write as _;

use sr_policy::untrusted::is_shown;

/// How a string is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// As it is.
    Plain,
    /// In double quotes, with escapes.
    Quoted,
    /// Line by line behind a bar.
    Literal,
}

/// The style of a value. Plain is what starts with a letter and has nothing that means anything;
/// everything like a number, a date, a mark or a word of the schema is quoted.
pub(super) fn style(text: &str) -> Style {
    if text.contains('\n') {
        return match is_literal(text) {
            true => Style::Literal,
            false => Style::Quoted,
        };
    }
    match is_plain(text) {
        true => Style::Plain,
        false => Style::Quoted,
    }
}

/// A key: plain or quoted.
pub(super) fn key(text: &str) -> Cow<'_, str> {
    match is_plain(text) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(quoted(text)),
    }
}

/// A string in double quotes. What a terminal would act on, and what YAML has no plain form for,
/// is an escape.
pub(super) fn quoted(text: &str) -> String {
    let mut made = String::with_capacity(text.len() + 2);
    made.push('"');
    for letter in text.chars() {
        let code = u32::from(letter);
        let _ = match letter {
            '"' | '\\' => write!(made, "\\{letter}"),
            '\n' => write!(made, "\\n"),
            '\t' => write!(made, "\\t"),
            '\r' => write!(made, "\\r"),
            _ if is_printed(letter) => write!(made, "{letter}"),
            _ if code <= 0xff => write!(made, "\\x{code:02x}"),
            _ if code <= 0xffff => write!(made, "\\u{code:04x}"),
            _ => write!(made, "\\U{code:08x}"),
        };
    }
    made.push('"');
    made
}

/// A JSON number or word in YAML. YAML 1.1 takes an exponent for a number only behind a fraction
/// and with a sign.
pub(super) fn number(word: &str) -> Cow<'_, str> {
    let Some((mantissa, exponent)) = word.split_once(['e', 'E']) else {
        return Cow::Borrowed(word);
    };
    if !mantissa.ends_with(|digit: char| digit.is_ascii_digit()) {
        // `true` and `false` have the letter too.
        return Cow::Borrowed(word);
    }
    let fraction = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with(['+', '-']) {
        ""
    } else {
        "+"
    };
    Cow::Owned(format!("{mantissa}{fraction}e{sign}{exponent}"))
}

fn is_plain(text: &str) -> bool {
    // Most keys and words: nothing but letters, digits and marks that mean nothing.
    if text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/'))
    {
        return !is_schema_word(text);
    }
    text.starts_with(char::is_alphabetic)
        && text.trim_end() == text
        && !text.ends_with(':')
        && !text.contains(": ")
        && !text.contains(" #")
        && text
            .chars()
            .all(|letter| !matches!(letter, '\n' | '\t') && is_printed(letter))
        && !is_schema_word(text)
}

fn is_literal(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    // Where indentation or final breaks would have to be told apart, quotes are surer.
    !body.starts_with([' ', '\n', '\t'])
        && !body.ends_with('\n')
        && !body.is_empty()
        && body
            .split('\n')
            .all(|line| !line.starts_with('\t') && (line.is_empty() || !line.trim().is_empty()))
        && text
            .chars()
            .all(|letter| letter == '\n' || is_printed(letter))
}

/// Words that some schema reads as a boolean, null or a number.
fn is_schema_word(text: &str) -> bool {
    const WORDS: [&str; 11] = [
        "y", "yes", "n", "no", "true", "false", "on", "off", "null", "nan", "inf",
    ];
    text.len() <= 5 && WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Shown by a terminal, and printable for YAML (1.2, 5.1).
fn is_printed(letter: char) -> bool {
    is_shown(letter) && !matches!(letter, '\u{fffe}' | '\u{ffff}')
}
