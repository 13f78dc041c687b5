//! A table with aligned columns. On a terminal it fits the width by wrapping the widest columns;
//! into a pipe each row is one line.

use std::io::{self, Write};

use sr_policy::UntrustedText;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns between two cells.
const GAP: usize = 2;
/// No column is made narrower than this.
const NARROWEST: usize = 8;
/// No column is padded to more than this into a pipe: one cell of 64 KiB would make every row
/// as long.
const PIPE_WIDEST: usize = 60;
/// A single row wider than this is shown as a record when there is no terminal to ask.
const RECORD_WIDTH: usize = 160;
/// Characters of one cell that are shown.
const CELL_CHARS: usize = 64 * 1024;

/// Headers and rows of untrusted text.
#[derive(Debug)]
pub(crate) struct Table {
    headers: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headers.
    pub(crate) fn new(headers: impl IntoIterator<Item = String>) -> Self {
        Self {
            headers: headers.into_iter().map(|text| shown(&text)).collect(),
            rows: vec![],
        }
    }

    /// Adds a row; missing cells are empty.
    pub(crate) fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut row: Vec<String> = cells.into_iter().map(|text| shown(&text)).collect();
        row.resize(self.headers.len(), String::new());
        self.rows.push(row);
    }

    /// Whether there is no row.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes header, rule and rows, one row after the other. Without a width each row is one
    /// line, and a long cell pushes its own row only.
    pub(crate) fn write(&self, out: &mut dyn Write, width: Option<usize>) -> io::Result<()> {
        self.write_padded(out, width, PIPE_WIDEST)
    }

    /// The same with every column aligned, for tables of the lock, whose size is bounded.
    pub(crate) fn write_aligned(
        &self,
        out: &mut dyn Write,
        width: Option<usize>,
    ) -> io::Result<()> {
        self.write_padded(out, width, usize::MAX)
    }

    fn write_padded(
        &self,
        out: &mut dyn Write,
        width: Option<usize>,
        pipe_widest: usize,
    ) -> io::Result<()> {
        if self.headers.is_empty() {
            return Ok(());
        }
        if let [row] = self.rows.as_slice()
            && self.natural_width() > width.unwrap_or(RECORD_WIDTH)
        {
            return self.write_record(out, row, width);
        }
        let widths = self.widths(width, pipe_widest);
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        for row in [&self.headers, &rule].into_iter().chain(&self.rows) {
            match width {
                None => write_line(out, row.iter().map(String::as_str), &widths)?,
                Some(_) => write_wrapped(out, row, &widths)?,
            }
        }
        Ok(())
    }

    fn natural_width(&self) -> usize {
        let widths = self.widths(None, usize::MAX);
        widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
    }

    /// One row that is too wide for a line: a line for each column, name first.
    fn write_record(
        &self,
        out: &mut dyn Write,
        row: &[String],
        width: Option<usize>,
    ) -> io::Result<()> {
        let names = self
            .headers
            .iter()
            .map(|header| header.width())
            .max()
            .unwrap_or(0);
        let rest = width.map_or(usize::MAX, |width| {
            width.saturating_sub(names + GAP).max(NARROWEST)
        });
        for (name, value) in self.headers.iter().zip(row) {
            let pair = [name.clone(), value.clone()];
            let widths = [names, rest.min(value.width())];
            match width {
                None => write_line(out, pair.iter().map(String::as_str), &widths)?,
                Some(_) => write_wrapped(out, &pair, &widths)?,
            }
        }
        Ok(())
    }

    fn widths(&self, limit: Option<usize>, pipe_widest: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = self.headers.iter().map(|header| header.width()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.width());
            }
        }
        let Some(limit) = limit else {
            return widths
                .into_iter()
                .map(|width| width.min(pipe_widest))
                .collect();
        };
        let gaps = GAP * widths.len().saturating_sub(1);
        let room = limit.saturating_sub(gaps);
        while widths.iter().sum::<usize>() > room {
            let Some(widest) = widths
                .iter()
                .copied()
                .max()
                .filter(|width| *width > NARROWEST)
            else {
                break;
            };
            // Every column as wide as the widest shrinks together, down to the next one or as
            // far as is needed.
            let count = widths.iter().filter(|width| **width == widest).count();
            let next = widths
                .iter()
                .copied()
                .filter(|width| *width < widest)
                .max()
                .unwrap_or(0);
            let excess = widths.iter().sum::<usize>() - room;
            let floor = next.max(NARROWEST);
            let target = widest.saturating_sub(excess.div_ceil(count)).max(floor);
            for width in widths.iter_mut().filter(|width| **width == widest) {
                *width = target;
            }
        }
        widths
    }
}

fn shown(text: &str) -> String {
    UntrustedText::from(text).one_line(CELL_CHARS)
}

fn write_wrapped(out: &mut dyn Write, cells: &[String], widths: &[usize]) -> io::Result<()> {
    let wrapped: Vec<Vec<&str>> = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| wrap(cell, *width))
        .collect();
    let lines = wrapped.iter().map(Vec::len).max().unwrap_or(0);
    for line in 0..lines {
        let parts = wrapped
            .iter()
            .map(|parts| parts.get(line).copied().unwrap_or_default());
        write_line(out, parts, widths)?;
    }
    Ok(())
}

