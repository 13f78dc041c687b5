//! Block YAML that every YAML 1.1 and 1.2 parser reads back as the same values, and that no
//! terminal acts on. What it writes is given as JSON text, so both formats say the same.

use std::io::{self, Write};

use serde::Serialize;

use super::json_tree::Node;
use super::yaml_scalar::{self as scalar, Style};

/// Levels below which nested data is written on one line: each level costs two columns on every
/// line, and 64 KiB of brackets would become megabytes of blanks.
const DEEPEST_BLOCK: usize = 12;
/// Longest key that may stand before its colon without a mark (YAML 1.2, 7.4.2, has 1,024).
const LONGEST_KEY: usize = 1_000;

/// Writes one value with a final newline.
pub(crate) fn write(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(value)?;
    block(out, &Node::of(&text)?, 0, Place::Start)
}

/// Writes a list, item by item as they are made.
pub(super) fn write_list<T: Serialize>(
    out: &mut dyn Write,
    items: impl ExactSizeIterator<Item = T>,
) -> io::Result<()> {
    if items.len() == 0 {
        return out.write_all(b"[]\n");
    }
    for item in items {
        let text = serde_json::to_string(&item)?;
        out.write_all(b"- ")?;
        block(out, &Node::of(&text)?, 2, Place::AfterDash)?;
    }
    Ok(())
}

/// What stands before a value on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing.
    Start,
    /// `- `: the first entry of a collection goes on here.
    AfterDash,
    /// `key:`, without a blank.
    AfterKey,
}

/// Writes a value whose lines are indented by `indent`, and ends its last line.
fn block(out: &mut dyn Write, node: &Node<'_>, indent: usize, place: Place) -> io::Result<()> {
    let blank = match place {
        Place::AfterKey => " ",
        Place::Start | Place::AfterDash => "",
    };
    match node {
        Node::List(items) if !items.is_empty() && indent <= 2 * DEEPEST_BLOCK => {
            for (count, item) in items.iter().enumerate() {
                begin(out, indent, place, count)?;
                out.write_all(b"- ")?;
                block(out, item, indent + 2, Place::AfterDash)?;
            }
            Ok(())
        }
        Node::Map(entries) if !entries.is_empty() && indent <= 2 * DEEPEST_BLOCK => {
            for (count, (key, value)) in entries.iter().enumerate() {
                begin(out, indent, place, count)?;
                if key.len() > LONGEST_KEY {
                    writeln!(out, "? {}", scalar::quoted(key))?;
                    blanks(out, indent)?;
                    out.write_all(b": ")?;
                    block(out, value, indent + 2, Place::AfterDash)?;
                } else {
                    out.write_all(scalar::key(key).as_bytes())?;
                    out.write_all(b":")?;
                    block(out, value, indent + 2, Place::AfterKey)?;
                }
            }
            Ok(())
        }
        Node::Text(text) => match scalar::style(text) {
            Style::Plain => line(out, blank, text),
            Style::Quoted => line(out, blank, &scalar::quoted(text)),
            Style::Literal => literal(out, text, indent.max(2), blank),
        },
        other => {
            out.write_all(blank.as_bytes())?;
            flow(out, other)?;
            out.write_all(b"\n")
        }
    }
}

/// The start of the line of an entry; the first one may stand behind a dash.
fn begin(out: &mut dyn Write, indent: usize, place: Place, count: usize) -> io::Result<()> {
    if count == 0 {
        match place {
            Place::Start => {}
            Place::AfterDash => return Ok(()),
            Place::AfterKey => out.write_all(b"\n")?,
        }
    }
    blanks(out, indent)
}

/// The rest of a line.
fn line(out: &mut dyn Write, blank: &str, text: &str) -> io::Result<()> {
    out.write_all(blank.as_bytes())?;
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")
}

fn blanks(out: &mut dyn Write, mut count: usize) -> io::Result<()> {
    const BLANKS: [u8; 32] = [b' '; 32];
    while count > 0 {
        let now = BLANKS.get(..count).unwrap_or(&BLANKS);
        out.write_all(now)?;
        count -= now.len();
    }
    Ok(())
}

fn literal(out: &mut dyn Write, text: &str, indent: usize, blank: &str) -> io::Result<()> {
    let (lines, chomping) = match text.strip_suffix('\n') {
        Some(lines) => (lines, ""),
        None => (text, "-"),
    };
    writeln!(out, "{blank}|{chomping}")?;
    for line in lines.split('\n') {
        match line.is_empty() {
            true => writeln!(out)?,
            false => {
                blanks(out, indent)?;
                out.write_all(line.as_bytes())?;
                out.write_all(b"\n")?;
            }
        }
    }
    Ok(())
}

/// A value on one line.
fn flow(out: &mut dyn Write, node: &Node<'_>) -> io::Result<()> {
    match node {
        Node::Word(word) => out.write_all(scalar::number(word).as_bytes()),
        Node::Text(text) => out.write_all(scalar::quoted(text).as_bytes()),
        Node::List(items) => {
            out.write_all(b"[")?;
            for (count, item) in items.iter().enumerate() {
                if count > 0 {
                    out.write_all(b", ")?;
                }
                flow(out, item)?;
            }
            out.write_all(b"]")
        }
        Node::Map(entries) => {
            out.write_all(b"{")?;
            for (count, (key, value)) in entries.iter().enumerate() {
                if count > 0 {
                    out.write_all(b", ")?;
                }
                let mark = if key.len() > LONGEST_KEY { "? " } else { "" };
                write!(out, "{mark}{}: ", scalar::quoted(key))?;
                flow(out, value)?;
            }
            out.write_all(b"}")
        }
    }
}
