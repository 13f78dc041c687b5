//! Where in a JSON text a value stands.

use crate::json_scan::Scan;

/// Nesting that is walked; the documents themselves have smaller bounds.
const DEEPEST: usize = 120;

/// Byte offsets of the key and of the value at a pointer (RFC 6901). An element of a list has no
/// key: both are its own. Of a key given twice, the last one counts, as for the reader.
pub(crate) fn find(text: &str, pointer: &str) -> Option<(usize, usize)> {
    let mut scan = Scan::starting_at(text, 0, DEEPEST);
    scan.space();
    let mut found = (scan.at(), scan.at());
    if pointer.is_empty() {
        return Some(found);
    }
    for step in pointer.strip_prefix('/')?.split('/') {
        let step = step.replace("~1", "/").replace("~0", "~");
        found = match scan.peek()? {
            b'{' => member(&mut scan, &step)?,
            b'[' => element(&mut scan, step.parse().ok()?)?,
            _ => return None,
        };
        scan = Scan::starting_at(text, found.1, DEEPEST);
    }
    Some(found)
}

fn member(scan: &mut Scan<'_>, wanted: &str) -> Option<(usize, usize)> {
    let mut found = None;
    scan.take(b'{');
    loop {
        scan.space();
        let at = scan.at();
        if scan.peek()? != b'"' {
            return found;
        }
        let key = scan.string().ok()?;
        scan.space();
        if !scan.take(b':') {
            return found;
        }
        scan.space();
        if key == wanted {
            found = Some((at, scan.at()));
        }
        if !next(scan) {
            return found;
        }
    }
}

fn element(scan: &mut Scan<'_>, wanted: usize) -> Option<(usize, usize)> {
    scan.take(b'[');
    for _ in 0..wanted {
        if !next(scan) {
            return None;
        }
    }
    scan.space();
    (scan.peek()? != b']').then(|| (scan.at(), scan.at()))
}

/// Steps over a value and the comma behind it.
fn next(scan: &mut Scan<'_>) -> bool {
    if scan.value().is_err() {
        return false;
    }
    scan.space();
    scan.take(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, pointer: &str) -> Option<(String, String)> {
        let (key, value) = find(text, pointer)?;
        let word = |at: usize| text[at..].chars().take(3).collect::<String>();
        Some((word(key), word(value)))
    }

    #[test]
    fn a_value_is_found_with_its_key() {
        let text = r#" {"a": {"b/c": [10, {"m~n": 23}]}, "d": "x,]}"}"#;
        let pair = |key: &str, value: &str| Some((key.to_owned(), value.to_owned()));
        assert_eq!(at(text, ""), pair("{\"a", "{\"a"));
        assert_eq!(at(text, "/a"), pair("\"a\"", "{\"b"));
        assert_eq!(at(text, "/a/b~1c/0"), pair("10,", "10,"));
        assert_eq!(at(text, "/a/b~1c/1/m~0n"), pair("\"m~", "23}"));
        assert_eq!(at(text, "/d"), pair("\"d\"", "\"x,"));
        for none in ["/e", "/a/b~1c/2", "/d/x", "x", "/a/b~1c/x"] {
            assert_eq!(at(text, none), None, "{none}");
        }
    }

    #[test]
    fn of_a_key_given_twice_the_last_one_counts() {
        assert_eq!(find(r#"{"a": 1, "a": 2}"#, "/a"), Some((9, 14)));
    }
}
