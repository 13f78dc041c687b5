//! The JSON reader: exact, strict, bounded, and its failures name the place.

#![expect(clippy::panic, reason = "helpers of a test fail it")]

use sr_guest::Failure;
use sr_guest::json::{MAX_DEPTH, Value, parse};

fn message(failure: Failure) -> String {
    match failure {
        Failure::Other(coded) => {
            assert_eq!(coded.code, "UNEXPECTED_REPLY");
            coded.message
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn whole_numbers_are_exact_and_others_keep_their_text() {
    for (text, value) in [
        ("0", Value::Int(0)),
        ("-1", Value::Int(-1)),
        ("9223372036854775807", Value::Int(i64::MAX)),
        ("-9223372036854775808", Value::Int(i64::MIN)),
        (
            "9223372036854775808",
            Value::Number("9223372036854775808".to_owned()),
        ),
        ("9007199254740993", Value::Int(9_007_199_254_740_993)),
        ("1.50", Value::Number("1.50".to_owned())),
        ("-0", Value::Number("-0".to_owned())),
        ("1e3", Value::Number("1e3".to_owned())),
    ] {
        assert_eq!(parse(text).unwrap(), value, "{text}");
        assert_eq!(parse(text).unwrap().to_json(), text);
    }
    let number = parse("9223372036854775808").unwrap();
    assert!(number.root().int().is_err());
    assert!((number.root().float().unwrap() - 9.223_372_036_854_776e18).abs() < 1e4);
}

#[test]
fn strings_with_every_escape_are_read() {
    let value = parse(r#""a\"\\\/\b\f\n\r\tA\u00e9\ud83d\ude00é""#).unwrap();
    assert_eq!(value.root().str().unwrap(), "a\"\\/\u{8}\u{c}\n\r\tAé😀é");
}

#[test]
fn what_is_not_json_is_refused_with_its_place() {
    for (text, says) in [
        ("", "byte 0: the text ends too early"),
        ("  ", "byte 2: the text ends too early"),
        ("nul", "byte 0: no value starts here"),
        ("[1,]", "byte 3: no value starts here"),
        ("[1 2]", "byte 3: `,` or `]` is missing"),
        ("{\"a\" 1}", "byte 5: `:` is missing"),
        ("{a:1}", "byte 1: a member's name is missing"),
        ("{\"a\":1,}", "byte 7: a member's name is missing"),
        ("01", "byte 1: more text after the document"),
        ("1.", "byte 2: a digit is missing"),
        ("-", "byte 1: a digit is missing"),
        ("+1", "byte 0: no value starts here"),
        ("NaN", "byte 0: no value starts here"),
        ("\"a", "byte 1: a string does not end"),
        ("\"a\nb\"", "byte 2: a control character in a string"),
        ("\"\\x\"", "byte 3: an unknown escape"),
        ("\"\\ud800\"", "byte 7: half a surrogate pair"),
        ("\"\\ud800\\u0041\"", "byte 13: half a surrogate pair"),
        ("\"\\udc00\"", "byte 7: half a surrogate pair"),
        ("\"\\u12g4\"", "byte 5: four hexadecimal digits are missing"),
        ("\u{feff}1", "byte 0: no value starts here"),
        ("1 // x", "byte 2: more text after the document"),
    ] {
        let found = message(parse(text).unwrap_err());
        assert_eq!(found, format!("not JSON at {says}"), "{text:?}");
    }
}

#[test]
fn depth_is_bounded_however_long_the_text() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(parse(&nested(MAX_DEPTH + 1)).is_ok());
    assert!(parse(&nested(MAX_DEPTH + 2)).is_err());
    let found = message(parse(&"[{\"a\":".repeat(1_000_000)).unwrap_err());
    assert!(found.contains("more than 64 levels"), "{found}");
}

#[test]
fn failures_name_the_way_to_the_value() {
    let value = parse(r#"{"items":[{"id":1},{"id":"x","tags":null}]}"#).unwrap();
    let items = value.at("items");
    for (failure, says) in [
        (
            items.at(1).at("id").int().map(drop),
            "items[1].id: a text where a whole number should be",
        ),
        (
            items.at(2).at("id").int().map(drop),
            "items[2].id: nothing where a whole number should be",
        ),
        (
            items.at(0).str().map(drop),
            "items[0]: an object where a text should be",
        ),
        (
            items.at(1).at("tags").list().map(drop),
            "items[1].tags: null where a list should be",
        ),
        (
            value.root().flag().map(drop),
            "the reply: an object where true or false should be",
        ),
        (items.at("id").opt_int().map(drop), ""),
    ] {
        match failure {
            Err(failure) => assert_eq!(message(failure), says),
            Ok(()) => assert_eq!(says, "", "a missing optional value is no failure"),
        }
    }
}

#[test]
fn long_ways_are_cut_not_lost() {
    let value = parse("{}").unwrap();
    let mut at = value.root();
    for _ in 0..50 {
        at = at.at("a");
    }
    assert_eq!(
        message(at.str().unwrap_err()),
        "a.a.a.a.a.a…: nothing where a text should be"
    );
}

#[test]
fn lists_objects_and_options_read_as_expected() {
    let value = parse(r#"{"a":[1,2],"b":{"x":true,"y":null},"a":[3],"n":1.5}"#).unwrap();
    let numbers: Vec<_> = value
        .at("a")
        .list()
        .unwrap()
        .map(|at| at.int().unwrap())
        .collect();
    assert_eq!(numbers, [3], "of two equal keys the last counts");
    let members: Vec<_> = value
        .at("b")
        .members()
        .unwrap()
        .map(|(key, _)| key)
        .collect();
    assert_eq!(members, ["x", "y"]);
    assert_eq!(value.at("b").at("y").opt_str(), Ok(None));
    assert_eq!(value.at("b").at("x").opt_flag(), Ok(Some(true)));
    assert_eq!(value.at("n").opt_float(), Ok(Some(1.5)));
    assert!(value.at("n").opt_str().is_err());
}

#[test]
fn what_is_written_reads_back_the_same() {
    let text = r#"{"a":[null,true,-5,1.50],"q\"\\":"\n\t\u0001é😀","e":{},"l":[]}"#;
    let value = parse(text).unwrap();
    assert_eq!(value.to_json(), text);
    assert_eq!(parse(&value.to_json()).unwrap(), value);
}
