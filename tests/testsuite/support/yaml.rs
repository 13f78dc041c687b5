//! YAML, read by a parser that this project did not write.

use saphyr::{LoadableYamlNode, ScalarOwned, YamlOwned};
use serde_json::{Map, Value, json};

/// The documents of a text.
#[track_caller]
pub(crate) fn read_yaml(text: &str) -> Vec<Value> {
    let documents =
        YamlOwned::load_from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    documents.iter().map(value).collect()
}

fn value(node: &YamlOwned) -> Value {
    match node {
        YamlOwned::Value(ScalarOwned::Null) => Value::Null,
        YamlOwned::Value(ScalarOwned::Boolean(flag)) => json!(flag),
        YamlOwned::Value(ScalarOwned::Integer(number)) => json!(number),
        YamlOwned::Value(ScalarOwned::FloatingPoint(number)) => json!(number.into_inner()),
        YamlOwned::Value(ScalarOwned::String(text)) => json!(text),
        YamlOwned::Sequence(items) => items.iter().map(value).collect(),
        YamlOwned::Mapping(map) => map
            .iter()
            .map(|(key, item)| (value(key).as_str().unwrap().to_owned(), value(item)))
            .collect::<Map<_, _>>()
            .into(),
        other => panic!("no JSON value: {other:?}"),
    }
}
