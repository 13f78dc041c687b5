//! A document looked at as a whole: all faults, and the places of its values.

use sr_policy::json::{JsonRules, examine};

const RULES: JsonRules = JsonRules::up_to(10_000);

fn faults(text: impl AsRef<[u8]>) -> Vec<String> {
    let examined = examine("x.json", text.as_ref(), &RULES);
    examined.faults.iter().map(ToString::to_string).collect()
}

#[test]
fn every_duplicate_key_is_named_at_its_place() {
    let text = "{\"a\": 1,\n \"b\": {\"c\": {\"d\": 1, \"d\": 2}},\n \"a\": 3}";
    assert_eq!(
        faults(text),
        [
            "x.json: line 2, column 22: duplicate key: d",
            "x.json: line 3, column 2: duplicate key: a",
        ]
    );
    let examined = examine("x.json", text.as_bytes(), &RULES);
    assert_eq!(examined.value.as_ref().unwrap()["a"], 3);
    assert_eq!(examined.key_place("/a"), Some((3, 2)));
    assert_eq!(examined.place("/b/c/d"), Some((2, 27)));
}

#[test]
fn a_byte_order_mark_does_not_hide_the_next_fault() {
    let found = faults("\u{feff}{\"a\": 1, \"a\": 1}");
    assert!(found[0].contains("byte order mark"), "{found:?}");
    assert!(found[1].contains("duplicate key: a"), "{found:?}");
    assert_eq!(found.len(), 2);
}

#[test]
fn a_text_that_does_not_read_has_its_faults_and_no_value() {
    let examined = examine("x.json", b"{\"a\": 1, \"a\": 1, \"b\" 2}", &RULES);
    assert_eq!(examined.faults.len(), 2);
    assert!(examined.value.is_none());
    let examined = examine("x.json", b"{\x00", &RULES);
    assert!(examined.value.is_none() && examined.faults.len() == 1);
}

#[test]
fn faults_are_told_up_to_a_number() {
    let many = format!("{{{}\"z\": 0}}", "\"a\": 1, ".repeat(1_000));
    assert_eq!(faults(many).len(), 40);
}

#[test]
fn a_good_document_is_the_one_that_parse_reads() {
    let text = br#"{"a": [1, 2.5, "x"], "b": null}"#;
    let examined = examine("x.json", text, &RULES);
    assert!(examined.faults.is_empty());
    let parsed: serde_json::Value = sr_policy::json::parse("x.json", text, &RULES).unwrap();
    assert_eq!(examined.value, Some(parsed));
}
