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
    let terms: Vec<String> = text
        .split('"')
        .enumerate()
        .flat_map(|(at, part)| {
            let quoted = at % 2 == 1;
            let words: Vec<String> = if quoted {
                let phrase = part.split_whitespace().collect::<Vec<_>>().join(" ");
                vec![phrase]
            } else {
                part.split_whitespace().map(str::to_owned).collect()
            };
            words
                .into_iter()
                .filter(|word| !word.is_empty())
                .map(move |word| match quoted {
                    true => ["all:\"", &word, "\""].concat(),
                    false => ["all:", &word].concat(),
                })
        })
        .collect();
    if terms.is_empty() {
        return Err(failure::invalid("query", "empty: write what to look for"));
    }
    Ok(terms.join(" AND "))
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
