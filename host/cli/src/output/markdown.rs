//! A Markdown pipe table. Bars and line feeds of a cell are escaped, so a row stays one line.

use std::io::{self, Write};

use sr_policy::UntrustedText;

/// Writes header, rule and rows.
pub(super) fn write(
    out: &mut dyn Write,
    headers: &[&str],
    rows: &mut dyn ExactSizeIterator<Item = Vec<String>>,
) -> io::Result<()> {
    line(out, headers.iter().copied())?;
    line(out, headers.iter().map(|_| "---"))?;
    for row in rows {
        line(out, row.iter().map(String::as_str))?;
    }
    Ok(())
}

fn line<'a>(out: &mut dyn Write, cells: impl Iterator<Item = &'a str>) -> io::Result<()> {
    for cell in cells {
        match escaped(UntrustedText::from(cell).shown().trim()) {
            cell if cell.is_empty() => out.write_all(b"| ")?,
            cell => write!(out, "| {cell} ")?,
        }
    }
    out.write_all(b"|\n")
}

fn escaped(cell: &str) -> String {
    let mut made = String::with_capacity(cell.len());
    // Backslashes directly before a bar would take its escape away.
    let mut backslashes = 0;
    for letter in cell.chars() {
        match letter {
            '|' => {
                made.extend(std::iter::repeat_n('\\', backslashes + 1));
                made.push('|');
            }
            '\n' => made.push_str("<br>"),
            _ => made.push(letter),
        }
        backslashes = match letter {
            '\\' => backslashes + 1,
            _ => 0,
        };
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_cannot_end_its_cell_or_its_row() {
        assert_eq!(escaped("a|b\nc"), r"a\|b<br>c");
        assert_eq!(escaped(r"a\|b"), r"a\\\|b");
        assert_eq!(escaped(r"C:\x"), r"C:\x");
    }

    #[test]
    fn a_row_is_one_line_and_an_empty_cell_is_empty() {
        let mut made = vec![];
        let mut rows = [vec!["1".to_owned(), String::new()]].into_iter();
        write(&mut made, &["a", "b"], &mut rows).unwrap();
        assert_eq!(
            String::from_utf8(made).unwrap(),
            "| a | b |\n| --- | --- |\n| 1 | |\n"
        );
    }
}
