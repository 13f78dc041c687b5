//! The size of a component. The same source gives the same bytes, so a limit is a test.

use std::fs;

use serde_json::Value;

use crate::support::root;

/// Bytes of a component that does nothing but fetch: what the project promises.
const FETCH_ONLY: u64 = 100_000;

#[test]
fn a_plugin_that_only_fetches_has_at_most_100_kilobytes() {
    let mut sizes = Vec::new();
    for plugin in fs::read_dir(root().join("plugins")).unwrap() {
        let source = plugin.unwrap().path().join("plugin/sr-plugin.json");
        let manifest: Value = serde_json::from_slice(&fs::read(&source).unwrap()).unwrap();
        let capabilities = manifest["capabilities"].as_array().unwrap();
        if capabilities.iter().any(|capability| capability != "fetch") {
            continue;
        }
        let text = |key: &str| manifest[key].as_str().unwrap();
        let component = root()
            .join("dist")
            .join(text("name"))
            .join(text("component"));
        let built = fs::metadata(&component).unwrap_or_else(|error| {
            panic!("{}: {error}; run `cargo xtask guests`", component.display())
        });
        sizes.push((text("name").to_owned(), built.len()));
    }
    println!("{sizes:?}");
    assert!(!sizes.is_empty());
    for (name, size) in sizes {
        assert!(size <= FETCH_ONLY, "{name}: {size} bytes");
    }
}
