//! The manifest: every key, and what is said about a wrong one.

use serde_json::{Value, json};
use sr_plugin::{AccessClass, Manifest};
use sr_policy::capability::Capability;

use crate::support::{manifest, manifest_with};

fn parse(manifest: &Value) -> Result<Manifest, String> {
    Manifest::parse(manifest.to_string().as_bytes()).map_err(|error| error.to_string())
}

fn refusal(manifest: &Value) -> String {
    parse(manifest).expect_err("must be refused")
}

#[test]
fn every_key_is_kept() {
    let mut full = manifest_with("posts", json!(["https://demo.example.com/search"]));
    full["capabilities"] = json!(["fetch", "posts", "browser.eval"]);
    full["sitedata"] = json!({"path": "data/sitedata.json", "update_url": "https://demo.example.com/sitedata.json"});
    full["access"] = json!("green");
    let manifest = parse(&full).unwrap();
    assert_eq!(manifest.name.as_str(), "sr-demo");
    assert_eq!(manifest.version, "1.0.0");
    assert_eq!(manifest.description.raw(), "A demo.");
    assert_eq!(manifest.world.as_str(), "sr:runtime/adapter@0.1.0");
    assert_eq!(manifest.component.as_str(), "component.wasm");
    assert_eq!(
        manifest.capabilities,
        [
            Capability::Fetch,
            Capability::Posts,
            Capability::BrowserEval
        ]
    );
    let sitedata = manifest.sitedata.unwrap();
    assert_eq!(sitedata.path.as_str(), "data/sitedata.json");
    assert_eq!(
        sitedata.update_url.unwrap().as_str(),
        "https://demo.example.com/sitedata.json"
    );
    assert_eq!(manifest.access, AccessClass::Green);
}

#[test]
fn a_plugin_that_says_nothing_about_access_never_gets_the_vault() {
    assert_eq!(parse(&manifest()).unwrap().access, AccessClass::Red);
}

#[test]
fn an_unknown_key_is_refused_with_the_key_that_was_meant() {
    for (key, says) in [
        (
            "domain",
            ": unknown key (did you mean \"domains\"?): \"domain\"",
        ),
        ("hooks", ": unknown key: \"hooks\""),
    ] {
        let message = refusal(&manifest_with(key, json!([])));
        assert!(
            message.starts_with("sr-plugin.json: line 1, column ") && message.ends_with(says),
            "{message}"
        );
    }
    let message = refusal(&manifest_with(
        "sitedata",
        json!({"path": "s.json", "update-url": "https://a.com/"}),
    ));
    assert!(message.contains("did you mean \"update_url\""), "{message}");
}

#[test]
fn a_missing_key_is_named() {
    for key in ["name", "version", "world", "component"] {
        let message = refusal(&manifest_with(key, Value::Null));
        assert_eq!(
            message,
            format!("sr-plugin.json: a key is missing: \"{key}\"")
        );
    }
}

#[test]
fn a_world_that_is_not_served_says_what_is_needed() {
    for (world, says) in [
        ("sr:runtime/adapter@0.2.0", "needs a newer sr-runtime"),
        ("sr:runtime/adapter@1.0.0", "needs a newer sr-runtime"),
        ("sr:runtime/adapter@0.0.9", "rebuild it"),
        ("sr:runtime/errand-runner@0.1.0", "not for this world"),
        ("sr:runtime/adapter", "not a world"),
        ("sr:runtime/adapter@0.1", "not a world"),
        ("sr:runtime/adapter@0.1.0-rc1", "not a world"),
        ("sr:runtime/adapter@0.01.0", "not a world"),
        ("", "not a world"),
    ] {
        let message = refusal(&manifest_with("world", json!(world)));
        assert!(
            message.starts_with("sr-plugin.json: line 1, column ")
                && message.contains(": world: ")
                && message.contains(says),
            "{message}"
        );
        assert!(message.contains("sr:runtime/adapter@0.1"), "{message}");
    }
    parse(&manifest_with("world", json!("sr:runtime/adapter@0.1.7"))).unwrap();
}

#[test]
fn a_path_stays_inside_the_package() {
    for path in [
        "",
        "/etc/passwd",
        "../x.wasm",
        "a/../x.wasm",
        "./x.wasm",
        "a//x.wasm",
        "a/",
        "a\\x.wasm",
        "C:x.wasm",
        "a\nb",
        "a\u{202e}b",
        "sr-plugin.json",
        "sr-plugin.json/x.wasm",
    ] {
        for key in ["component", "sitedata"] {
            let message = refusal(&manifest_with(key, json!(path)));
            assert!(message.contains(&format!(": {key}: ")), "{message}");
            assert!(message.is_ascii() && !message.contains('\n'), "{message:?}");
        }
    }
    refusal(&manifest_with("component", json!("a".repeat(256))));
}

