//! The last step of JSON output: nothing of it may drive a terminal.

use std::io::{self, Write};

/// Passes JSON on with what JSON itself does not escape written as `\u` escapes: DEL, C1,
/// direction marks, line separators, byte order marks and tag characters. The value stays the same. Characters may be split over several writes.
pub(super) struct Escaped<'a> {
    out: &'a mut dyn Write,
    /// The start of a character whose rest is not there yet.
    pending: Vec<u8>,
}

impl<'a> Escaped<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self {
            out,
            pending: vec![],
        }
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        if !text.bytes().any(may_need_escape) {
            return self.out.write_all(text.as_bytes());
        }
        for piece in text.split_inclusive(needs_escape) {
            match piece.chars().next_back().filter(|last| needs_escape(*last)) {
                None => self.out.write_all(piece.as_bytes())?,
                Some(last) => {
                    let before = piece.strip_suffix(last).unwrap_or_default();
                    self.out.write_all(before.as_bytes())?;
                    match last {
                        '\r' => self.out.write_all(b" ")?,
                        _ => {
                            for unit in last.encode_utf16(&mut [0; 2]) {
                                write!(self.out, "\\u{unit:04x}")?;
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl Write for Escaped<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.pending.is_empty() {
            let (whole, rest) = split(bytes)?;
            self.pending.extend_from_slice(rest);
            self.text(whole)?;
        } else {
            let mut all = std::mem::take(&mut self.pending);
            all.extend_from_slice(bytes);
            let (whole, rest) = split(&all)?;
            self.pending.extend_from_slice(rest);
            self.text(whole)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether a byte can stand in a character that needs an escape. The first bytes of all of them
/// are named; other scripts pass without a second look.
fn may_need_escape(byte: u8) -> bool {
    matches!(byte, b'\r' | 0x7f | 0xc2 | 0xd8 | 0xe2 | 0xef | 0xf3)
}

/// A carriage return is never inside a JSON string; between values it is white space that a
/// terminal would act on.
fn needs_escape(letter: char) -> bool {
    matches!(
        letter,
        '\r' | '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// The whole characters, and the start of one that goes on in the next write.
fn split(bytes: &[u8]) -> io::Result<(&str, &[u8])> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok((text, &[])),
        Err(error) => error,
    };
    let (whole, rest) = bytes
        .split_at_checked(error.valid_up_to())
        .unwrap_or_default();
    match (std::str::from_utf8(whole), error.error_len()) {
        (Ok(text), None) => Ok((text, rest)),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[\"a\u{7f}\u{9b}1m\u{202e}é\u{200f}👩‍🚀\u{61c}\u{2066}\u{2028}\u{feff}\u{e0041}日\u{e9}\",\r1]";
    const SAFE: &str =
        r#"["a\u007f\u009b1m\u202eé\u200f👩‍🚀\u061c\u2066\u2028\ufeff\udb40\udc41日é", 1]"#;

    fn escaped(pieces: &[&[u8]]) -> io::Result<String> {
        let mut made = vec![];
        let mut out = Escaped::new(&mut made);
        for piece in pieces {
            out.write_all(piece)?;
        }
        Ok(String::from_utf8(made).unwrap())
    }

    #[test]
    fn the_same_comes_out_wherever_the_writes_are_cut() {
        let bytes = TEXT.as_bytes();
        assert_eq!(escaped(&[bytes]).unwrap(), SAFE);
        for cut in 0..bytes.len() {
            let (head, tail) = bytes.split_at(cut);
            assert_eq!(escaped(&[head, tail]).unwrap(), SAFE, "cut at {cut}");
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(escaped(&single).unwrap(), SAFE);
    }

    #[test]
    fn bytes_that_are_no_text_are_an_error() {
        assert!(escaped(&[b"a\xff"]).is_err());
        assert!(escaped(&[b"\xc3", b"a"]).is_err());
    }
}
