//! What `#[command(…)]` says.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Error, Expr, ExprLit, Ident, ItemFn, Lit, LitInt, LitStr, Result, Token};

use crate::{expand, name};

/// The attribute, read and checked on its own.
#[derive(Default)]
pub(crate) struct CommandAttribute {
    pub(crate) write: Option<bool>,
    pub(crate) name: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) domain: Option<LitStr>,
    pub(crate) examples: Vec<(LitStr, String)>,
    pub(crate) strategy: Option<Ident>,
    pub(crate) persistent: bool,
    pub(crate) browser: bool,
    pub(crate) navigate_before: Option<LitStr>,
    pub(crate) timeout_ms: u32,
    pub(crate) pace: Option<PaceAttribute>,
    pub(crate) format: Option<LitStr>,
    pub(crate) columns: Option<Vec<DeclaredColumn>>,
}

#[derive(Default)]
pub(crate) struct PaceAttribute {
    pub(crate) min_gap_ms: u32,
    pub(crate) per_hour: Option<u32>,
    pub(crate) per_day: Option<u32>,
}

pub(crate) struct DeclaredColumn {
    pub(crate) name: String,
    pub(crate) kind: TokenStream,
    pub(crate) help: String,
}

/// The static that `plugin!` looks for.
pub(crate) fn hidden_name(function: &Ident) -> Ident {
    let mut hidden = format_ident!("__command_{}", function.unraw());
    hidden.set_span(function.span());
    hidden
}

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let mut read = CommandAttribute::default();
    let parser = syn::meta::parser(|meta| read.take(&meta));
    parser.parse2(attribute)?;
    let function: ItemFn = syn::parse2(item).map_err(|error| {
        Error::new(
            error.span(),
            format!("#[command] stands on a function: {error}"),
        )
    })?;
    expand::command(&read, function)
}

impl CommandAttribute {
    fn take(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let key = meta
            .path
            .get_ident()
            .map(ToString::to_string)
            .unwrap_or_default();
        match key.as_str() {
            "read" => self.set_access(false, meta)?,
            "write" => self.set_access(true, meta)?,
            "browser" => self.browser = true,
            "name" => self.name = Some(meta.value()?.parse()?),
            "alias" => self.aliases.push(meta.value()?.parse()?),
            "domain" => self.domain = Some(domain(meta.value()?.parse()?)?),
            "example" => self.examples.push(example(&meta.value()?.parse()?)?),
            "strategy" => self.strategy = Some(one_of(meta, STRATEGIES)?),
            "session" => self.persistent = one_of(meta, SESSIONS)? == "persistent",
            "navigate_before" => self.navigate_before = Some(meta.value()?.parse()?),
            "timeout" => self.timeout_ms = timeout(&meta.value()?.parse()?)?,
            "pace" => self.pace = Some(pace(meta)?),
            "format" => self.format = Some(format(meta.value()?.parse()?)?),
            "columns" => self.columns = Some(columns(meta)?),
            _ => {
                return Err(meta.error(
                    "unknown: a command knows read, write, name, alias, domain, example, strategy, session, \
                     browser, navigate_before, timeout, pace, format and columns",
                ));
            }
        }
        Ok(())
    }

    fn set_access(&mut self, write: bool, meta: &ParseNestedMeta<'_>) -> Result<()> {
        if self.write.replace(write).is_some() {
            return Err(meta.error("a command is either read or write, said once"));
        }
        Ok(())
    }

    pub(crate) fn strategy_variant(&self) -> TokenStream {
        let word = self.strategy.as_ref().map(ToString::to_string);
        match word.as_deref() {
            Some("local") => quote!(Local),
            Some("cookie") => quote!(Cookie),
            Some("intercept") => quote!(Intercept),
            Some("ui") => quote!(Ui),
            None if self.browser => quote!(Ui),
            _ => quote!(Public),
        }
    }
}

const STRATEGIES: &[&str] = &["public", "local", "cookie", "intercept", "ui"];
const SESSIONS: &[&str] = &["ephemeral", "persistent"];
const FORMATS: &[&str] = &["table", "json", "yaml", "csv", "md", "plain"];

