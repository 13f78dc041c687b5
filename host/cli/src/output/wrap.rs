//! Breaking text into lines by the columns it takes on a terminal.

use sr_policy::width::columns;
use unicode_width::UnicodeWidthChar as _;

/// Breaks at spaces where it can, inside a word where it must. Each character is measured once:
/// a cell of one long word must not cost its square.
pub(super) fn wrap(text: &str, width: usize) -> Vec<&str> {
    if columns(text) <= width {
        return vec![text];
    }
    let mut lines = vec![];
    let mut line = 0..0;
    let mut used = 0;
    let mut next = 0;
    for word in text.split(' ') {
        let start = next;
        next = start + word.len() + 1;
        let needed = used + usize::from(!line.is_empty()) + columns(word);
        if needed <= width {
            line = match line.is_empty() {
                true => start..start + word.len(),
                false => line.start..start + word.len(),
            };
            used = needed;
            continue;
        }
        if !line.is_empty() {
            lines.push(line);
        }
        line = start..start;
        used = 0;
        for letter in word.chars() {
            let more = most_columns(letter);
            if !line.is_empty() && used + more > width {
                lines.push(line.clone());
                line = line.end..line.end;
                used = 0;
            }
            line.end += letter.len_utf8();
            used += more;
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
        .into_iter()
        .map(|line| text.get(line).unwrap_or_default())
        .collect()
}

/// Columns a character adds at most: the emoji selector makes the one before it wide.
fn most_columns(letter: char) -> usize {
    match letter {
        '\u{fe0f}' => 1,
        _ => letter.width().unwrap_or(0),
    }
}

/// As much of the text as fits into a line.
pub(crate) fn first_line(text: &str, width: usize) -> &str {
    wrap(text, width).first().copied().unwrap_or_default()
}

/// Columns of the longest word, which is what a line needs so that nothing is cut.
pub(super) fn longest_word(text: &str) -> usize {
    text.split(' ').map(columns).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    #[test]
    fn words_are_kept_whole_and_long_ones_are_cut() {
        assert_eq!(wrap("the lazy dog", 8), ["the lazy", "dog"]);
        assert_eq!(wrap("a 123456789012 b", 8), ["a", "12345678", "9012 b"]);
        assert_eq!(wrap("日本日本日", 8), ["日本日本", "日"]);
        assert_eq!(wrap("  a   b", 4), ["a  ", "b"]);
        assert_eq!(wrap("日本", 1), ["日", "本"]);
    }

    #[test]
    fn every_line_fits_whatever_a_cell_is_made_of() {
        let pieces = [
            "❤\u{fe0f}",
            "1\u{fe0f}\u{20e3}",
            "👩‍🚀",
            "🇩🇪",
            "e\u{301}",
            "日",
            "لا",
            "a b",
        ];
        for piece in pieces {
            let cell = piece.repeat(50);
            for width in 8..12 {
                let lines = wrap(&cell, width);
                assert!(
                    lines.iter().all(|line| line.width() <= width),
                    "{piece} at {width}: {lines:?}"
                );
                assert_eq!(
                    lines.concat().replace(' ', ""),
                    cell.replace(' ', ""),
                    "{piece} at {width}"
                );
            }
        }
    }
}
