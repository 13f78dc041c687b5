//! JSON output: exactly the values, nothing filtered, escapes as JSON escapes.

use std::io::{self, BufWriter, Write};

use serde::Serialize;

use crate::output::escape::Escaped;

/// Bytes that are looked through at once: a serializer writes each mark by itself.
const PIECE: usize = 16 * 1024;

/// Any value, indented, with a final newline. A list is written as it is made.
pub(crate) fn write_value(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    // The error of the writer comes back as it was, so a reader that went away is still known.
    let mut text = BufWriter::with_capacity(PIECE, Escaped::new(out));
    serde_json::to_writer_pretty(&mut text, value)?;
    text.write_all(b"\n")?;
    text.flush()
}

/// Any value on one line, with a final newline.
pub(crate) fn write_line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let mut text = BufWriter::with_capacity(PIECE, Escaped::new(out));
    serde_json::to_writer(&mut text, value)?;
    text.write_all(b"\n")?;
    text.flush()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn no_control_character_is_printed_raw_and_the_value_is_kept() {
        let value = json!(["\u{1b}[2J\u{9b}1m\u{202e}ok"]);
        let mut made = vec![];
        write_line(&mut made, &value).unwrap();
        let text = String::from_utf8(made).unwrap();
        assert_eq!(text, "[\"\\u001b[2J\\u009b1m\\u202eok\"]\n");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn the_writers_own_error_comes_back() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let error = write_value(&mut Gone, &json!([1])).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