#[test]
fn an_update_url_is_https_without_user_name() {
    for url in [
        "http://a.com/s.json",
        "https://me:pw@a.com/s.json",
        "s.json",
        "file:///s.json",
    ] {
        let message = refusal(&manifest_with(
            "sitedata",
            json!({"path": "s.json", "update_url": url}),
        ));
        assert!(
            message.contains("sitedata.update_url") && message.contains("https"),
            "{message}"
        );
    }
}

#[test]
fn an_entry_listed_twice_is_refused() {
    assert!(
        refusal(&manifest_with("domains", json!(["a.com", "a.com"])))
            .contains("domains: listed twice: \"a.com\"")
    );
    assert!(
        refusal(&manifest_with("capabilities", json!(["fetch", "fetch"])))
            .contains("capabilities: listed twice")
    );
}

#[test]
fn posts_need_the_capability_a_person_is_shown() {
    let message = refusal(&manifest_with(
        "posts",
        json!(["https://demo.example.com/search"]),
    ));
    assert!(
        message.contains("\"capabilities\": [\"fetch\", \"posts\"]"),
        "{message}"
    );
}

#[test]
fn values_of_the_wrong_kind_are_refused_with_their_place() {
    for (key, value) in [
        ("name", json!(7)),
        ("version", json!(1)),
        ("domains", json!("a.com")),
        ("domains", json!([1])),
        ("capabilities", json!(["sockets"])),
        ("access", json!("blue")),
        ("description", json!(["a"])),
        ("world", json!({})),
    ] {
        let message = refusal(&manifest_with(key, value));
        assert!(
            message.starts_with("sr-plugin.json: line 1, column "),
            "{message}"
        );
    }
    for value in [
        json!(1),
        json!([]),
        json!({"update_url": "https://a.com/"}),
        json!({"path": 1}),
    ] {
        assert!(refusal(&manifest_with("sitedata", value)).contains("path"));
    }
}

#[test]
fn lists_and_texts_are_bounded() {
    let many: Vec<String> = (0..201).map(|number| format!("a{number}.com")).collect();
    assert!(
        refusal(&manifest_with("domains", json!(many))).contains("at most 200 entries, found: 201")
    );
    assert!(refusal(&manifest_with("description", json!("x".repeat(501)))).contains("found: 501"));
    for version in ["", "1 0", "1\n", &"1".repeat(65)] {
        assert!(
            refusal(&manifest_with("version", json!(version))).contains("version: "),
            "{version}"
        );
    }
}

#[test]
fn every_fault_is_named_not_only_the_first() {
    let text = r#"{
  "name": "Demo",
  "versoin": "1",
  "world": "sr:runtime/adapter@9.0.0",
  "component": "../x.wasm",
  "domains": "a.com",
  "capabilities": ["fetc", "fetch", "fetch"],
  "access": "gren",
  "access": "blue"
}"#;
    let message = Manifest::parse(text.as_bytes()).unwrap_err().to_string();
    for says in [
        "line 9, column 3: duplicate key: access",
        "line 3, column 3: unknown key (did you mean \"version\"?): \"versoin\"",
        "line 2, column 11: name: not a plugin name",
        "a key is missing: \"version\"",
        "line 4, column 12: world: this plugin needs a newer sr-runtime",
        "line 5, column 16: component: a path must stay inside",
        "line 6, column 14: domains: must be a list of texts, found: a text",
        "line 7, column 20: capabilities: there is no capability \"fetc\" (did you mean \"fetch\"?); there are: fetch, posts,",
        "line 7, column 37: capabilities: listed twice: \"fetch\"",
        "line 9, column 13: access: one of green, yellow, red: \"blue\"",
    ] {
        assert!(message.contains(says), "{says}\n--\n{message}");
    }
    assert_eq!(message.lines().count(), 10, "{message}");
}

#[test]
fn a_manifest_of_nothing_but_faults_is_told_in_bounded_time() {
    let keys: String = (0..6_000).map(|key| format!("\"k{key}\":0,")).collect();
    let text = format!("{{{keys}\"k\":0}}");
    let faults = Manifest::parse(text.as_bytes()).unwrap_err();
    assert_eq!(faults.0.len(), 100);
}
