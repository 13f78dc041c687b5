//! Doc comments as summary, details and help.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The lines of all doc comments, one leading space removed.
pub(crate) fn lines(attributes: &[Attribute]) -> Vec<String> {
    let mut lines = Vec::new();
    for attribute in attributes {
        let Meta::NameValue(pair) = &attribute.meta else {
            continue;
        };
        if !pair.path.is_ident("doc") {
            continue;
        }
        if let Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) = &pair.value
        {
            for line in text.value().split('\n') {
                lines.push(line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned());
            }
        }
    }
    lines
}

/// The first paragraph as one line, and the rest.
pub(crate) fn summary_and_details(attributes: &[Attribute]) -> (String, String) {
    let lines = lines(attributes);
    let first = lines
        .iter()
        .position(|line| !line.is_empty())
        .unwrap_or(lines.len());
    let text = lines.get(first..).unwrap_or_default();
    let end = text.iter().position(String::is_empty).unwrap_or(text.len());
    let summary = text
        .get(..end)
        .unwrap_or_default()
        .iter()
        .map(|line| line.trim())
        .collect::<Vec<_>>()
        .join(" ");
    let details = text.get(end..).unwrap_or_default().join("\n");
    (summary, details.trim().to_owned())
}

/// All of it as one line: help of an argument or a column.
pub(crate) fn one_line(attributes: &[Attribute]) -> String {
    lines(attributes)
        .iter()
        .map(|line| line.trim())
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::summary_and_details;
    use syn::parse_quote;

    #[test]
    fn the_first_paragraph_is_the_summary_and_the_rest_the_details() {
        let item: syn::ItemFn = parse_quote! {
            /// One paper
            /// by its identifier.
            ///
            /// Versions are kept.
            ///
            /// Old ones too.
            fn paper() {}
        };
        let (summary, details) = summary_and_details(&item.attrs);
        assert_eq!(summary, "One paper by its identifier.");
        assert_eq!(details, "Versions are kept.\n\nOld ones too.");
    }
}
