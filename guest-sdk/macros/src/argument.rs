//! A function's parameter as an argument of its command.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprLit, ExprRange, ExprUnary, GenericArgument, Ident, Lit, LitChar,
    LitStr, Pat, PatType, PathArguments, RangeLimits, Result, Token, Type, UnOp,
};

use crate::{documentation, name};

/// How often a parameter takes a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    One,
    Optional,
    Many,
    Flag,
}

pub(crate) struct Argument {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) shape: Shape,
    /// The type of one value.
    value: Type,
    help: String,
    pub(crate) positional: bool,
    pub(crate) required: bool,
    short: Option<String>,
    default: Option<(TokenStream, proc_macro2::Span)>,
    kind: TokenStream,
    checks: Vec<TokenStream>,
}

#[derive(Default)]
struct Written {
    name: Option<LitStr>,
    positional: bool,
    required: bool,
    many: Option<proc_macro2::Span>,
    short: Option<LitChar>,
    default: Option<Expr>,
    range: Option<ExprRange>,
    choices: Option<Vec<LitStr>>,
    kind: Option<Ident>,
}

impl Argument {
    pub(crate) fn read(parameter: &PatType) -> Result<Self> {
        let Pat::Ident(pattern) = parameter.pat.as_ref() else {
            return Err(Error::new_spanned(
                &parameter.pat,
                "a parameter of a command is a plain name: it is the argument's name",
            ));
        };
        let written = Written::read(&parameter.attrs)?;
        let ident = pattern.ident.clone();
        let name = name::checked("argument", written.name.as_ref(), &ident)?;
        let (shape, value) = shape(&parameter.ty)?;
        written.agree_with(shape, &ident)?;
        let required = match shape {
            Shape::One => written.default.is_none(),
            Shape::Many => written.required,
            Shape::Optional | Shape::Flag => false,
        };
        let (kind, mut checks) = written.kind(&value, &name)?;
        let default = match &written.default {
            None => None,
            Some(expression) => {
                let constant = constant(expression)?;
                let message = format!(
                    "argument `{name}`: the default does not fit its type, range or choices"
                );
                checks.push(quote_spanned! {expression.span()=>
                    assert!(::sr_guest::spec::fits(kind, #constant), #message);
                });
                Some((constant, expression.span()))
            }
        };
        Ok(Self {
            ident,
            name,
            shape,
            value,
            help: documentation::one_line(&parameter.attrs),
            positional: written.positional,
            required,
            short: written.short.map(|letter| letter.value().to_string()),
            default,
            kind,
            checks,
        })
    }

    pub(crate) fn has_default(&self) -> bool {
        self.default.is_some()
    }

    pub(crate) fn short(&self) -> Option<&str> {
        self.short.as_deref()
    }

    /// The `ArgSpec` of this argument.
    pub(crate) fn spec(&self) -> TokenStream {
        let Self {
            name,
            help,
            positional,
            required,
            kind,
            checks,
            ..
        } = self;
        let many = self.shape == Shape::Many;
        let short = option(self.short.as_ref().map(|short| quote!(#short)));
        let default = option(self.default.as_ref().map(|(constant, _)| constant.clone()));
        quote! {
            ::sr_guest::spec::ArgSpec {
                name: #name,
                kind: { let kind = #kind; #(#checks)* kind },
                short: #short,
                positional: #positional,
                required: #required,
                many: #many,
                default: #default,
                help: #help,
            }
        }
    }

    /// The expression that takes this argument out of a call.
    pub(crate) fn take(&self) -> TokenStream {
        let ty = &self.value;
        let span = ty.span();
        match self.shape {
            Shape::One => quote_spanned!(span=> arguments.required::<#ty>()?),
            Shape::Optional => quote_spanned!(span=> arguments.optional::<#ty>()?),
            Shape::Many => quote_spanned!(span=> arguments.many::<#ty>()?),
            Shape::Flag => quote_spanned!(span=> arguments.flag()?),
        }
    }
}

pub(crate) fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

impl Written {
    fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut written = Self::default();
        for attribute in attributes {
            if !attribute.path().is_ident("arg") {
                continue;
            }
            attribute.parse_nested_meta(|meta| {
                let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
                match key.as_str() {
                    "positional" => written.positional = true,
                    "required" => written.required = true,
                    "many" => written.many = Some(meta.path.span()),
                    "name" => written.name = Some(meta.value()?.parse()?),
                    "short" => written.short = Some(meta.value()?.parse()?),
                    "default" => written.default = Some(meta.value()?.parse()?),
                    "range" => written.range = Some(meta.value()?.parse()?),
                    "choices" => {
                        let content;
                        syn::parenthesized!(content in meta.input);
                        let words = Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?;
                        written.choices = Some(words.into_iter().collect());
                    }
                    "kind" => {
                        let content;
                        syn::parenthesized!(content in meta.input);
                        written.kind = Some(content.parse()?);
                    }
                    _ => {
                        return Err(meta.error(
                            "unknown: an argument knows positional, required, many, name, short, default, range, \
                             choices and kind",
                        ));
                    }
                }
                Ok(())
            })?;
        }
        Ok(written)
    }

    fn agree_with(&self, shape: Shape, ident: &Ident) -> Result<()> {
        let refuse = |message: &str| Err(Error::new(ident.span(), message));
        if let (Some(span), true) = (self.many, shape != Shape::Many) {
            return Err(Error::new(span, "`many` needs a parameter of type Vec<T>"));
        }
        if self.required && shape != Shape::Many {
            return refuse(
                "`required` is for Vec<T>: any other argument is required unless it is an Option, a bool or has a default",
            );
        }
        if shape == Shape::Flag && (self.positional || self.default.is_some()) {
            return refuse(
                "a bool is a flag: it is off unless typed, so it is neither positional nor has it a default",
            );
        }
        if matches!(shape, Shape::Optional | Shape::Many) && self.default.is_some() {
            return refuse("a default makes the argument always present: write the plain type");
        }
        if self.positional && self.short.is_some() {
            return refuse("a positional argument has no short option");
        }
        if let Some(letter) = &self.short
            && !letter.value().is_ascii_alphanumeric()
        {
            return Err(Error::new(
                letter.span(),
                "a short option is one ASCII letter or digit: short = 'n'",
            ));
        }
        Ok(())
    }

    /// The kind of one value and the checks the compiler makes on it.
    fn kind(&self, value: &Type, name: &str) -> Result<(TokenStream, Vec<TokenStream>)> {
        let own = quote_spanned!(value.span()=> <#value as ::sr_guest::ArgValue>::KIND);
        if [
            self.range.is_some(),
            self.choices.is_some(),
            self.kind.is_some(),
        ]
        .iter()
        .filter(|given| **given)
        .count()
            > 1
        {
            return Err(Error::new_spanned(
                value,
                "range, choices and kind exclude each other",
            ));
        }
        if let Some(range) = &self.range {
            let (min, max) = bounds(range)?;
            let kind = quote!(::sr_guest::spec::KindSpec::Int(#min, #max));
            let message = format!(
                "argument `{name}`: the range does not lie within its type, or the type is no whole number"
            );
            let check = quote_spanned! {range.span()=>
                assert!(::sr_guest::spec::lies_within(kind, #own), #message);
            };
            return Ok((kind, vec![check]));
        }
        let kind = if let Some(words) = &self.choices {
            if words.is_empty() {
                return Err(Error::new_spanned(
                    value,
                    "choices(…) names at least one word",
                ));
            }
            quote!(::sr_guest::spec::KindSpec::Choice(&[#(#words),*]))
        } else if let Some(kind) = &self.kind {
            let variant = match kind.to_string().as_str() {
                "text" => quote!(Text),
                "url" => quote!(Url),
                "date" => quote!(Date),
                "json" => quote!(Json),
                "content" => quote!(Content),
                other => {
                    return Err(Error::new(
                        kind.span(),
                        format!("unknown kind `{other}`: write text, url, date, json or content"),
                    ));
                }
            };
            quote!(::sr_guest::spec::KindSpec::#variant)
        } else {
            return Ok((own, Vec::new()));
        };
        let message = format!(
            "argument `{name}`: choices and kind are for a String (a Vec or an Option of it)"
        );
        let check = quote_spanned! {value.span()=>
            assert!(matches!(#own, ::sr_guest::spec::KindSpec::Text), #message);
        };
        Ok((kind, vec![check]))
    }
}

/// Looks through `Option<T>`, `Vec<T>` and `bool`.
fn shape(ty: &Type) -> Result<(Shape, Type)> {
    let path = match ty {
        Type::Path(path) => path,
        Type::Reference(_) => {
            return Err(Error::new_spanned(
                ty,
                "a parameter of a command owns its value: write String instead of &str",
            ));
        }
        _ => return Ok((Shape::One, ty.clone())),
    };
    let Some(last) = path.path.segments.last() else {
        return Ok((Shape::One, ty.clone()));
    };
    let inner = match &last.arguments {
        PathArguments::AngleBracketed(list) => {
            list.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(inner) => Some(inner.clone()),
                _ => None,
            })
        }
        _ => None,
    };
    Ok(match (last.ident.to_string().as_str(), inner) {
        ("Option", Some(inner)) => (Shape::Optional, inner),
        ("Vec", Some(inner)) => (Shape::Many, inner),
        ("bool", None) => (Shape::Flag, ty.clone()),
        _ => (Shape::One, ty.clone()),
    })
}

/// A literal as a `DefaultValue`.
fn constant(expression: &Expr) -> Result<TokenStream> {
    let refuse = || {
        Error::new_spanned(
            expression,
            "a default is a literal: a number, a text or true/false",
        )
    };
    let (literal, minus) = match expression {
        Expr::Lit(ExprLit { lit, .. }) => (lit, false),
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            expr,
            ..
        }) => match expr.as_ref() {
            Expr::Lit(ExprLit { lit, .. }) => (lit, true),
            _ => return Err(refuse()),
        },
        _ => return Err(refuse()),
    };
    let minus = minus.then(|| quote!(-));
    match literal {
        Lit::Int(number) => {
            let number = syn::LitInt::new(number.base10_digits(), number.span());
            Ok(quote!(::sr_guest::spec::DefaultValue::Int(#minus #number)))
        }
        Lit::Float(number) => Ok(quote!(::sr_guest::spec::DefaultValue::Float(#minus #number))),
        Lit::Str(text) if minus.is_none() => {
            Ok(quote!(::sr_guest::spec::DefaultValue::Text(#text)))
        }
        _ => Err(refuse()),
    }
}

fn bounds(range: &ExprRange) -> Result<(TokenStream, TokenStream)> {
    if matches!(range.limits, RangeLimits::HalfOpen(_)) && range.end.is_some() {
        return Err(Error::new_spanned(
            range,
            "both ends count: write 1..=100 instead of 1..101",
        ));
    }
    let side = |end: Option<&Expr>| option(end.map(|value| quote!(#value)));
    Ok((side(range.start.as_deref()), side(range.end.as_deref())))
}
