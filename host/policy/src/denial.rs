//! Making a denial: bounded, ASCII, and never with more than the policy knows.

use std::fmt;

use crate::failure::{Denial, Failure};
use crate::limits;

impl Denial {
    /// A denial within the limits of the WIT contract.
    ///
    /// `subject` is made ASCII by escaping and cut to [`limits::DENIAL_SUBJECT_BYTES`]; a `fix`
    /// longer than [`limits::DENIAL_FIX_BYTES`] is left out, because half a line is no line.
    #[must_use]
    pub fn new(code: &str, rule: &str, subject: &str, fix: Option<String>) -> Self {
        Self {
            code: ascii(code, limits::DENIAL_CODE_BYTES),
            rule: ascii(rule, limits::DENIAL_CODE_BYTES),
            subject: ascii(subject, limits::DENIAL_SUBJECT_BYTES),
            fix: fix.filter(|line| line.len() <= limits::DENIAL_FIX_BYTES),
        }
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "refused by the rule {}: {}",
            ascii(&self.rule, limits::DENIAL_CODE_BYTES),
            ascii(&self.subject, limits::DENIAL_SUBJECT_BYTES)
        )
    }
}

impl std::error::Error for Denial {}

impl From<Denial> for Failure {
    fn from(denial: Denial) -> Self {
        Self::Denied(denial)
    }
}

/// Printable ASCII of at most `most` bytes; everything else is escaped as in Rust source.
pub(crate) fn ascii(text: &str, most: usize) -> String {
    let mut made = String::with_capacity(text.len().min(most));
    for letter in text.chars() {
        let before = made.len();
        if letter == ' ' || letter.is_ascii_graphic() {
            made.push(letter);
        } else {
            made.extend(letter.escape_default());
        }
        if made.len() > most {
            made.truncate(before);
            break;
        }
    }
    made
}