/// A word, bare or quoted, out of a list.
fn one_of(meta: &ParseNestedMeta<'_>, words: &[&str]) -> Result<Ident> {
    let value: Expr = meta.value()?.parse()?;
    let word = match &value {
        Expr::Path(path) => path.path.get_ident().cloned(),
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => syn::parse_str::<Ident>(&text.value()).ok(),
        _ => None,
    };
    word.filter(|word| words.iter().any(|known| word == known))
        .ok_or_else(|| Error::new_spanned(&value, format!("write one of {}", words.join(", "))))
}

fn format(literal: LitStr) -> Result<LitStr> {
    if FORMATS.contains(&literal.value().as_str()) {
        return Ok(literal);
    }
    let message = format!("unknown format: write one of {}", FORMATS.join(", "));
    Err(Error::new(literal.span(), message))
}

/// A host name only: the manifest's `domains` decide, this one is for the reader and the pace.
fn domain(literal: LitStr) -> Result<LitStr> {
    let text = literal.value();
    let plain = text.contains('.')
        && text.bytes().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'.' || byte == b'-'
        });
    if plain {
        return Ok(literal);
    }
    Err(Error::new(
        literal.span(),
        "a domain is a host name in lower case, without scheme, port or path: domain = \"example.com\"",
    ))
}

fn example(value: &Expr) -> Result<(LitStr, String)> {
    let text = |expression: &Expr| match expression {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.clone()),
        _ => None,
    };
    let both = match value {
        Expr::Tuple(tuple) if tuple.elems.len() == 2 => {
            let mut parts = tuple.elems.iter().filter_map(text);
            parts.next().zip(parts.next().map(|says| says.value()))
        }
        _ => text(value).map(|line| (line, String::new())),
    };
    both.ok_or_else(|| {
        Error::new_spanned(
            value,
            "write example = \"paper 1706.03762\" or example = (\"paper 1706.03762\", \"what it does\")",
        )
    })
}

fn timeout(literal: &LitInt) -> Result<u32> {
    let seconds: u32 = literal.base10_parse()?;
    if (1..=600).contains(&seconds) {
        return Ok(seconds * 1000);
    }
    Err(Error::new(
        literal.span(),
        "a timeout is 1 to 600 seconds; leave it out for 60",
    ))
}

fn pace(meta: &ParseNestedMeta<'_>) -> Result<PaceAttribute> {
    let mut pace = PaceAttribute::default();
    meta.parse_nested_meta(|part| {
        let number = |part: &ParseNestedMeta<'_>| -> Result<u32> {
            part.value()?.parse::<LitInt>()?.base10_parse()
        };
        if part.path.is_ident("min_gap_ms") {
            pace.min_gap_ms = number(&part)?;
        } else if part.path.is_ident("per_hour") {
            pace.per_hour = Some(number(&part)?);
        } else if part.path.is_ident("per_day") {
            pace.per_day = Some(number(&part)?);
        } else {
            return Err(part.error("unknown: a pace knows min_gap_ms, per_hour and per_day"));
        }
        Ok(())
    })?;
    Ok(pace)
}

fn columns(meta: &ParseNestedMeta<'_>) -> Result<Vec<DeclaredColumn>> {
    struct Declared(Ident, Ident, Option<LitStr>);
    impl syn::parse::Parse for Declared {
        fn parse(input: syn::parse::ParseStream<'_>) -> Result<Self> {
            let column = input.call(Ident::parse_any)?;
            input.parse::<Token![:]>()?;
            let kind = input.call(Ident::parse_any)?;
            let help = if input.peek(Token![=]) {
                input.parse::<Token![=]>()?;
                Some(input.parse()?)
            } else {
                None
            };
            Ok(Self(column, kind, help))
        }
    }
    let content;
    syn::parenthesized!(content in meta.input);
    let declared = Punctuated::<Declared, Token![,]>::parse_terminated(&content)?;
    let mut columns: Vec<DeclaredColumn> = Vec::new();
    for Declared(ident, kind, help) in &declared {
        let name = name::checked("column", None, ident)?;
        if columns.iter().any(|column| column.name == name) {
            return Err(Error::new(
                ident.span(),
                format!("two columns are named `{name}`"),
            ));
        }
        columns.push(DeclaredColumn {
            name,
            kind: crate::row::kind_variant(kind)?,
            help: help.as_ref().map(LitStr::value).unwrap_or_default(),
        });
    }
    if columns.is_empty() || columns.len() > 64 {
        return Err(Error::new(
            Span::call_site(),
            "columns(…) names 1 to 64 columns: columns(order_number: text)",
        ));
    }
    Ok(columns)
}
