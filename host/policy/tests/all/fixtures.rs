//! Fixtures: what they refuse, what they find.

use serde_json::{Value, json};
use sr_policy::Failure;
use sr_policy::fixture::{Fixture, Outcome};
use sr_policy::value::Cell;

fn with(expect: &Value) -> Result<Fixture, String> {
    let fixture = json!({ "command": ["list"], "replay": "recordings/x.json", "expect": expect });
    parse(&fixture.to_string())
}

fn parse(text: &str) -> Result<Fixture, String> {
    Fixture::parse("x", "fixtures/x.json", text.as_bytes()).map_err(|error| error.to_string())
}

fn rows() -> Outcome {
    Outcome::Rows {
        columns: vec!["name".into(), "count".into(), "time".into()],
        rows: vec![
            vec![Cell::Text("Ann".into()), Cell::Int(7), Cell::Time(0)],
            vec![Cell::Text(String::new()), Cell::Float(0.0), Cell::Null],
        ],
    }
}

#[test]
fn exact_rows_hold_or_each_difference_is_told() {
    let good = json!({ "rows": [
        { "name": "Ann", "count": 7.0, "time": "1970-01-01T00:00:00Z" },
        { "name": "", "count": 0, "time": null },
    ]});
    assert_eq!(with(&good).unwrap().differences(&rows()), [""; 0]);
    let bad = json!({ "rows": [{ "name": "Bob", "count": 7, "age": 1 }] });
    assert_eq!(
        with(&bad).unwrap().differences(&rows()),
        [
            "rows: expected 1, found 2",
            "row 1, age: expected 1, found no such column",
            "row 1, name: expected \"Bob\", found \"Ann\"",
            "row 1, time: expected no such column, found \"1970-01-01T00:00:00Z\"",
        ]
    );
}

#[test]
fn loose_keys_find_what_they_name() {
    let good = json!({
        "rowCount": { "min": 1, "max": 2 },
        "columns": ["name", "count", "time"],
        "types": { "count": "number", "time": "string|null" },
        "patterns": { "time": "^1970-" },
        "mustNotContain": { "name": ["undefined"] },
    });
    assert_eq!(with(&good).unwrap().differences(&rows()), [""; 0]);
    for (expect, says) in [
        (json!({ "rowCount": 3 }), "at least 3, found 2"),
        (json!({ "rowCount": { "max": 1 } }), "at most 1, found 2"),
        (
            json!({ "columns": ["name"] }),
            "expected name, found name, count, time",
        ),
        (
            json!({ "types": { "time": "number|null" } }),
            "row 1, time: expected number or null, found \"1970",
        ),
        (
            json!({ "types": { "time": "string" } }),
            "row 2, time: expected string, found null",
        ),
        (
            json!({ "patterns": { "name": "^A" } }),
            "row 2, name: expected a text like",
        ),
        (
            json!({ "notEmpty": ["name"] }),
            "row 2, name: expected something",
        ),
        (
            json!({ "mustBeTruthy": ["count"] }),
            "row 2, count: expected a value that counts",
        ),
        (
            json!({ "mustNotContain": { "name": ["nn"] } }),
            "row 1, name: expected a text without",
        ),
        (json!({ "notEmpty": ["age"] }), "expected a column age"),
    ] {
        let found = with(&expect).unwrap().differences(&rows());
        assert_eq!(found.len(), 1, "{expect}: {found:?}");
        assert!(found[0].contains(says), "{expect}: {found:?}");
    }
}

#[test]
fn a_failure_is_compared_by_code_and_exit() {
    let expect = json!({ "code": "EMPTY_RESULT", "exit": 66 });
    let fixture = with(&expect).unwrap();
    let empty = Outcome::failed(&Failure::Empty("nobody".into()), "nobody".into());
    assert_eq!(fixture.differences(&empty), [""; 0]);
    assert_eq!(
        fixture.differences(&rows()),
        ["expected a failure, found 2 rows"]
    );
    let other = Outcome::failed(&Failure::Cancelled, "cancelled".into());
    assert_eq!(
        fixture.differences(&other),
        [
            "code: expected EMPTY_RESULT, found CANCELLED: cancelled",
            "exit: expected 66, found 130 (CANCELLED)",
        ]
    );
    let rows = with(&json!({ "rows": [] })).unwrap();
    assert_eq!(
        rows.differences(&empty),
        ["expected rows, found EMPTY_RESULT: nobody"]
    );
}

#[test]
fn a_fixture_that_cannot_be_meant_is_refused_with_its_key() {
    for (expect, says) in [
        (json!({}), "expect: nothing is expected"),
        (json!({ "rows": [], "exit": 1 }), "expect: one of"),
        (json!({ "rows": [], "rowCount": 0 }), "expect: one of"),
        (
            json!({ "types": { "a": "text" } }),
            "expect.types.a: no such type",
        ),
        (
            json!({ "patterns": { "a": "(?=x)" } }),
            "expect.patterns.a: not a pattern",
        ),
        (json!({ "rowcount": 1 }), "unknown field"),
        (
            json!({ "rowCount": { "least": 1 } }),
            "expect.rowCount: a number of rows",
        ),
        (
            json!({ "rowCount": -1 }),
            "expect.rowCount: a number of rows",
        ),
    ] {
        let error = with(&expect).unwrap_err();
        assert!(error.starts_with("fixtures/x.json"), "{error}");
        assert!(error.contains(says), "{expect}: {error}");
    }
    for replay in ["/etc/x.json", "../x.json", ""] {
        let text = json!({ "command": ["a"], "replay": replay, "expect": { "rows": [] } });
        let error = parse(&text.to_string()).unwrap_err();
        assert!(
            error.contains("replay: a path in the plugin's crate"),
            "{error}"
        );
    }
    assert!(parse("{").is_err());
    let twice = r#"{"command":["a"],"command":["b"],"replay":"r","expect":{"rows":[]}}"#;
    assert!(parse(twice).unwrap_err().contains("duplicate key"));
}

#[test]
fn many_differences_are_cut() {
    let rows = Outcome::Rows {
        columns: vec!["a".into()],
        rows: vec![vec![Cell::Null]; 1_000],
    };
    let found = with(&json!({ "notEmpty": ["a"] }))
        .unwrap()
        .differences(&rows);
    assert_eq!(found.len(), 21);
    assert_eq!(found[20], "and 980 more");
}
