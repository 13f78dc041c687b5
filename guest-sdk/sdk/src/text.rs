//! Putting text together without the formatting machinery, which costs kilobytes of component.

/// The parts, one after another.
pub(crate) fn joined(parts: &[&str]) -> String {
    let mut text = String::with_capacity(parts.iter().map(|part| part.len()).sum());
    for part in parts {
        text.push_str(part);
    }
    text
}

/// A whole number in decimal.
pub(crate) fn decimal(number: i64) -> String {
    let mut text = String::new();
    if number < 0 {
        text.push('-');
    }
    digits(&mut text, number.unsigned_abs());
    text
}

/// At most 20 digits, so the recursion is short.
pub(crate) fn digits(text: &mut String, number: u64) {
    if number >= 10 {
        digits(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}
