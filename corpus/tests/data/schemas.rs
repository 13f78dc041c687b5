//! Schemas are sound, and every file fits its own.

use serde_json::Value;
use sr_browsers::{
    BROWSERS_SCHEMA, CATALOG, CATALOG_SCHEMA, CORPUS, CORPUS_SCHEMA, PROTECTED, PROTECTED_SCHEMA,
};

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
