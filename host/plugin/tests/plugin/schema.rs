//! The published schema and the parser agree.

use serde_json::{Value, json};

use crate::support::{Folder, manifest, manifest_with};

const SCHEMA: &str = include_str!("../../schema/sr-plugin.schema.json");

fn good() -> Vec<Value> {
    let mut posts = manifest_with(
        "posts",
        json!([
            "https://demo.example.com/search",
            "https://demo.example.com"
        ]),
    );
    posts["capabilities"] = json!(["fetch", "posts"]);
    vec![
        manifest(),
        manifest_with("description", Value::Null),
        manifest_with("domains", Value::Null),
        manifest_with("capabilities", Value::Null),
        manifest_with(
            "domains",
            json!([
                "*.example.com",
                "xn--bcher-kva.example",
                "a-b.c1.example.com"
            ]),
        ),
        manifest_with(
            "capabilities",
            json!([
                "fetch",
                "sitedata",
                "browser",
                "browser.eval",
                "browser.cookies",
                "vault",
                "errand"
            ]),
        ),
        manifest_with("sitedata", json!("sitedata.json")),
        manifest_with("sitedata", json!({"path": "sitedata.json"})),
        manifest_with(
            "sitedata",
            json!({"path": "sitedata.json", "update_url": "https://demo.example.com/s.json?v=1"}),
        ),
        manifest_with("access", json!("yellow")),
        manifest_with("world", json!("sr:runtime/adapter@0.1.12")),
        manifest_with("version", json!("2026.10.02-rc1+b5")),
        posts,
    ]
}

fn bad() -> Vec<Value> {
    let mut bad = vec![json!([]), json!({}), json!("x"), json!(null)];
    for key in ["name", "version", "world", "component"] {
        bad.push(manifest_with(key, Value::Null));
    }
    for (key, values) in [
        (
            "name",
            vec![
                json!(""),
                json!("Sr"),
                json!("a b"),
                json!("1a"),
                json!("a/b"),
                json!("a".repeat(65)),
                json!(1),
            ],
        ),
        (
            "version",
            vec![json!(""), json!("1 0"), json!(1), json!("1".repeat(65))],
        ),
        ("description", vec![json!("x".repeat(501)), json!(1)]),
        (
            "world",
            vec![
                json!("sr:runtime/adapter@0.2.0"),
                json!("adapter"),
                json!("sr:runtime/adapter@0.1.01"),
                json!(1),
            ],
        ),
        (
            "component",
            vec![
                json!(""),
                json!("/a"),
                json!("../a"),
                json!("a/../b"),
                json!("./a"),
                json!("a//b"),
                json!("a/"),
                json!("a\\b"),
                json!("a:b"),
                json!("target/a"),
                json!("a/.git/b"),
                json!("node_modules"),
                json!("a.log"),
                json!("a.log/b"),
                json!("a\tb"),
                json!("a".repeat(256)),
                json!(1),
            ],
        ),
        (
            "domains",
            vec![
                json!("a.com"),
                json!([1]),
                json!(["a.com", "a.com"]),
                json!([""]),
                json!(["https://a.com"]),
                json!(["a.com:80"]),
                json!(["a.com/"]),
                json!(["*"]),
                json!(["a.*.com"]),
                json!(["*.*.a.com"]),
                json!(["www*.com"]),
                json!(["127.0.0.1"]),
                json!(["2130706433"]),
                json!(["0x7f.0.0.1"]),
                json!(["[::1]"]),
                json!(["localhost"]),
                json!(["*.localhost"]),
                json!(["a..com"]),
                json!(["-a.com"]),
                json!(["a_b.com"]),
                json!(["A.com"]),
                json!(["a.com."]),
                json!(["b\u{fc}cher.example"]),
                json!([" a.com"]),
            ],
        ),
        (
            "posts",
            vec![
                json!(["https://demo.example.com/search"]),
                json!("x"),
                json!([1]),
            ],
        ),
        (
            "capabilities",
            vec![
                json!(["sockets"]),
                json!("fetch"),
                json!(["fetch", "fetch"]),
            ],
        ),
        (
            "sitedata",
            vec![
                json!(1),
                json!({}),
                json!("../s.json"),
                json!({"path": "sitedata.json", "url": "https://a.com/"}),
                json!({"path": "sitedata.json", "update_url": "http://a.com/"}),
                json!({"path": "sitedata.json", "update_url": "https://me@a.com/"}),
            ],
        ),
        ("access", vec![json!("blue"), json!(1)]),
        ("hooks", vec![json!({})]),
    ] {
        bad.extend(values.into_iter().map(|value| manifest_with(key, value)));
    }
    for url in [
        "http://demo.example.com/",
        "https://demo.example.com/?q",
        "https://demo.example.com/#q",
        "https://me@demo.example.com/",
        "/search",
    ] {
        let mut manifest = manifest_with("posts", json!([url]));
        manifest["capabilities"] = json!(["fetch", "posts"]);
        bad.push(manifest);
    }
    bad
}

fn parser_accepts(manifest: &Value) -> bool {
    let folder = Folder::with_manifest(manifest);
    folder.write("sitedata.json", r#"{"version": "1"}"#);
    folder.read().is_ok()
}

#[test]
fn schema_and_parser_agree_on_good_and_bad_manifests() {
    let schema = serde_json::from_str(SCHEMA).unwrap();
    let schema = jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .build(&schema)
        .unwrap();
    for (manifests, accepted) in [(good(), true), (bad(), false)] {
        for manifest in manifests {
            assert_eq!(schema.is_valid(&manifest), accepted, "schema: {manifest}");
            assert_eq!(parser_accepts(&manifest), accepted, "parser: {manifest}");
        }
    }
}

#[test]
fn the_schema_is_a_valid_schema_of_its_draft() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    assert!(jsonschema::draft202012::meta::is_valid(&schema));
}
