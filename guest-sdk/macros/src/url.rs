//! `url!`: fixed text and percent-encoded values.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Error, Expr, LitStr, Result};

enum Piece {
    Text(String),
    Value(Expr),
}

pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    let literal: LitStr = syn::parse2(input)?;
    let pieces = pieces(&literal)?;
    let mut calls = Vec::new();
    let mut in_query = false;
    for piece in &pieces {
        match piece {
            Piece::Text(text) => {
                in_query |= text.contains(['?', '#']);
                calls.push(quote!(url.text(#text);));
            }
            Piece::Value(value) if in_query => {
                calls.push(quote_spanned!(literal.span()=> url.query_value(&(#value));));
            }
            Piece::Value(value) => {
                calls.push(quote_spanned!(literal.span()=> url.path_value(&(#value));));
            }
        }
    }
    Ok(quote! {{
        let mut url = ::sr_guest::url::UrlBuilder::new();
        #(#calls)*
        url.finish()
    }})
}

fn pieces(literal: &LitStr) -> Result<Vec<Piece>> {
    let text = literal.value();
    let refuse = |message: String| Error::new(literal.span(), message);
    let authority_at = ["https://", "http://"]
        .iter()
        .find(|scheme| text.starts_with(**scheme))
        .map(|scheme| scheme.len())
        .ok_or_else(|| {
            refuse(format!(
                "url `{text}` does not start with https:// or http://: scheme and host are fixed text, \
                 so that a value cannot choose where a request goes"
            ))
        })?;
    let after = text.get(authority_at..).unwrap_or_default();
    let authority = after
        .find(['/', '?', '#'])
        .map_or(after, |end| after.get(..end).unwrap_or_default());
    if authority.contains(['{', '}']) {
        return Err(refuse(format!(
            "url `{text}` has a value in its host: scheme, host and port are fixed text; \
             put values after the first `/`, and write one command or branch per host"
        )));
    }
    if authority.is_empty() || authority.contains('@') {
        return Err(refuse(format!(
            "url `{text}` needs a host and no user name before it"
        )));
    }
    split(&text, literal)
}

fn split(text: &str, literal: &LitStr) -> Result<Vec<Piece>> {
    let refuse = |message: String| Error::new(literal.span(), message);
    let mut pieces = Vec::new();
    let mut fixed = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        match letter {
            '{' => {
                let end = rest
                    .find('}')
                    .ok_or_else(|| refuse("url has a `{` without its `}`".to_owned()))?;
                let source = rest.get(..end).unwrap_or_default();
                let value = syn::parse_str::<Expr>(source).map_err(|_| {
                    refuse(format!(
                        "url value `{{{source}}}` is not an expression: write a name, a field or a call; \
                         format specifications are not known here"
                    ))
                })?;
                pieces.push(Piece::Text(std::mem::take(&mut fixed)));
                pieces.push(Piece::Value(respan(value, literal)?));
                rest = rest.get(end + 1..).unwrap_or_default();
            }
            '}' => return Err(refuse("url has a `}` without its `{`".to_owned())),
            _ if letter.is_ascii_graphic() && !"\"<>\\^`|".contains(letter) => fixed.push(letter),
            _ => {
                return Err(refuse(format!(
                    "url has a character that must be percent-encoded in fixed text: {letter:?}"
                )));
            }
        }
    }
    pieces.push(Piece::Text(fixed));
    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
    Ok(pieces)
}

/// Names inside the literal resolve, and are reported, where the literal stands.
fn respan(value: Expr, literal: &LitStr) -> Result<Expr> {
    fn walk(tokens: TokenStream, literal: &LitStr) -> TokenStream {
        tokens
            .into_iter()
            .map(|mut token| {
                if let proc_macro2::TokenTree::Group(group) = &token {
                    let inner = walk(group.stream(), literal);
                    token = proc_macro2::Group::new(group.delimiter(), inner).into();
                }
                token.set_span(literal.span());
                token
            })
            .collect()
    }
    syn::parse2(walk(quote!(#value), literal))
}

#[cfg(test)]
mod tests {
    use super::expand;
    use quote::quote;

    #[test]
    fn values_before_the_question_mark_are_path_values_and_after_it_query_values() {
        let code = expand(quote!("https://a.example/p/{id}?q={query.text}"))
            .unwrap()
            .to_string();
        assert!(code.contains("path_value (& (id))"), "{code}");
        assert!(code.contains("query_value (& (query . text))"), "{code}");
    }

    #[test]
    fn a_value_in_the_host_or_a_broken_text_does_not_compile() {
        for (tokens, says) in [
            (quote!("https://{host}/"), "host and port are fixed text"),
            (
                quote!("https://a.example:{port}/"),
                "host and port are fixed text",
            ),
            (quote!("{base}/x"), "does not start with https://"),
            (quote!("ftp://a.example/"), "does not start with https://"),
            (quote!("https:///x"), "needs a host"),
            (quote!("https://me@a.example/"), "no user name"),
            (quote!("https://a.example/{id"), "without its `}`"),
            (quote!("https://a.example/}"), "without its `{`"),
            (quote!("https://a.example/{id:02}"), "format specifications"),
            (quote!("https://a.example/a b"), "percent-encoded"),
        ] {
            let error = expand(tokens.clone()).unwrap_err().to_string();
            assert!(error.contains(says), "{tokens}: {error}");
        }
    }
}
