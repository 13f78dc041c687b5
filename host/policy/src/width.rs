//! How wide text stands in a terminal.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Terminal columns of a filtered line.
#[must_use]
pub fn columns(text: &str) -> usize {
    // Most text: printable ASCII, a column for each byte.
    match text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        true => text.len(),
        false => text.width(),
    }
}

/// The longest start of a filtered line that fits into `most` columns; cut text ends in `…`.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let room = most.saturating_sub(1);
    let mut made = String::new();
    let mut used = 0;
    for letter in text.chars() {
        used += letter.width().unwrap_or(0);
        if used > room {
            break;
        }
        made.push(letter);
    }
    if most > 0 {
        made.push('…');
    }
    made
}
