//! Every cell kind out, every argument kind in.

use sr_guest::prelude::*;

use crate::Pair;

/// One row with every cell kind, present and null.
#[derive(Row)]
pub(crate) struct Cells {
    flag: bool,
    flag_off: bool,
    int_max: i64,
    int_min: i64,
    float: f64,
    float_tiny: f64,
    float_whole: f64,
    text: String,
    text_empty: String,
    text_odd: String,
    time: Time,
    time_before: Time,
    url: Url,
    json: Json,
    no_flag: Option<bool>,
    no_int: Option<i64>,
    no_float: Option<f64>,
    no_text: Option<String>,
    no_time: Option<Time>,
    no_url: Option<Url>,
    no_json: Option<Json>,
}

/// One row with every cell kind.
#[command(read, example = "cells")]
pub(crate) fn cells() -> Result<Table<Cells>> {
    let row = Cells {
        flag: true,
        flag_off: false,
        int_max: i64::MAX,
        int_min: i64::MIN,
        float: 0.1,
        float_tiny: f64::MIN_POSITIVE,
        float_whole: -3.0,
        text: "Grüße, 世界 👩‍👩‍👧".to_owned(),
        text_empty: String::new(),
        text_odd: "\u{1b}[2Jtab\tquote\"comma,\nline\u{202e}\u{9b}\u{7}".to_owned(),
        time: Time(1_497_290_254_123),
        time_before: Time(-1),
        url: Url("https://example.com/a?b=c#d".to_owned()),
        json: Json(r#"{"a":[1,null,"\u001b"],"é":true}"#.to_owned()),
        no_flag: None,
        no_int: None,
        no_float: None,
        no_text: None,
        no_time: None,
        no_url: None,
        no_json: None,
    };
    Ok(Table::new([row])
        .footer("guest footer")
        .note("guest-note", "guest value"))
}

/// A fruit.
#[derive(Choice)]
pub(crate) enum Fruit {
    Apple,
    BloodOrange,
}

/// The arguments as text.
#[command(
    read,
    alias = "say",
    example = ("echo one two --int 5", "two words and a number")
)]
#[expect(clippy::too_many_arguments, reason = "one per kind")]
pub(crate) fn echo(
    /// Words
    #[arg(positional)]
    words: Vec<String>,
    /// Present or not
    #[arg(short = 'a')]
    flag: bool,
    /// A whole number
    #[arg(short = 'i', default = 10, range = -5..=100)]
    int: i32,
    /// A number
    #[arg(default = 0.5)]
    float: f64,
    /// A text
    text: Option<String>,
    /// An address
    url: Option<Url>,
    /// A day or a moment
    date: Option<Time>,
    /// JSON
    json: Option<Json>,
    /// A word of three
    #[arg(choices("red", "green", "blue"))]
    colour: Option<String>,
    /// A fruit
    #[arg(default = "blood-orange")]
    fruit: Fruit,
    /// Text of a file
    #[arg(kind(content))]
    content: Option<String>,
    /// Several numbers
    many: Vec<u8>,
    #[given] given: Given,
) -> Result<Vec<Pair>> {
    let mut rows: Vec<Pair> = words
        .into_iter()
        .map(|word| Pair::new("words", word))
        .collect();
    rows.push(Pair::new("flag", flag.to_string()));
    rows.push(Pair::new("int", int.to_string()));
    rows.push(Pair::new("float", float.to_string()));
    let texts = [
        ("text", text),
        ("url", url.map(String::from)),
        ("date", date.map(|time| time.0.to_string())),
        ("json", json.map(|json| json.0)),
        ("colour", colour),
        ("content", content),
    ];
    for (name, text) in texts {
        rows.extend(text.map(|text| Pair::new(name, text)));
    }
    rows.push(Pair::new("fruit", fruit.word()));
    rows.extend(
        many.into_iter()
            .map(|number| Pair::new("many", number.to_string())),
    );
    for name in ["words", "flag", "int", "float", "fruit", "many"] {
        if given.has(name) {
            rows.push(Pair::new("given", name));
        }
    }
    Ok(rows)
}
