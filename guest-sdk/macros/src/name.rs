//! Names of commands, arguments and columns.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{Error, Ident, LitStr, Result};

/// A Rust name in kebab case: `order_number` and `OrderNumber` are both `order-number`.
pub(crate) fn kebab(ident: &Ident) -> String {
    let text = ident.unraw().to_string();
    let mut name = String::with_capacity(text.len() + 4);
    for (at, letter) in text.trim_matches('_').chars().enumerate() {
        if letter == '_' {
            name.push('-');
        } else if letter.is_ascii_uppercase() {
            if at > 0 && !name.ends_with('-') {
                name.push('-');
            }
            name.push(letter.to_ascii_lowercase());
        } else {
            name.push(letter);
        }
    }
    name
}

/// The name given in an attribute, or the Rust name; checked against the contract's pattern.
pub(crate) fn checked(what: &str, given: Option<&LitStr>, ident: &Ident) -> Result<String> {
    let (name, span) = match given {
        Some(literal) => (literal.value(), literal.span()),
        None => (kebab(ident), ident.span()),
    };
    check(what, &name, span)?;
    Ok(name)
}

/// `[a-z][a-z0-9-]{0,63}`, the pattern of the contract (WIT naming rules).
pub(crate) fn check(what: &str, name: &str, span: Span) -> Result<()> {
    let mut letters = name.chars();
    let first = letters
        .next()
        .is_some_and(|letter| letter.is_ascii_lowercase());
    let rest = letters
        .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-');
    if first && rest && name.len() <= 64 {
        return Ok(());
    }
    Err(Error::new(
        span,
        format!(
            "{what} name `{name}` is not accepted: a name is 1 to 64 of a-z, 0-9 and -, and starts with a letter; \
             give another one with `name = \"…\"`"
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::{check, kebab};
    use proc_macro2::Span;
    use quote::format_ident;

    #[test]
    fn rust_names_become_kebab_case() {
        for (rust, name) in [
            ("order_number", "order-number"),
            ("OrderNumber", "order-number"),
            ("r#type", "type"),
            ("_private", "private"),
            ("page2", "page2"),
        ] {
            let ident = rust.strip_prefix("r#").map_or_else(
                || format_ident!("{rust}"),
                |raw| syn::Ident::new_raw(raw, Span::call_site()),
            );
            assert_eq!(kebab(&ident), name);
        }
    }

    #[test]
    fn names_outside_the_pattern_are_refused() {
        for name in ["", "-a", "1a", "A", "a b", "über", &"a".repeat(65)] {
            assert!(check("command", name, Span::call_site()).is_err(), "{name}");
        }
        assert!(check("command", &"a".repeat(64), Span::call_site()).is_ok());
    }
}
