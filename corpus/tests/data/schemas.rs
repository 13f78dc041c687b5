//! Schemas are sound, and every file fits its own.

use serde_json::{Value, json};
use sr_browsers::{
    BROWSERS_SCHEMA, CATALOG, CATALOG_SCHEMA, CORPUS, CORPUS_SCHEMA, PROTECTED, PROTECTED_SCHEMA,
};
use sr_browsers::{corpus, protected};

const BASE: &str = "https://sr-runtime.invalid/schema/";

/// A validator whose references between schemas resolve.
pub(crate) fn validator(schema: &str) -> jsonschema::Validator {
    let other: Value = serde_json::from_str(BROWSERS_SCHEMA).expect("JSON");
    let other = jsonschema::Resource::from_contents(other);
    let registry = jsonschema::Registry::new();
    let registry = registry.add(format!("{BASE}browsers.schema.json"), other);
    let registry = registry.expect("a resource").prepare().expect("a registry");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .with_base_uri(BASE)
        .with_registry(&registry)
        .should_validate_formats(true)
        .build(&schema)
        .expect("a schema")
}

fn faults(schema: &str, text: &str) -> Vec<String> {
    let value: Value = serde_json::from_str(text).expect("JSON");
    let validator = validator(schema);
    let errors = validator.iter_errors(&value);
    errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

#[test]
fn schemas_are_schemas() {
    for schema in [
        CATALOG_SCHEMA,
        BROWSERS_SCHEMA,
        CORPUS_SCHEMA,
        PROTECTED_SCHEMA,
    ] {
        let schema: Value = serde_json::from_str(schema).expect("JSON");
        let meta = jsonschema::draft202012::meta::validate(&schema);
        assert!(meta.is_ok(), "{}: {meta:?}", schema["$id"]);
    }
}

#[test]
fn the_texts_of_the_crate_are_what_its_functions_give() {
    let parsed = sr_browsers::Catalog::parse(CATALOG).expect("a catalog");
    assert_eq!(&parsed, sr_browsers::shared_catalog());
    let parsed: corpus::Corpus = serde_json::from_str(CORPUS).expect("a corpus");
    assert_eq!(parsed, corpus::corpus());
    let parsed: protected::Vectors = serde_json::from_str(PROTECTED).expect("vectors");
    assert_eq!(parsed, protected::vectors());
}

#[test]
fn the_catalog_fits_its_schema() {
    assert_eq!(faults(CATALOG_SCHEMA, CATALOG), [""; 0]);
}

#[test]
fn the_corpus_fits_its_schema() {
    assert_eq!(faults(CORPUS_SCHEMA, CORPUS), [""; 0]);
}

#[test]
fn the_vectors_fit_their_schema() {
    assert_eq!(faults(PROTECTED_SCHEMA, PROTECTED), [""; 0]);
}

/// Changes a document that fits, and expects the schema to refuse it.
fn assert_refuses(schema: &str, good: &Value, changes: &[(&str, Value)]) {
    let schema = validator(schema);
    assert!(schema.is_valid(good), "{good}");
    for (pointer, value) in changes {
        let mut changed = good.clone();
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        let parent = changed.pointer_mut(parent).expect("a parent");
        match parent {
            Value::Array(items) => items[key.parse::<usize>().expect("an index")] = value.clone(),
            parent => parent[key] = value.clone(),
        }
        assert!(!schema.is_valid(&changed), "accepted: {pointer} = {value}");
    }
}

fn report() -> Value {
    let endpoint = json!({"cdp": "http://127.0.0.1:41001", "webSocketDebuggerUrl": "ws://127.0.0.1:41001/d",
        "name": "X", "source": "flag", "sevenOpen": false, "sevenTabs": []});
    let open = json!({"cdp": "http://127.0.0.1:41002", "webSocketDebuggerUrl": "ws://127.0.0.1:41002/d",
        "name": "X", "source": "flag", "wsOnly": true, "sevenOpen": false, "sevenTabs": []});
    let installed = json!({"id": "x", "name": "X", "engine": "chromium", "path": "/x", "executable": "/x",
        "debugSupport": "supported"});
    json!({"schema": 1, "minChromium": 116, "entries": [
        {"id": "cdp:127.0.0.1:41001", "kind": "endpoint", "tier": 2, "name": "X", "endpoint": endpoint},
        {"id": "cdp:127.0.0.1:41002", "kind": "endpoint", "tier": 2, "name": "X", "endpoint": open},
        {"id": "x", "kind": "installed", "tier": 4, "name": "X", "installed": installed},
    ]})
}

#[test]
fn a_report_with_a_fault_is_refused() {
    let endpoint = &report()["entries"][0]["endpoint"];
    assert_refuses(
        BROWSERS_SCHEMA,
        &report(),
        &[
            ("/schema", json!(2)),
            ("/other", json!(1)),
            ("/entries/0/id", json!("127.0.0.1:41001")),
            ("/entries/0/kind", json!("installed")),
            ("/entries/0/tier", json!(3)),
            ("/entries/0/tier", json!(6)),
            (
                "/entries/0/installed",
                report()["entries"][2]["installed"].clone(),
            ),
            ("/entries/0/endpoint/six", json!(true)),
            ("/entries/0/endpoint/six", json!(false)),
            ("/entries/0/endpoint/wsOnly", json!(false)),
            ("/entries/0/endpoint/cdp", json!("HTTP://127.0.0.1:41001")),
            ("/entries/0/endpoint/cdp", json!("http://127.0.0.1:41001/")),
            ("/entries/0/endpoint/source", json!("guess")),
            ("/entries/0/endpoint/version", json!("")),
            ("/entries/0/endpoint/sevenTabs", json!([{"id": "A"}])),
            ("/entries/1/endpoint/product", json!("X/1")),
            ("/entries/1/endpoint/sevenOpen", json!(true)),
            ("/entries/2/id", json!("cdp:x")),
            ("/entries/2/tier", json!(2)),
            ("/entries/2/endpoint", endpoint.clone()),
            ("/entries/2/installed/via", json!("brew")),
            ("/entries/2/installed/debugBuild", json!(false)),
            ("/entries/2/installed/extra", json!(1)),
        ],
    );
}

#[test]
fn a_case_with_a_fault_is_refused() {
    let case = json!({"description": "x", "needs": ["flag", "six"], "auto": null, "cdp": ["41001"],
        "files": {"{home}/x": ""}, "http": {"127.0.0.1:41001": {"answer": "status", "status": 500}},
        "processes": [{"pid": 1, "command": "x"}, {"self": true, "argv": ["x"]}]});
    let expected = json!({"schema": 1, "minChromium": 116, "entries": []});
    let good = json!({"schema": 1, "cases": [{"name": "x", "case": case, "expected": expected}]});
    assert_refuses(
        CORPUS_SCHEMA,
        &good,
        &[
            ("/cases/0/name", json!("X_y")),
            ("/cases/0/expected/entries", json!([{}])),
            ("/cases/0/case/needs", json!([])),
            ("/cases/0/case/needs", json!(["flag"])),
            ("/cases/0/case/needs", json!(["flag", "six", "luck"])),
            ("/cases/0/case/os", json!(["beos"])),
            ("/cases/0/case/files", json!({"x/y": ""})),
            ("/cases/0/case/files", json!({"{nothing}/y": ""})),
            ("/cases/0/case/probePorts", json!([9225])),
            ("/cases/0/case/http", json!({"127.0.0.1:9225": {}})),
            (
                "/cases/0/case/http",
                json!({"127.0.0.1:1": {"answer": "status"}}),
            ),
            (
                "/cases/0/case/http",
                json!({"127.0.0.1:1": {"answer": "close", "status": 500}}),
            ),
            (
                "/cases/0/case/http",
                json!({"127.0.0.1:1": {"status": 500}}),
            ),
            (
                "/cases/0/case/http",
                json!({"127.0.0.1:1": {"answer": "maybe"}}),
            ),
            ("/cases/0/case/processes/0", json!({"pid": 1})),
            ("/cases/0/case/processes/0", json!({"command": "x"})),
            (
                "/cases/0/case/processes/0",
                json!({"pid": 1, "command": "x", "argv": ["x"]}),
            ),
            ("/cases/0/case/links", json!({"{home}/a": "{home}/b"})),
            ("/cases/0/case/machine", json!({"which": {"x": "/x"}})),
            ("/cases/0/case/options", json!({"argv": true})),
            ("/cases/0/case/installed", json!([])),
            ("/cases/0/case/other", json!(1)),
        ],
    );
}

#[test]
fn a_catalog_with_a_fault_is_refused() {
    let good: Value = serde_json::from_str(CATALOG).expect("JSON");
    assert_refuses(
        CATALOG_SCHEMA,
        &good,
        &[
            ("/schema", json!(2)),
            ("/other", json!(1)),
            ("/browsers/0/channel", json!("weekly")),
            ("/browsers/0/macos/app", json!("Google Chrome")),
            ("/browsers/0/macos/dataDir", json!(["Google/Chrome"])),
            ("/browsers/0/linux/snapDataDir", json!(["x"])),
            ("/browsers/0/windows/roots", json!([])),
            ("/platforms/linux/config", json!({"env": "X"})),
            (
                "/platforms/linux/config",
                json!({"home": ["x"], "absolute": "/x"}),
            ),
            ("/rank/tiers/six", json!(7)),
            ("/discovery/chromeMajorPattern", json!("(")),
            ("/discovery/probePorts", json!([0])),
            ("/protectedOrigins/domains", json!([])),
            ("/protectedOrigins/schemes", json!(["HTTPS"])),
            ("/protectedOrigins/unparseable", json!("allowed")),
            ("/launch/electron/portFlag", json!("--port=1")),
        ],
    );
}

#[test]
fn vectors_with_a_fault_are_refused() {
    let good: Value = serde_json::from_str(PROTECTED).expect("JSON");
    assert_refuses(
        PROTECTED_SCHEMA,
        &good,
        &[
            ("/schema", json!(2)),
            ("/urls/0", json!({"url": "x"})),
            ("/urls/0/protected", json!("yes")),
            ("/targets/0/opener", json!("somebody")),
            ("/targets/0/documentUrl", json!("x")),
            ("/cookieDomains/0/url", json!("x")),
            ("/storageKeys/0/key", json!(1)),
        ],
    );
}
