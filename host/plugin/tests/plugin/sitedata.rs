//! The bundled calibration document.

use serde_json::json;
use sr_plugin::{PointerError, Sitedata};

fn parse(value: &serde_json::Value) -> Result<Sitedata, String> {
    Sitedata::parse("sitedata.json", value.to_string().as_bytes())
        .map_err(|error| error.to_string())
}

#[test]
fn values_are_found_by_pointer() {
    let document = json!({"version": "2026.10.02", "urls": {"a/b": "x", "m~n": ["p", "q"]}, "": 1});
    let sitedata = parse(&document).unwrap();
    assert_eq!(sitedata.version(), "2026.10.02");
    let get = |pointer: &str| sitedata.get(pointer).unwrap().cloned();
    assert_eq!(get(""), Some(document.clone()));
    assert_eq!(get("/urls/a~1b"), Some(json!("x")));
    assert_eq!(get("/urls/m~0n/1"), Some(json!("q")));
    assert_eq!(get("/"), Some(json!(1)));
    for pointer in [
        "/urls/m~0n/01",
        "/urls/m~0n/+1",
        "/urls/m~0n/2",
        "/urls/m~0n/-",
        "/none",
    ] {
        assert_eq!(get(pointer), None, "{pointer}");
    }
}

#[test]
fn a_text_that_is_no_pointer_is_refused() {
    let sitedata = parse(&json!({"version": "1"})).unwrap();
    assert!(matches!(
        sitedata.get("version"),
        Err(PointerError::Start(_))
    ));
    assert!(matches!(sitedata.get("/a~2"), Err(PointerError::Tilde(_))));
    assert!(matches!(sitedata.get("/a~"), Err(PointerError::Tilde(_))));
    assert!(matches!(
        sitedata.get(&format!("/{}", "a".repeat(256))),
        Err(PointerError::TooLong(257))
    ));
}

#[test]
fn selectors_belong_to_a_command() {
    let sitedata = parse(&json!({
        "version": "1",
        "commands": {"list": {"selectors": {"title": "h2", "card": ".card"}, "waits": {}}, "top": {}},
    }))
    .unwrap();
    assert_eq!(
        sitedata.selectors("list").collect::<Vec<_>>(),
        [("card", ".card"), ("title", "h2")]
    );
    assert_eq!(sitedata.selectors("top").count(), 0);
    assert_eq!(sitedata.selectors("none").count(), 0);
}

#[test]
fn keys_of_the_wrong_kind_are_named() {
    for (document, says) in [
        (json!([]), "an object"),
        (json!({}), "version must be"),
        (json!({"version": 3}), "version must be"),
        (json!({"version": ""}), "version must be"),
        (
            json!({"version": "1", "domains": "a.com"}),
            "domains must be",
        ),
        (json!({"version": "1", "domains": [1]}), "domains must be"),
        (json!({"version": "1", "commands": []}), "commands must be"),
        (
            json!({"version": "1", "commands": {"list": 1}}),
            "commands.list must be",
        ),
        (
            json!({"version": "1", "commands": {"li\u{1b}st": {"selectors": {"a": 1}}}}),
            "commands.li\\u{1b}st.selectors must be",
        ),
    ] {
        let message = parse(&document).unwrap_err();
        assert!(
            message.starts_with("sitedata.json: ") && message.contains(says),
            "{message}"
        );
    }
}

#[test]
fn every_fault_is_named_with_its_place() {
    let text = "{\n \"domains\": [\"a.test\", 7, 8],\n \"commands\": {\"x\": 1, \"y\": {\"selectors\": []}},\n \"z\": 1, \"z\": 2\n}";
    let message = Sitedata::parse("s.json", text.as_bytes())
        .unwrap_err()
        .to_string();
    assert_eq!(
        message.lines().collect::<Vec<_>>(),
        [
            "s.json: line 4, column 10: duplicate key: z",
            "s.json: version must be a text of 1 to 64 bytes",
            "s.json: line 2, column 24: domains must be a list of texts",
            "s.json: line 2, column 27: domains must be a list of texts",
            "s.json: line 3, column 20: commands.x must be an object",
            "s.json: line 3, column 42: commands.y.selectors must be an object of texts",
        ]
    );
    let examined = Sitedata::examine("s.json", text.as_bytes());
    assert_eq!(examined.sitedata.unwrap().domains(), ["a.test"]);
    assert_eq!(examined.faults.len(), 6);
}
