//! What was written is read back by parsers this project did not write, for cells nobody chose.

use saphyr::{LoadableYamlNode, ScalarOwned, YamlOwned};
use serde_json::{Map, Value, json};
use sr_policy::UntrustedText;
use sr_policy::command::Column;
use sr_policy::value::{Cell, CellKind, Row};

use super::{Format, write_rows, write_yaml};

/// Pieces that mean something to YAML, CSV, Markdown or a terminal.
const PIECES: &[&str] = &[
    "a",
    "Z",
    "word",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    ":",
    ": ",
    " #",
    "#",
    "-",
    "- ",
    "---",
    "...",
    "?",
    "? ",
    "!",
    "&",
    "*",
    "|",
    ">",
    "%",
    "@",
    "`",
    "'",
    "\"",
    "\\",
    ",",
    "[",
    "]",
    "{",
    "}",
    "~",
    "=",
    "<<",
    "null",
    "Null",
    "yes",
    "No",
    "on",
    "OFF",
    "true",
    "False",
    "y",
    "N",
    ".nan",
    ".inf",
    "-.INF",
    "0",
    "1",
    "-1",
    "+1",
    "0x1f",
    "0o17",
    "017",
    "1e5",
    "1.5",
    ".5",
    "1_000",
    "12:30:45",
    "2026-01-02",
    "2026-01-02T03:04:05Z",
    "é",
    "日本",
    "👩‍🚀",
    "🏴\u{e0067}\u{e007f}",
    "\u{0}",
    "\u{7}",
    "\u{8}",
    "\u{1b}[2J",
    "\u{1b}]0;x\u{7}",
    "\u{7f}",
    "\u{85}",
    "\u{9b}31m",
    "\u{a0}",
    "\u{ad}",
    "\u{200b}",
    "\u{200e}",
    "\u{2028}",
    "\u{2029}",
    "\u{202e}",
    "\u{2066}",
    "\u{feff}",
    "\u{fffe}",
    "\u{ffff}",
    "\u{10ffff}",
    "=cmd()",
    "<br>",
    "https://a.example/b?c=d#e",
];

/// The same numbers on every machine (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
    }

    fn text(&mut self) -> String {
        (0..self.below(6))
            .map(|_| PIECES[self.below(PIECES.len())])
            .collect()
    }

    fn nested(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(i64::MIN + i64::try_from(self.below(1 << 40)).unwrap()),
            3 => json!(0.1 * 10_f64.powi(i32::try_from(self.below(600)).unwrap() - 300)),
            4 => json!(self.text()),
            5 => (0..self.below(4)).map(|_| self.nested(depth - 1)).collect(),
            _ => (0..self.below(4))
                .map(|_| (self.text(), self.nested(depth - 1)))
                .collect::<Map<_, _>>()
                .into(),
        }
    }

    fn cell(&mut self, kind: CellKind) -> Cell {
        if self.below(6) == 0 {
            return Cell::Null;
        }
        match kind {
            CellKind::Json => Cell::Json(self.nested(4).to_string()),
            CellKind::Int => Cell::Int(i64::try_from(self.below(1 << 50)).unwrap() - (1 << 49)),
            CellKind::Float => {
                Cell::Float(1.5 * 10_f64.powi(i32::try_from(self.below(40)).unwrap()))
            }
            CellKind::Flag => Cell::Flag(self.below(2) == 0),
            CellKind::Time => Cell::Time(i64::try_from(self.below(1 << 40)).unwrap()),
            CellKind::Text | CellKind::Url => Cell::Text(self.text()),
        }
    }
}

fn columns() -> Vec<Column> {
    [
        ("text", CellKind::Text),
        ("more", CellKind::Text),
        ("count", CellKind::Int),
        ("share", CellKind::Float),
        ("on", CellKind::Flag),
        ("at", CellKind::Time),
        ("nested", CellKind::Json),
    ]
    .map(|(name, kind)| Column {
        name: name.to_owned(),
        kind,
        help: String::new(),
        notes: vec![],
    })
    .into()
}

fn made(chance: &mut Chance, columns: &[Column]) -> Vec<Row> {
    let row = |chance: &mut Chance| {
        columns
            .iter()
            .map(|column| chance.cell(column.kind))
            .collect()
    };
    (0..chance.below(5)).map(|_| row(chance)).collect()
}

