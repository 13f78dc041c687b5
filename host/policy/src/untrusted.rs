//! Text from pages, sites and plugins, shown so that it cannot drive the terminal.

use std::borrow::Cow;
use std::fmt;
use std::iter::Peekable;
use std::str::Chars;

use serde::{Deserialize, Serialize};

/// Text somebody else wrote. Showing it filters it; only JSON values get it as it is.
#[derive(Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UntrustedText(String);

impl UntrustedText {
    /// The text for a terminal or a file of lines; line feeds and tabs stay.
    ///
    /// Gone are escape sequences with all they carry, other control characters, BiDi controls
    /// and invisible spaces. Emoji, their joiners and combining marks stay.
    #[must_use]
    pub fn shown(&self) -> Cow<'_, str> {
        if self
            .0
            .chars()
            .all(|letter| matches!(keep(letter), Keep::Yes))
        {
            return Cow::Borrowed(&self.0);
        }
        Cow::Owned(filter(&self.0, usize::MAX, false))
    }

    /// The text as one line of at most `max_chars` characters; a longer one ends in `…`.
    #[must_use]
    pub fn one_line(&self, max_chars: usize) -> String {
        // One more than fits tells whether something was cut.
        let mut line = filter(&self.0, max_chars.saturating_add(1), true);
        if line.chars().count() > max_chars {
            let cut = line
                .char_indices()
                .nth(max_chars.saturating_sub(1))
                .map_or(0, |(at, _)| at);
            line.truncate(cut);
            if max_chars > 0 {
                line.push('…');
            }
        }
        line
    }

    /// The text as it came: for JSON values, never for a terminal.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.0
    }
}

impl From<&str> for UntrustedText {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for UntrustedText {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Display for UntrustedText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.shown())
    }
}

impl fmt::Debug for UntrustedText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "UntrustedText({:?})", self.shown())
    }
}

/// Whether this character is shown wherever it stands. What is not can only be written as an
/// escape; a tag character, shown behind its flag alone, counts as not.
#[must_use]
pub fn is_shown(letter: char) -> bool {
    matches!(keep(letter), Keep::Yes)
}

enum Keep {
    Yes,
    No,
    Space,
    /// A tag character, kept only behind the flag it belongs to.
    Tag,
    /// Starts a control sequence: `ESC`, or its one-character form.
    Escape,
    /// Starts parameters up to a final character.
    Sequence,
    /// Starts a string up to its terminator.
    Command,
}

fn keep(letter: char) -> Keep {
    match letter {
        '\n' | '\t' | ' '..='~' => Keep::Yes,
        '\u{1b}' => Keep::Escape,
        '\u{9b}' => Keep::Sequence,
        '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => Keep::Command,
        '\u{85}' | '\u{2028}' | '\u{2029}' => Keep::Space,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Keep::No,
        // Marks, embeddings, overrides and isolates of UAX 9.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Keep::No
        }
        // Invisible, and no part of an emoji.
        '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}' => Keep::No,
        '\u{fff9}'..='\u{fffb}' => Keep::No,
        '\u{e0000}'..='\u{e007f}' => Keep::Tag,
        _ => Keep::Yes,
    }
}

fn filter(text: &str, max_chars: usize, one_line: bool) -> String {
    // Most text: printable ASCII, of which nothing goes.
    if text.len() <= max_chars && text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    let mut made = String::with_capacity(text.len().min(max_chars));
    let mut count = 0;
    let mut in_flag = false;
    let mut letters = text.chars().peekable();
    while count < max_chars {
        let Some(letter) = letters.next() else { break };
        let kept = match keep(letter) {
            Keep::Yes if one_line && matches!(letter, '\n' | '\t') => Some(' '),
            Keep::Yes => Some(letter),
            Keep::Space => Some(' '),
            Keep::Tag if in_flag => Some(letter),
            Keep::No | Keep::Tag => None,
            Keep::Escape => {
                skip_escape(&mut letters);
                None
            }
            Keep::Sequence => {
                skip_sequence(&mut letters);
                None
            }
            Keep::Command => {
                skip_command(&mut letters);
                None
            }
        };
        if let Some(letter) = kept {
            // A black flag starts the tag sequences of regional flags (UTS 51).
            in_flag = letter == '\u{1f3f4}' || (in_flag && matches!(keep(letter), Keep::Tag));
            made.push(letter);
            count += 1;
        }
    }
    made
}

/// Behind `ESC` (ECMA-35, ECMA-48): a string, a sequence, or intermediates and one final.
fn skip_escape(letters: &mut Peekable<Chars<'_>>) {
    match letters.peek() {
        Some('[') => {
            letters.next();
            skip_sequence(letters);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            letters.next();
            skip_command(letters);
        }
        _ => {
            while letters
                .next_if(|letter| (' '..='/').contains(letter))
                .is_some()
            {}
            letters.next_if(|letter| ('0'..='~').contains(letter));
        }
    }
}

fn skip_sequence(letters: &mut Peekable<Chars<'_>>) {
    while letters
        .next_if(|letter| (' '..='?').contains(letter))
        .is_some()
    {}
    letters.next_if(|letter| ('@'..='~').contains(letter));
}

/// Up to BEL or ST. One without an end takes its line and not the lines behind it, so that a
/// plugin cannot hide what the host says next.
fn skip_command(letters: &mut Peekable<Chars<'_>>) {
    while let Some(letter) = letters.next_if(|letter| *letter != '\n') {
        match letter {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                letters.next_if(|letter| *letter == '\\');
                return;
            }
            _ => {}
        }
    }
}
