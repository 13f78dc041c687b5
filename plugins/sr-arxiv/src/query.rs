//! What a person types, as arXiv's query language.

use sr_guest::{Result, failure};

/// Field prefixes of arXiv's query language.
const FIELDS: &[&str] = &["ti", "au", "abs", "co", "jr", "cat", "rn", "id", "all"];

/// A query that names fields goes as it is; plain words and "quoted phrases" must all occur.
pub(crate) fn expression(text: &str) -> Result<String> {
    let text = text.trim();
    if names_fields(text) {
        return Ok(text.to_owned());
    }
    let mut query = String::new();
    for (at, part) in text.split('"').enumerate() {
        if at % 2 == 1 {
            let phrase = part.split_whitespace().collect::<Vec<_>>();
            add(&mut query, &phrase, "\"");
        } else {
            for word in part.split_whitespace() {
                add(&mut query, &[word], "");
            }
        }
    }
    if query.is_empty() {
        return Err(failure::invalid("query", "empty: write what to look for"));
    }
    Ok(query)
}

/// One more term that must occur: its words between two marks.
fn add(query: &mut String, words: &[&str], mark: &str) {
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            query.push(' ');
        } else {
            query.push_str(if query.is_empty() { "" } else { " AND " });
            query.push_str("all:");
            query.push_str(mark);
        }
        query.push_str(word);
    }
    query.push_str(if words.is_empty() { "" } else { mark });
}

fn names_fields(text: &str) -> bool {
    text.split(|letter: char| letter.is_whitespace() || letter == '(')
        .filter_map(|word| word.split_once(':'))
        .any(|(field, rest)| FIELDS.contains(&field) && !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::expression;

    #[test]
    fn plain_words_and_phrases_must_all_occur() {
        for (text, query) in [
            ("attention", "all:attention"),
            (" graph  attention ", "all:graph AND all:attention"),
            (
                "\"graph attention\" layers",
                "all:\"graph attention\" AND all:layers",
            ),
            ("ti:attention AND cat:cs.CL", "ti:attention AND cat:cs.CL"),
            ("(au:vaswani)", "(au:vaswani)"),
            ("note: attention", "all:note: AND all:attention"),
        ] {
            assert_eq!(expression(text).as_deref(), Ok(query), "{text}");
        }
    }

    #[test]
    fn an_empty_query_is_invalid() {
        for text in ["", "  ", "\"\"", "\" \""] {
            assert!(expression(text).is_err(), "{text:?}");
        }
    }
}
