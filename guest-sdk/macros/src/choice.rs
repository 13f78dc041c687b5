//! `#[derive(Choice)]`: an enum as an argument.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result};

use crate::name;

pub(crate) fn expand(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(
            &input.ident,
            "Choice is derived for an enum: one variant per word",
        ));
    };
    if data.variants.is_empty() {
        return Err(Error::new_spanned(
            &input.ident,
            "a choice needs at least one variant",
        ));
    }
    let mut idents = Vec::new();
    let mut words = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(Error::new_spanned(
                variant,
                "a choice is one word: this variant must have no fields",
            ));
        }
        words.push(name::kebab(&variant.ident));
        idents.push(&variant.ident);
    }
    let ty = &input.ident;
    Ok(quote! {
        impl #ty {
            /// The word a person types for it.
            #[allow(dead_code, reason = "not every plugin prints its choices")]
            fn word(&self) -> &'static str {
                match self {
                    #(Self::#idents => #words,)*
                }
            }
        }

        impl ::sr_guest::ArgValue for #ty {
            const KIND: ::sr_guest::spec::KindSpec = ::sr_guest::spec::KindSpec::Choice(&[#(#words),*]);
            fn from_cell(
                cell: ::sr_guest::Cell,
            ) -> ::core::result::Result<Self, &'static str> {
                let word = <::std::string::String as ::sr_guest::ArgValue>::from_cell(cell)?;
                match word.as_str() {
                    #(#words => ::core::result::Result::Ok(Self::#idents),)*
                    _ => ::core::result::Result::Err("not one of the accepted words"),
                }
            }
        }

        impl ::sr_guest::url::UrlValue for #ty {
            fn write_to(&self, out: &mut dyn FnMut(&str)) {
                out(self.word());
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::expand;
    use quote::quote;

    #[test]
    fn only_enums_of_plain_variants_are_choices() {
        for (tokens, says) in [
            (
                quote!(
                    struct Sort {}
                ),
                "for an enum",
            ),
            (
                quote!(
                    enum Sort {}
                ),
                "at least one variant",
            ),
            (
                quote!(
                    enum Sort {
                        By(String),
                    }
                ),
                "no fields",
            ),
        ] {
            let error = expand(tokens).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