/// One line; nothing is padded that has nothing behind it.
fn write_line<'a>(
    out: &mut dyn Write,
    parts: impl Iterator<Item = &'a str>,
    widths: &[usize],
) -> io::Result<()> {
    let mut spaces = 0;
    for (part, width) in parts.zip(widths) {
        let part = part.trim_end();
        if !part.is_empty() {
            pad(out, spaces)?;
            out.write_all(part.as_bytes())?;
            spaces = 0;
        }
        spaces += width.saturating_sub(part.width()) + GAP;
    }
    out.write_all(b"\n")
}

fn pad(out: &mut dyn Write, mut spaces: usize) -> io::Result<()> {
    const BLANK: [u8; 64] = [b' '; 64];
    while spaces > 0 {
        let now = BLANK.get(..spaces).unwrap_or(&BLANK);
        out.write_all(now)?;
        spaces -= now.len();
    }
    Ok(())
}

/// Breaks at spaces where it can, inside a word where it must. Each character is measured once:
/// a cell of one long word must not cost its square.
fn wrap(text: &str, width: usize) -> Vec<&str> {
    if text.width() <= width {
        return vec![text];
    }
    let mut lines = vec![];
    let mut line = 0..0;
    let mut used = 0;
    let mut next = 0;
    for word in text.split(' ') {
        let start = next;
        next = start + word.len() + 1;
        let needed = used + usize::from(!line.is_empty()) + word.width();
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
            let columns = most_columns(letter);
            if !line.is_empty() && used + columns > width {
                lines.push(line.clone());
                line = line.end..line.end;
                used = 0;
            }
            line.end += letter.len_utf8();
            used += columns;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn table(cells: &[&[&str]]) -> Table {
        let mut rows = cells.iter();
        let headers = rows.next().unwrap();
        let mut table = Table::new(headers.iter().map(ToString::to_string));
        for row in rows {
            table.push(row.iter().map(ToString::to_string));
        }
        table
    }

    fn text(table: &Table, width: Option<usize>) -> String {
        let mut made = vec![];
        table.write(&mut made, width).unwrap();
        String::from_utf8(made).unwrap()
    }

    #[test]
    fn a_single_row_that_is_too_wide_is_a_record() {
        let long = "word ".repeat(60);
        let table = table(&[&["id", "abstract"], &["1706.03762", long.trim()]]);
        let record = text(&table, Some(60));
        assert!(
            record.starts_with("id        1706.03762\nabstract  word"),
            "{record}"
        );
        assert!(record.lines().all(|line| line.width() <= 60), "{record}");
        assert_eq!(text(&table, None).lines().count(), 2);
    }

    #[test]
    fn a_pipe_gets_one_line_a_row() {
        let table = table(&[
            &["id", "title"],
            &["1", &"long ".repeat(40)],
            &["2", "short"],
        ]);
        assert_eq!(text(&table, None).lines().count(), 4);
    }

    #[test]
    fn a_terminal_gets_lines_that_fit() {
        let long = "the quick brown fox jumps over the lazy dog ".repeat(5);
        let table = table(&[&["id", "title", "more"], &["1", &long, &long]]);
        let text = text(&table, Some(60));
        assert!(text.lines().all(|line| line.width() <= 60), "{text}");
        assert!(text.contains("lazy"), "{text}");
    }

    #[test]
    fn wide_characters_and_escape_sequences_do_not_break_the_columns() {
        let table = table(&[&["a", "b"], &["日本", "x\u{1b}[2Jy"], &["1", "\u{202e}z"]]);
        assert_eq!(text(&table, None), "a     b\n----  --\n日本  xy\n1     z\n");
    }

    #[test]
    fn one_long_cell_does_not_make_every_row_of_a_pipe_long() {
        let long = "x".repeat(60_000);
        let mut rows = vec![vec!["a", "b"], vec![&long, "end"]];
        rows.resize(1_002, vec!["1", "2"]);
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let text = text(&table(&rows), None);
        assert_eq!(text.lines().count(), 1_003);
        assert_eq!(text.lines().nth(2).unwrap(), format!("{long}  end"));
        assert_eq!(
            text.lines().nth(3).unwrap(),
            format!("1{}2", " ".repeat(61))
        );
        assert!(text.len() < 200_000, "{}", text.len());
    }

    #[test]
    fn a_table_of_the_lock_is_aligned_in_a_pipe_too() {
        let mut made = vec![];
        table(&[&["a", "b"], &[&"x".repeat(70), "1"], &["y", "2"]])
            .write_aligned(&mut made, None)
            .unwrap();
        let text = String::from_utf8(made).unwrap();
        assert_eq!(
            text.lines().nth(3).unwrap(),
            format!("y{}2", " ".repeat(71))
        );
    }

    #[test]
    fn nothing_stands_behind_the_last_cell_of_a_line() {
        let table = table(&[
            &["a", "b", "c"],
            &["1 ", "", ""],
            &["1", "2", "long enough"],
        ]);
        assert_eq!(
            text(&table, None),
            "a   b  c\n--  -  -----------\n1\n1   2  long enough\n"
        );
    }

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

    #[test]
    fn a_cell_of_marks_or_of_one_word_costs_its_length_and_not_its_square() {
        let start = std::time::Instant::now();
        for letter in ["\u{301}", "x", "日", "x "] {
            let cell = format!("{}{}", "y".repeat(100), letter.repeat(60_000));
            let table = table(&[&["a", "b"], &[&cell, &cell]]);
            text(&table, Some(80));
            text(&table, None);
        }
        // The square would take minutes.
        assert!(start.elapsed() < std::time::Duration::from_secs(5));
    }
}
