//! A table with aligned columns. On a terminal it fits the width by wrapping the widest columns
//! between words, or shows each row as a record; into a pipe each row is one line.

use std::io::{self, Write};

use sr_policy::UntrustedText;
use sr_policy::width::columns;

use crate::output::wrap::{longest_word, wrap};

/// Columns between two cells.
const GAP: usize = 2;
/// A value beside its name is not made narrower than this.
const NARROWEST: usize = 8;
/// A word of at most this many columns is never cut in a table: an id, a time, a hash, a short
/// address. Where such words do not fit beside each other, each row becomes a record.
const LONGEST_WHOLE: usize = 40;
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
            headers: headers.into_iter().map(shown).collect(),
            rows: vec![],
        }
    }

    /// Adds a row; missing cells are empty.
    pub(crate) fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut row: Vec<String> = cells.into_iter().map(shown).collect();
        row.resize(self.headers.len(), String::new());
        self.rows.push(row);
    }

    /// Writes header, rule and rows, one row after the other; nothing without rows. Without a
    /// width each row is one line, and a long cell pushes its own row only.
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

    /// Every row as lines of a name and a value, a blank line between rows.
    pub(crate) fn write_records(
        &self,
        out: &mut dyn Write,
        width: Option<usize>,
    ) -> io::Result<()> {
        let names = self.headers.iter().map(|name| columns(name)).max();
        let names = names.unwrap_or(0);
        let room = width.map_or(usize::MAX, |width| {
            width.saturating_sub(names + GAP).max(NARROWEST)
        });
        for (place, row) in self.rows.iter().enumerate() {
            if place > 0 {
                out.write_all(b"\n")?;
            }
            for (name, value) in self.headers.iter().zip(row) {
                write_wrapped(out, &[name, value], &[names, room.min(columns(value))])?;
            }
        }
        Ok(())
    }

    fn write_padded(
        &self,
        out: &mut dyn Write,
        width: Option<usize>,
        pipe_widest: usize,
    ) -> io::Result<()> {
        if self.headers.is_empty() || self.rows.is_empty() {
            return Ok(());
        }
        let natural = self.widest(columns);
        let whole = total(&natural) <= width.unwrap_or(RECORD_WIDTH);
        if self.rows.len() == 1 && !whole {
            return self.write_records(out, width);
        }
        let widths = match width {
            Some(width) if !whole => match self.fitted(&natural, width) {
                Some(widths) => widths,
                None => return self.write_records(out, Some(width)),
            },
            Some(_) => natural,
            None => natural
                .into_iter()
                .map(|one| one.min(pipe_widest))
                .collect(),
        };
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        for row in [&self.headers, &rule].into_iter().chain(&self.rows) {
            match width {
                None => write_line(out, row.iter().map(String::as_str), &widths)?,
                Some(_) => write_wrapped(out, row, &widths)?,
            }
        }
        Ok(())
    }

    /// Widths that fill the line: no word is cut, or only words that are longer than an id or a
    /// time. None when even that is too wide.
    fn fitted(&self, natural: &[usize], width: usize) -> Option<Vec<usize>> {
        let room = width.checked_sub(GAP * natural.len().saturating_sub(1))?;
        let words = self.widest(longest_word);
        let cut: Vec<usize> = words
            .iter()
            .map(|word| (*word).min(LONGEST_WHOLE))
            .collect();
        fit(natural, &words, room).or_else(|| fit(&words, &cut, room))
    }

    /// The largest measure of each column.
    fn widest(&self, measure: fn(&str) -> usize) -> Vec<usize> {
        let mut widths: Vec<usize> = self.headers.iter().map(|text| measure(text)).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(measure(cell));
            }
        }
        widths
    }
}

/// Columns of a line with these widths.
fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

/// Cuts the widest columns down to one level until all fit, none below its least width.
fn fit(wanted: &[usize], least: &[usize], room: usize) -> Option<Vec<usize>> {
    let at = |level: usize| {
        let widths = wanted.iter().zip(least);
        widths.map(move |(wanted, least)| (*least).max(level.min(*wanted)))
    };
    if at(0).sum::<usize>() > room {
        return None;
    }
    // The first level that is too wide, found by halves.
    let (mut fits, mut over) = (0, room + 1);
    while over - fits > 1 {
        let level = fits + (over - fits) / 2;
        match at(level).sum::<usize>() <= room {
            true => fits = level,
            false => over = level,
        }
    }
    let mut left = room - at(fits).sum::<usize>();
    let widths = at(fits).zip(at(over)).map(|(width, more)| {
        let extra = usize::from(more > width && left > 0);
        left -= extra;
        width + extra
    });
    Some(widths.collect())
}

fn shown(text: String) -> String {
    match text.len() <= CELL_CHARS && text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        true => text,
        false => UntrustedText::from(text).one_line(CELL_CHARS),
    }
}

fn write_wrapped(
    out: &mut dyn Write,
    cells: &[impl AsRef<str>],
    widths: &[usize],
) -> io::Result<()> {
    let wrapped: Vec<Vec<&str>> = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| wrap(cell.as_ref(), *width))
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
        spaces += width.saturating_sub(columns(part)) + GAP;
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

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr as _;

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

    #[test]
    fn ids_and_times_are_whole_at_every_width() {
        let summary = "a summary of some words ".repeat(4);
        let row = ["1706.03762v7-abcdef", "2017-06-12T17:57:34Z", &summary];
        let table = table(&[&["id", "published", "title"], &row, &row]);
        for width in [20, 32, 40, 60, 80, 120, 200] {
            let text = text(&table, Some(width));
            if width >= 32 {
                assert!(text.lines().all(|line| line.width() <= width), "{text}");
                assert_eq!(text.matches("2017-06-12T17:57:34Z").count(), 2, "{text}");
                assert_eq!(text.matches("1706.03762v7-abcdef").count(), 2, "{text}");
            }
            assert!(text.contains("summary"), "{width}: {text}");
        }
        assert!(text(&table, Some(40)).starts_with("id         1706.03762v7-abcdef\n"));
        assert!(text(&table, Some(60)).starts_with("id "));
        assert!(
            text(&table, Some(60))
                .lines()
                .nth(1)
                .unwrap()
                .starts_with("---")
        );
    }

    #[test]
    fn a_long_address_is_cut_before_a_row_becomes_a_record() {
        let url = format!("https://example.com/{}", "x".repeat(60));
        let table = table(&[&["id", "url"], &["12345", &url], &["23456", &url]]);
        let text = text(&table, Some(50));
        assert!(text.starts_with("id     url\n-----  ---"), "{text}");
        assert!(text.lines().all(|line| line.width() <= 50), "{text}");
    }

    #[test]
    fn widths_fill_the_room_and_keep_what_is_needed() {
        assert_eq!(fit(&[10, 100, 100], &[5, 5, 5], 61), Some(vec![10, 26, 25]));
        assert_eq!(fit(&[10, 100], &[10, 50], 60), Some(vec![10, 50]));
        assert_eq!(fit(&[10, 100], &[10, 50], 59), None);
        assert_eq!(fit(&[3, 4], &[3, 4], 100), Some(vec![3, 4]));
    }

    #[test]
    fn a_table_without_rows_is_nothing() {
        assert_eq!(text(&table(&[&["a"]]), Some(80)), "");
    }
}
