//! `key: value` lines, a blank line between rows.

use std::io::{self, Write};

use sr_policy::UntrustedText;

/// Writes the rows. Further lines of a value are indented: none can pose as a key.
pub(super) fn write(
    out: &mut dyn Write,
    headers: &[&str],
    rows: &mut dyn ExactSizeIterator<Item = Vec<String>>,
) -> io::Result<()> {
    for (place, row) in rows.enumerate() {
        if place > 0 {
            out.write_all(b"\n")?;
        }
        for (name, value) in headers.iter().zip(&row) {
            let name = UntrustedText::from(*name).one_line(usize::MAX);
            let value = UntrustedText::from(value.as_str());
            let value = value.shown().replace('\n', "\n  ");
            match value.is_empty() {
                true => writeln!(out, "{name}:")?,
                false => writeln!(out, "{name}: {value}")?,
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_value_is_shown_and_a_second_line_is_no_key() {
        let mut made = vec![];
        let row = |text: &str| vec![text.to_owned(), String::new()];
        write(
            &mut made,
            &["a", "b"],
            &mut [row("1\nb: forged"), row("2")].into_iter(),
        )
        .unwrap();
        assert_eq!(
            String::from_utf8(made).unwrap(),
            "a: 1\n  b: forged\nb:\n\na: 2\nb:\n"
        );
    }
}
