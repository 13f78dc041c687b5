//! Every value of a JSON document with its pointer.

use serde_json::Value;

/// Calls `visit` with the pointer, the key and the value of everything below `value`, in order.
/// The parser has bounded the nesting. An element of a list has its list's key.
pub(super) fn walk<'v>(value: &'v Value, visit: &mut dyn FnMut(&str, &'v str, &'v Value)) {
    below(value, "", "", visit);
}

/// The same below a value that stands at a pointer.
pub(super) fn below<'v>(
    value: &'v Value,
    at: &str,
    key: &'v str,
    visit: &mut dyn FnMut(&str, &'v str, &'v Value),
) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let at = step(at, key);
                visit(&at, key, value);
                below(value, &at, key, visit);
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                let at = format!("{at}/{index}");
                visit(&at, key, value);
                below(value, &at, key, visit);
            }
        }
        _ => {}
    }
}

/// The pointer of a key.
pub(super) fn step(at: &str, key: &str) -> String {
    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_value_is_visited_with_the_pointer_that_finds_it() {
        let document = json!({"a/b": [{"~": 1}, 2], "c": {"d": null}});
        let mut seen = 0;
        walk(&document, &mut |pointer, _, value| {
            assert_eq!(document.pointer(pointer), Some(value), "{pointer}");
            seen += 1;
        });
        assert_eq!(seen, 6);
    }
}
