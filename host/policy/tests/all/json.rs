//! Strict JSON: what is refused, where, and in which words.

use serde::Deserialize;
use serde_json::Value;
use sr_policy::json::{self, JsonError, JsonFault, JsonRules, UniqueMap};

const RULES: JsonRules = JsonRules {
    max_bytes: 10_000,
    max_depth: 8,
};

fn parse(text: &str) -> Result<Value, JsonError> {
    json::parse("x.json", text.as_bytes(), &RULES)
}

fn message(bytes: &[u8]) -> String {
    match json::parse::<Value>("x.json", bytes, &RULES) {
        Ok(value) => panic!("accepted: {value}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn ordinary_documents_are_kept_exactly() {
    for text in [
        "{}",
        "[]",
        "null",
        "\"\"",
        "0",
        "-1",
        "{\"a\":{\"a\":1},\"b\":[{\"a\":1},{\"a\":2}]}",
        " {\r\n \"a\" : 1\r\n}\r\n",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "18446744073709551615",
        "0.1",
        "-0.0",
        "1e22",
        "1.50",
        "5e-324",
        "1.7976931348623157e308",
        "0.30000000000000004",
        "100.0",
        "0.0e5",
        "\"\\u0000 \\ud83d\\ude00 \\n é\"",
    ] {
        let value = parse(text).unwrap_or_else(|error| panic!("{error}"));
        let plain: Value = serde_json::from_str(text).unwrap();
        assert_eq!(value, plain, "{text}");
    }
}

#[test]
fn a_key_given_twice_is_refused_at_any_depth_and_in_any_spelling() {
    for (text, place) in [
        ("{\"a\":1,\"a\":2}", "line 1, column 8"),
        (
            "{\"x\":[{\"b\":{}},\n {\"a\":1, \"a\":1}]}",
            "line 2, column 10",
        ),
        ("{\"a\":1,\"\\u0061\":2}", "line 1, column 8"),
    ] {
        let text = message(text.as_bytes());
        assert!(
            text.starts_with("x.json: ")
                && text.contains(place)
                && text.contains("duplicate key: a"),
            "{text}"
        );
    }
}

#[test]
fn a_number_that_would_change_is_refused() {
    for number in [
        "1e999",
        "-1e999",
        "18446744073709551616",
        "-9223372036854775809",
        "-0",
        "1e-999",
        "0.1000000000000000055511151231257827",
        "123456789012345678901234567890",
        "9007199254740993.0",
        "3e-324",
        "1e99999999999999999999",
    ] {
        let error = parse(&format!("[{number}]")).unwrap_err();
        assert!(
            matches!(error.rule, JsonFault::Number(_)),
            "{number}: {error}"
        );
        assert_eq!((error.line, error.column), (1, 2));
    }
}

#[test]
fn another_encoding_is_refused_by_its_name() {
    let utf16 = |text: &str, big: bool| -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| {
                if big {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            })
            .collect()
    };
    assert!(message(b"\xef\xbb\xbf{}").contains("BOM"));
    for bytes in [
        utf16("\u{feff}{}", false),
        utf16("\u{feff}{}", true),
        utf16("{}", false),
        utf16("{}", true),
    ] {
        assert!(message(&bytes).contains("not UTF-8"), "{bytes:?}");
    }
    assert_eq!(
        message(b"{\n\"a\": \"\xff\"}"),
        "x.json: line 2, column 7: not UTF-8"
    );
}

#[test]
fn what_is_not_json_is_refused_with_its_place() {
    let vectors: &[(&str, &str)] = &[
        ("", "empty"),
        (" \n", "empty"),
        (
            "{\"a\": 1",
            "line 1, column 8: not JSON: expected `,` or `}`, the file ends here",
        ),
        ("{\"a\": 1,}", "line 1, column 9: not JSON: expected a key"),
        ("[1,]", "expected a value, found ']'"),
        ("[1 2]", "expected `,` or `]`, found '2'"),
        ("// c\n{}", "expected a value, found '/'"),
        ("{'a':1}", "expected a key in double quotes"),
        ("{\"a\" 1}", "expected `:`"),
        ("[NaN]", "expected a value"),
        ("[Infinity]", "expected a value"),
        ("[01]", "not a number: 01"),
        ("[1.]", "not a number"),
        ("[.5]", "expected a value"),
        ("[+1]", "expected a value"),
        ("[1e]", "not a number"),
        ("[--1]", "not a number"),
        ("tru", "expected a value"),
        ("{} {}", "text after the end"),
        ("\"abc", "the file ends here"),
        ("\"abc\\", "the file ends here"),
        ("\"\\x\"", "invalid escape in a string"),
        ("\"\\ud800\"", "in a string"),
        ("\"\\udc00\"", "in a string"),
        ("\"\\ud800\\u0041\"", "in a string"),
        ("\"a\nb\"", "control character"),
        ("[\u{1b}]", "expected a value"),
        ("\"\\é\"", "in a string"),
    ];
    for (text, needle) in vectors {
        let text = message(text.as_bytes());
        assert!(
            text.starts_with("x.json: ") && text.contains(needle),
            "{needle}: {text}"
        );
        assert!(!text.chars().any(char::is_control), "{text:?}");
    }
}

#[test]
fn size_and_nesting_are_bounded() {
    assert!(parse(&format!("{}{}", "[".repeat(8), "]".repeat(8))).is_ok());
    let error = parse(&format!("{}{}", "[".repeat(9), "]".repeat(9))).unwrap_err();
    assert_eq!((error.rule, error.column), (JsonFault::Depth(8), 9));
    let rules = JsonRules {
        max_bytes: usize::MAX,
        max_depth: usize::MAX,
    };
    let error =
        json::parse::<Value>("x", "{\"a\":".repeat(100_000).as_bytes(), &rules).unwrap_err();
    assert_eq!(error.rule, JsonFault::Depth(120), "no stack overflow");
    let deepest = format!("{}{}", "[".repeat(120), "]".repeat(120));
    assert!(json::parse::<Value>("x", deepest.as_bytes(), &rules).is_ok());
    assert!(message(&[b' '; 10_001]).contains("10001 bytes, at most 10000"));
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    name: String,
    #[serde(default)]
    #[expect(dead_code, reason = "only read from JSON")]
    count: u8,
}

#[test]
fn a_document_of_another_shape_is_refused_with_its_place() {
    let error = |text: &str| {
        json::parse::<Document>("x.json", text.as_bytes(), &RULES)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        json::parse::<Document>("x", b"{\"name\":\"a\"}", &RULES)
            .unwrap()
            .name,
        "a"
    );
    assert!(
        error("{\n \"nam\": 1}").contains("x.json: line 2, column 6: unknown field `nam`"),
        "{}",
        error("{\n \"nam\": 1}")
    );
    assert!(error("{}").contains("missing field `name`"));
    assert!(error("{\"name\":\"a\",\"count\":256}").contains("256"));
    let hostile = error("{\"\\u001b[2J\\u202e\": 1}");
    assert!(!hostile.contains(['\u{1b}', '\u{202e}']), "{hostile:?}");
}

#[test]
fn a_unique_map_refuses_a_key_given_twice_without_the_first_pass() {
    let read =
        |text: &str| json::parse_unique::<UniqueMap<Document>>("x.json", text.as_bytes(), &RULES);
    let twice = read("{\"a\":{\"name\":\"1\"},\n\"a\":{\"name\":\"2\"}}").unwrap_err();
    assert_eq!(twice.rule, JsonFault::DuplicateKey("a".to_owned()));
    assert_eq!(twice.line, 2);
    let field = read("{\"a\":{\"name\":\"1\",\"name\":\"2\"}}").unwrap_err();
    assert_eq!(field.rule, JsonFault::DuplicateKey("name".to_owned()));
    assert!(read("\u{feff}{}").unwrap_err().to_string().contains("BOM"));
    let map = read("{\"b\":{\"name\":\"2\"},\"a\":{\"name\":\"1\"}}").unwrap();
    assert_eq!(map.keys().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(
        map.get("b").map(|document| document.name.as_str()),
        Some("2")
    );
}
