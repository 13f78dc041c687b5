//! The lock's layout: a line for each file and each command, so that a change shows as the lines it
//! changes, and a reader of a thousand commands does not go through megabytes of blanks.

use std::io::{self, Write};

use serde_json::ser::Formatter;

/// How deep lines are broken: `plugins`, the plugin, its parts, and what stands in a list there.
const BROKEN: usize = 4;

/// Indents the outer levels and leaves the inner ones on one line.
#[derive(Debug, Default)]
pub(crate) struct LockText {
    depth: usize,
    empty: bool,
}

impl LockText {
    fn open<W: Write + ?Sized>(&mut self, out: &mut W, mark: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.empty = true;
        out.write_all(mark)
    }

    fn close<W: Write + ?Sized>(&mut self, out: &mut W, mark: &[u8]) -> io::Result<()> {
        let broken = self.depth <= BROKEN && !self.empty;
        self.depth = self.depth.saturating_sub(1);
        self.empty = false;
        if broken {
            self.line(out)?;
        }
        out.write_all(mark)
    }

    fn next<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.empty = false;
        if !first {
            out.write_all(b",")?;
        }
        match self.depth <= BROKEN {
            true => self.line(out),
            false => Ok(()),
        }
    }

    fn line<W: Write + ?Sized>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for LockText {
    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        match self.depth <= BROKEN {
            true => out.write_all(b": "),
            false => out.write_all(b":"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize as _;
    use serde_json::{Serializer, json};

    #[test]
    fn each_command_is_a_line_and_what_is_in_it_is_not() {
        let lock = json!({ "plugins": { "demo": {
            "commands": [{ "args": [{ "name": "a" }, 1], "none": {} }, { "name": "b" }],
            "files": [],
            "grants": { "domains": ["a.test", "b.test"] },
        } }, "version": 1 });
        let mut made = Vec::new();
        let mut serializer = Serializer::with_formatter(&mut made, LockText::default());
        lock.serialize(&mut serializer).unwrap();
        let text = String::from_utf8(made).unwrap();
        let wanted = r#"{
  "plugins": {
    "demo": {
      "commands": [
        {"args":[{"name":"a"},1],"none":{}},
        {"name":"b"}
      ],
      "files": [],
      "grants": {
        "domains": ["a.test","b.test"]
      }
    }
  },
  "version": 1
}"#;
        assert_eq!(text, wanted);
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            lock
        );
    }
}
