//! A table with aligned columns. On a terminal it fits the width by wrapping the widest columns;
//! into a pipe each row is one line.

use sr_policy::UntrustedText;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns between two cells.
const GAP: usize = 2;
/// No column is made narrower than this.
const NARROWEST: usize = 8;
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

    /// The text, with a final newline.
    pub(crate) fn render(&self, width: Option<usize>) -> String {
        if self.headers.is_empty() {
            return String::new();
        }
        let widths = self.widths(width);
        let mut text = String::new();
        write_row(&mut text, &self.headers, &widths);
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        write_row(&mut text, &rule, &widths);
        for row in &self.rows {
            write_row(&mut text, row, &widths);
        }
        text
    }

    fn widths(&self, limit: Option<usize>) -> Vec<usize> {
        let mut widths: Vec<usize> = self.headers.iter().map(|header| header.width()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.width());
            }
        }
        let Some(limit) = limit else { return widths };
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

fn write_row(text: &mut String, cells: &[String], widths: &[usize]) {
    let wrapped: Vec<Vec<String>> = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| wrap(cell, *width))
        .collect();
    let lines = wrapped.iter().map(Vec::len).max().unwrap_or(0);
    for line in 0..lines {
        let mut written = String::new();
        for (index, (cell, width)) in wrapped.iter().zip(widths).enumerate() {
            if index > 0 {
                written.push_str(&" ".repeat(GAP));
            }
            let part = cell.get(line).map_or("", String::as_str);
            written.push_str(part);
            written.push_str(&" ".repeat(width.saturating_sub(part.width())));
        }
        text.push_str(written.trim_end());
        text.push('\n');
    }
}

/// Breaks at spaces where it can, inside a word where it must.
fn wrap(text: &str, width: usize) -> Vec<String> {
    if text.width() <= width {
        return vec![text.to_owned()];
    }
    let mut lines = vec![];
    let mut line = String::new();
    for word in text.split(' ') {
        let needed = line.width() + usize::from(!line.is_empty()) + word.width();
        if needed <= width {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for character in word.chars() {
            if !line.is_empty() && line.width() + character.width().unwrap_or(0) > width {
                lines.push(std::mem::take(&mut line));
            }
            line.push(character);
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
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

    #[test]
    fn a_pipe_gets_one_line_a_row() {
        let table = table(&[&["id", "title"], &["1", &"long ".repeat(40)]]);
        assert_eq!(table.render(None).lines().count(), 3);
    }

    #[test]
    fn a_terminal_gets_lines_that_fit() {
        let long = "the quick brown fox jumps over the lazy dog ".repeat(5);
        let table = table(&[&["id", "title", "more"], &["1", &long, &long]]);
        let text = table.render(Some(60));
        assert!(text.lines().all(|line| line.width() <= 60), "{text}");
        assert!(text.contains("lazy"), "{text}");
    }

    #[test]
    fn wide_characters_and_escape_sequences_do_not_break_the_columns() {
        let table = table(&[&["a", "b"], &["日本", "x\u{1b}[2Jy"], &["1", "\u{202e}z"]]);
        assert_eq!(table.render(None), "a     b\n----  --\n日本  xy\n1     z\n");
    }
}