fn written(format: Format, columns: &[Column], rows: &[Row], width: Option<usize>) -> String {
    let mut bytes = vec![];
    write_rows(&mut bytes, format, columns, rows, width).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// What another parser makes of a YAML document.
fn read(text: &str) -> Value {
    let documents =
        YamlOwned::load_from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(documents.len(), 1, "{text}");
    value(&documents[0])
}

fn value(node: &YamlOwned) -> Value {
    match node {
        YamlOwned::Value(ScalarOwned::Null) => Value::Null,
        YamlOwned::Value(ScalarOwned::Boolean(flag)) => json!(flag),
        YamlOwned::Value(ScalarOwned::Integer(number)) => json!(number),
        YamlOwned::Value(ScalarOwned::FloatingPoint(number)) => json!(number.into_inner()),
        YamlOwned::Value(ScalarOwned::String(text)) => json!(text),
        YamlOwned::Sequence(items) => items.iter().map(value).collect(),
        YamlOwned::Mapping(map) => map
            .iter()
            .map(|(key, item)| (value(key).as_str().unwrap().to_owned(), value(item)))
            .collect::<Map<_, _>>()
            .into(),
        other => panic!("no JSON value: {other:?}"),
    }
}

/// What another parser makes of a CSV text.
fn read_csv(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv_core::Reader::new();
    let mut input = text.as_bytes();
    let mut field = vec![0; text.len() + 1];
    let mut record = vec![];
    let mut records = vec![];
    loop {
        let (result, consumed, length) = reader.read_field(input, &mut field);
        input = &input[consumed..];
        match result {
            csv_core::ReadFieldResult::Field { record_end } => {
                record.push(String::from_utf8(field[..length].to_vec()).unwrap());
                if record_end {
                    records.push(std::mem::take(&mut record));
                }
            }
            csv_core::ReadFieldResult::InputEmpty => {}
            csv_core::ReadFieldResult::OutputFull => panic!("a field longer than the text"),
            csv_core::ReadFieldResult::End => return records,
        }
    }
}

#[track_caller]
fn is_harmless(text: &str, format: Format) {
    for letter in text.chars() {
        let bad = matches!(letter, '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}'
            | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!bad, "{format:?}: {letter:?} in {text:?}");
    }
}

#[test]
fn yaml_is_read_back_as_the_same_values() {
    let columns = columns();
    let mut chance = Chance(0x5eed_0001);
    for _ in 0..1_500 {
        let rows = made(&mut chance, &columns);
        let wanted: Value =
            serde_json::from_str(&written(Format::Json, &columns, &rows, None)).unwrap();
        let yaml = written(Format::Yaml, &columns, &rows, None);
        assert_eq!(read(&yaml), wanted, "{yaml}");
    }
}

#[test]
fn yaml_spells_every_word_so_that_it_stays_text() {
    let mut chance = Chance(0x5eed_0002);
    let words = PIECES.iter().map(|piece| (*piece).to_owned());
    for text in words.chain((0..3_000).map(|_| chance.text())) {
        let wanted = json!({ &text: text, "list": [text], "deep": [[[{ "a": [text] }]]] });
        let mut bytes = vec![];
        write_yaml(&mut bytes, &wanted).unwrap();
        let yaml = String::from_utf8(bytes).unwrap();
        assert_eq!(read(&yaml), wanted, "{yaml}");
    }
}

#[test]
fn yaml_of_any_depth_and_of_long_keys_is_read_back() {
    let mut deep = json!({ "k".repeat(3_000): "end" });
    for level in 0..40 {
        deep = match level % 3 {
            0 => json!([deep, level]),
            1 => json!({ "key": deep, "x".repeat(1_500): [] }),
            _ => json!({ "y".repeat(1_500): deep }),
        };
    }
    let mut bytes = vec![];
    write_yaml(&mut bytes, &deep).unwrap();
    let yaml = String::from_utf8(bytes).unwrap();
    assert_eq!(read(&yaml), deep);
}

#[test]
fn yaml_looks_as_a_person_would_write_it() {
    let mut bytes = vec![];
    let value = json!({
        "an": "plain text, with (marks) and https://a.example/b",
        "b": "no",
        "c": "two\nlines\n",
        "d": "0123",
        "e": [],
        "f": {},
        "g": [{ "x": 1, "y": [2, 3] }, null],
        "h": 1e300,
        "i": "",
        "j": "a: b",
        "k": "\u{1b}[2J",
    });
    write_yaml(&mut bytes, &value).unwrap();
    let wanted = "\
an: plain text, with (marks) and https://a.example/b
b: \"no\"
c: |
  two
  lines
d: \"0123\"
e: []
f: {}
g:
  - x: 1
    \"y\":
      - 2
      - 3
  - null
h: 1.0e+300
i: \"\"
j: \"a: b\"
k: \"\\x1b[2J\"
";
    assert_eq!(String::from_utf8(bytes).unwrap(), wanted);
}

#[test]
fn csv_is_read_back_as_the_shown_text_of_every_cell() {
    let columns = columns();
    let mut chance = Chance(0x5eed_0003);
    for round in 0..1_500 {
        // A single column too: an empty cell alone on a line.
        let columns = if round % 3 == 0 {
            &columns[..1]
        } else {
            &columns
        };
        let rows = made(&mut chance, columns);
        let text = written(Format::Csv, columns, &rows, None);
        let mut read = read_csv(&text).into_iter();
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(read.next().unwrap(), names);
        let read: Vec<Vec<String>> = read.collect();
        let shown = |cell| {
            UntrustedText::from(super::cell_text(cell))
                .shown()
                .into_owned()
        };
        let wanted: Vec<Vec<String>> = rows
            .iter()
            .map(|row| row.iter().map(shown).collect())
            .collect();
        assert_eq!(read, wanted, "{text:?}");
    }
}

#[test]
fn markdown_has_one_line_a_row_and_as_many_bars_as_columns() {
    let columns = columns();
    let mut chance = Chance(0x5eed_0004);
    for _ in 0..1_500 {
        let rows = made(&mut chance, &columns);
        let text = written(Format::Markdown, &columns, &rows, None);
        assert_eq!(text.lines().count(), rows.len() + 2, "{text}");
        for line in text.lines() {
            // Escaped characters first, as GFM reads a cell.
            let rest = line.replace("\\\\", "").replace("\\|", "");
            assert_eq!(rest.matches('|').count(), columns.len() + 1, "{line:?}");
        }
    }
}

#[test]
fn no_format_lets_through_what_a_terminal_would_act_on() {
    let columns = columns();
    let mut chance = Chance(0x5eed_0005);
    for _ in 0..800 {
        let rows = made(&mut chance, &columns);
        for format in [
            Format::Table,
            Format::Json,
            Format::Yaml,
            Format::Csv,
            Format::Markdown,
            Format::Plain,
        ] {
            for width in [None, Some(40)] {
                is_harmless(&written(format, &columns, &rows, width), format);
                is_harmless(&written(format, &columns[..1], &rows, width), format);
            }
        }
    }
}

#[test]
fn a_single_value_under_a_known_name_is_bare_and_two_are_not() {
    let column = |name: &str| Column {
        name: name.to_owned(),
        kind: CellKind::Text,
        help: String::new(),
        notes: vec![],
    };
    let row = vec![Cell::Text("# Title\n\na | b\u{1b}[2J\n".to_owned())];
    let one = [row.clone()];
    for name in ["content", "markdown", "text", "value"] {
        for format in [Format::Markdown, Format::Plain] {
            assert_eq!(
                written(format, &[column(name)], &one, None),
                "# Title\n\na | b\n"
            );
        }
    }
    assert_eq!(
        written(Format::Plain, &[column("response")], &one, None),
        "# Title\n\na | b\n"
    );
    assert!(
        written(Format::Markdown, &[column("response")], &one, None).starts_with("| response |")
    );
    let two = [row.clone(), row];
    assert!(written(Format::Markdown, &[column("text")], &two, None).starts_with("| text |"));
    assert!(
        written(Format::Plain, &[column("text")], &two, None).starts_with("text: # Title\n  \n")
    );
}

#[test]
fn no_rows_are_an_empty_list_a_header_or_nothing() {
    let columns = &columns()[..2];
    let empty = |format| written(format, columns, &[], Some(80));
    assert_eq!(empty(Format::Json), "[]\n");
    assert_eq!(empty(Format::Yaml), "[]\n");
    assert_eq!(empty(Format::Csv), "text,more\n");
    assert_eq!(empty(Format::Markdown), "| text | more |\n| --- | --- |\n");
    assert_eq!(empty(Format::Plain), "");
    assert_eq!(empty(Format::Table), "");
}
