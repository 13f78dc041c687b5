//! `#[derive(Row)]`: a struct as a row of named columns.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Fields, Ident, LitStr, Result, Type};

use crate::{documentation, name};

struct ColumnField<'a> {
    ident: &'a Ident,
    ty: &'a Type,
    name: String,
    help: String,
    kind: Option<Ident>,
}

pub(crate) fn expand(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let columns = fields(&input)?;
    let ty = &input.ident;
    let specs = columns.iter().map(spec);
    let idents: Vec<_> = columns.iter().map(|column| column.ident).collect();
    let kinds = columns.iter().map(kind);
    let froms = columns.iter().map(|column| {
        let ident = column.ident;
        quote!(#ident: cells.next_value()?)
    });
    Ok(quote! {
        impl ::sr_guest::Row for #ty {
            const COLUMNS: &'static [::sr_guest::spec::ColumnSpec] = &[#(#specs),*];

            fn into_cells(self) -> ::std::vec::Vec<::sr_guest::Cell> {
                ::std::vec![#(
                    ::sr_guest::value::in_column(
                        ::sr_guest::ColumnValue::into_cell(self.#idents),
                        #kinds,
                    )
                ),*]
            }

            fn from_cells(
                cells: &mut ::sr_guest::grid::GridRow<'_>,
            ) -> ::sr_guest::Result<Self> {
                ::core::result::Result::Ok(Self { #(#froms),* })
            }
        }
    })
}

fn fields(input: &DeriveInput) -> Result<Vec<ColumnField<'_>>> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(
            &input.ident,
            "Row is derived for a struct: one field per column",
        ));
    };
    let Fields::Named(named) = &data.fields else {
        return Err(Error::new_spanned(
            &input.ident,
            "a row needs named fields: the names are the columns",
        ));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(
            &input.generics,
            "a row has no type parameters or lifetimes: its columns are fixed",
        ));
    }
    let columns = named.named.iter().map(field).collect::<Result<Vec<_>>>()?;
    if columns.is_empty() || columns.len() > 64 {
        return Err(Error::new_spanned(
            &input.ident,
            format!("a row has 1 to 64 columns, this one has {}", columns.len()),
        ));
    }
    for (at, column) in columns.iter().enumerate() {
        if columns
            .iter()
            .take(at)
            .any(|other| other.name == column.name)
        {
            return Err(Error::new(
                column.ident.span(),
                format!("two columns are named `{}`", column.name),
            ));
        }
    }
    Ok(columns)
}

fn field(field: &Field) -> Result<ColumnField<'_>> {
    let ident = field
        .ident
        .as_ref()
        .ok_or_else(|| Error::new_spanned(field, "a row needs named fields"))?;
    let mut given_name: Option<LitStr> = None;
    let mut help = documentation::one_line(&field.attrs);
    let mut kind = None;
    for attribute in &field.attrs {
        if !attribute.path().is_ident("column") {
            continue;
        }
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("name") {
                given_name = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("help") {
                help = meta.value()?.parse::<LitStr>()?.value();
            } else if meta.path.is_ident("kind") {
                kind = Some(meta.value()?.parse::<Ident>()?);
            } else {
                return Err(meta.error("unknown: a column knows name, help and kind"));
            }
            Ok(())
        })?;
    }
    if let Some(kind) = &kind {
        kind_variant(kind)?;
    }
    Ok(ColumnField {
        ident,
        ty: &field.ty,
        name: name::checked("column", given_name.as_ref(), ident)?,
        help,
        kind,
    })
}

fn kind(column: &ColumnField<'_>) -> TokenStream {
    let ty = column.ty;
    match &column.kind {
        None => quote_spanned!(ty.span()=> <#ty as ::sr_guest::ColumnValue>::KIND),
        Some(kind) => {
            let variant = kind_variant(kind).unwrap_or_else(|_| quote!(Text));
            quote_spanned!(ty.span()=> ::sr_guest::CellKind::#variant)
        }
    }
}

fn spec(column: &ColumnField<'_>) -> TokenStream {
    let ColumnField { name, help, ty, .. } = column;
    let kind_value = kind(column);
    let check = column.kind.as_ref().map(|wanted| {
        let message = format!("column `{name}`: its type cannot be shown as `{wanted}`");
        quote_spanned! {wanted.span()=>
            assert!(
                ::sr_guest::value::can_show(<#ty as ::sr_guest::ColumnValue>::KIND, #kind_value),
                #message
            );
        }
    });
    quote! {
        ::sr_guest::spec::ColumnSpec {
            name: #name,
            kind: { #check #kind_value },
            help: #help,
        }
    }
}

/// The variant of `CellKind` for a kind's name in an attribute.
pub(crate) fn kind_variant(kind: &Ident) -> Result<TokenStream> {
    Ok(match kind.to_string().as_str() {
        "flag" => quote!(Flag),
        "int" => quote!(Int),
        "float" => quote!(Float),
        "text" => quote!(Text),
        "time" => quote!(Time),
        "url" => quote!(Url),
        "json" => quote!(Json),
        other => {
            return Err(Error::new(
                kind.span(),
                format!(
                    "unknown kind `{other}`: a column is flag, int, float, text, time, url or json"
                ),
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::expand;
    use quote::quote;

    #[test]
    fn names_help_and_kinds_come_from_the_fields() {
        let code = expand(quote! {
            struct Paper {
                /// Its
                /// identifier
                id: String,
                #[column(name = "link", kind = url)]
                address: String,
            }
        })
        .unwrap()
        .to_string();
        assert!(code.contains("name : \"id\""), "{code}");
        assert!(code.contains("help : \"Its identifier\""), "{code}");
        assert!(code.contains("name : \"link\""), "{code}");
        assert!(code.contains(":: sr_guest :: CellKind :: Url"), "{code}");
    }

    #[test]
    fn what_is_not_a_row_does_not_compile() {
        for (tokens, says) in [
            (
                quote!(
                    enum Paper {
                        A,
                    }
                ),
                "for a struct",
            ),
            (
                quote!(
                    struct Paper(String);
                ),
                "named fields",
            ),
            (
                quote!(
                    struct Paper {}
                ),
                "1 to 64 columns",
            ),
            (
                quote!(
                    struct Paper<T> {
                        id: T,
                    }
                ),
                "no type parameters",
            ),
            (
                quote!(
                    struct Paper {
                        #[column(kind = link)]
                        id: String,
                    }
                ),
                "unknown kind `link`",
            ),
            (
                quote!(
                    struct Paper {
                        #[column(width = 3)]
                        id: String,
                    }
                ),
                "name, help and kind",
            ),
            (
                quote!(
                    struct Paper {
                        #[column(name = "Id")]
                        id: String,
                    }
                ),
                "`Id` is not accepted",
            ),
            (
                quote!(
                    struct Paper {
                        a: String,
                        #[column(name = "a")]
                        b: String,
                    }
                ),
                "two columns are named `a`",
            ),
        ] {
            let error = expand(tokens.clone()).unwrap_err().to_string();
            assert!(error.contains(says), "{tokens}: {error}");
        }
    }
}
