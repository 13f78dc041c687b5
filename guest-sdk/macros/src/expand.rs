//! A command's static description and its entry.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, FnArg, ItemFn, Result, ReturnType};

use crate::argument::{Argument, Shape, option};
use crate::command::{CommandAttribute, hidden_name};
use crate::{documentation, name};

pub(crate) fn command(attribute: &CommandAttribute, mut function: ItemFn) -> Result<TokenStream> {
    let ident = function.sig.ident.clone();
    let write = attribute.write.ok_or_else(|| {
        Error::new(
            ident.span(),
            "say whether the command changes anything: #[command(read)] or #[command(write)]",
        )
    })?;
    plain_function(&function)?;
    let (summary, details) = documentation::summary_and_details(&function.attrs);
    if summary.is_empty() {
        return Err(Error::new(
            ident.span(),
            "a command needs a doc comment: its first paragraph is the summary that help shows",
        ));
    }
    let name = name::checked("command", attribute.name.as_ref(), &ident)?;
    names(attribute, &name)?;
    let (arguments, takes) = parameters(&mut function)?;
    order(&arguments)?;
    let specs = arguments.iter().map(Argument::spec);
    let ReturnType::Type(_, returned) = &function.sig.output else {
        return Err(Error::new(
            ident.span(),
            if write {
                "a write command returns Result<Prepared>: what it will do, and the closure that does it"
            } else {
                "a read command returns Result<T>: a row, a Vec of rows, Output or ()"
            },
        ));
    };
    let returns = if write {
        quote_spanned!(returned.span()=> <#returned as ::sr_guest::output::WriteReturn>)
    } else {
        quote_spanned!(returned.span()=> <#returned as ::sr_guest::output::ReadReturn>)
    };
    let columns = columns(attribute, &returns);
    let hidden = hidden_name(&ident);
    let visibility = &function.vis;
    let entry = if write { quote!(Write) } else { quote!(Read) };
    let head = head(attribute, &name, &summary, &details);
    Ok(quote! {
        #function

        #[doc(hidden)]
        #[allow(non_upper_case_globals, reason = "named after its function, for plugin!")]
        #visibility static #hidden: ::sr_guest::spec::CommandSpec = ::sr_guest::spec::CommandSpec {
            #head
            args: &[#(#specs),*],
            columns: #columns,
            entry: ::sr_guest::spec::Entry::#entry({
                fn entry(
                    arguments: &mut ::sr_guest::Arguments,
                ) -> ::sr_guest::Result<#returns::Erased> {
                    let _ = &arguments;
                    #returns::erase(#ident(#(#takes),*))
                }
                entry
            }),
        };
    })
}

fn plain_function(function: &ItemFn) -> Result<()> {
    let signature = &function.sig;
    let refuse =
        |tokens: &dyn quote::ToTokens, message: &str| Err(Error::new_spanned(tokens, message));
    if let Some(token) = &signature.asyncness {
        return refuse(
            token,
            "a command is a plain function: host calls wait by themselves, fetch::all runs several at once",
        );
    }
    if let Some(token) = &signature.unsafety {
        return refuse(token, "a command is a plain function, not an unsafe one");
    }
    if !signature.generics.params.is_empty() {
        return refuse(
            &signature.generics,
            "a command has no type parameters or lifetimes",
        );
    }
    Ok(())
}

/// Aliases and examples fit the name.
fn names(attribute: &CommandAttribute, command: &str) -> Result<()> {
    let mut known = vec![command.to_owned()];
    for alias in &attribute.aliases {
        name::check("alias", &alias.value(), alias.span())?;
        if known.contains(&alias.value()) {
            return Err(Error::new(
                alias.span(),
                "this name is taken by the command itself",
            ));
        }
        known.push(alias.value());
    }
    for (line, _) in &attribute.examples {
        let text = line.value();
        let first = text.split_whitespace().next().unwrap_or_default();
        if !known.iter().any(|name| name == first) {
            return Err(Error::new(
                line.span(),
                format!(
                    "an example is a line without program and site: it starts with `{command}`"
                ),
            ));
        }
    }
    Ok(())
}

/// Reads the parameters and removes what only the macro understands.
fn parameters(function: &mut ItemFn) -> Result<(Vec<Argument>, Vec<TokenStream>)> {
    let mut arguments: Vec<Argument> = Vec::new();
    let mut takes = Vec::new();
    for input in &mut function.sig.inputs {
        let FnArg::Typed(parameter) = input else {
            return Err(Error::new_spanned(input, "a command is not a method"));
        };
        if parameter
            .attrs
            .iter()
            .any(|attribute| attribute.path().is_ident("given"))
        {
            takes.push(quote!(arguments.given()));
        } else {
            let argument = Argument::read(parameter)?;
            if let Some(other) = arguments.iter().find(|other| other.name == argument.name) {
                return Err(Error::new(
                    argument.ident.span(),
                    format!("two arguments are named `{}`", other.name),
                ));
            }
            if let Some(short) = argument.short()
                && arguments.iter().any(|other| other.short() == Some(short))
            {
                return Err(Error::new(
                    argument.ident.span(),
                    format!("two arguments have the short option `-{short}`"),
                ));
            }
            takes.push(argument.take());
            arguments.push(argument);
        }
        parameter.attrs.retain(|attribute| {
            !["arg", "given", "doc"]
                .iter()
                .any(|known| attribute.path().is_ident(known))
        });
    }
    if arguments.len() > 64 {
        return Err(Error::new(
            function.sig.ident.span(),
            "a command has at most 64 arguments",
        ));
    }
    Ok((arguments, takes))
}

/// Positional arguments: needed ones first, a list last.
fn order(arguments: &[Argument]) -> Result<()> {
    let mut optional = false;
    let mut list = false;
    for argument in arguments.iter().filter(|argument| argument.positional) {
        let refuse = |message: &str| Err(Error::new(argument.ident.span(), message));
        if list {
            return refuse("nothing positional can follow a Vec<T>: it takes all that is left");
        }
        if argument.required && optional {
            return refuse("a required positional argument cannot follow an optional one");
        }
        optional |= !argument.required || argument.has_default();
        list |= argument.shape == Shape::Many;
    }
    Ok(())
}

fn columns(attribute: &CommandAttribute, returns: &TokenStream) -> TokenStream {
    let Some(declared) = &attribute.columns else {
        return quote!(#returns::COLUMNS);
    };
    let specs = declared.iter().map(|column| {
        let (name, kind, help) = (&column.name, &column.kind, &column.help);
        quote! {
            ::sr_guest::spec::ColumnSpec { name: #name, kind: ::sr_guest::CellKind::#kind, help: #help }
        }
    });
    quote! {{
        assert!(
            #returns::COLUMNS.is_empty(),
            "the returned row type already names its columns: leave columns(…) out"
        );
        &[#(#specs),*]
    }}
}

/// The fields of the description that are plain data.
fn head(attribute: &CommandAttribute, name: &str, summary: &str, details: &str) -> TokenStream {
    let aliases = &attribute.aliases;
    let examples = attribute
        .examples
        .iter()
        .map(|(line, says)| quote!((#line, #says)));
    let domain = option(attribute.domain.as_ref().map(|domain| quote!(#domain)));
    let strategy = attribute.strategy_variant();
    let session = if attribute.persistent {
        quote!(Persistent)
    } else {
        quote!(Ephemeral)
    };
    let browser = attribute.browser;
    let before = option(attribute.navigate_before.as_ref().map(|url| quote!(#url)));
    let format = option(attribute.format.as_ref().map(|format| quote!(#format)));
    let timeout_ms = attribute.timeout_ms;
    let pace = option(attribute.pace.as_ref().map(|pace| {
        let gap = pace.min_gap_ms;
        let hour = option(pace.per_hour.map(|count| quote!(#count)));
        let day = option(pace.per_day.map(|count| quote!(#count)));
        quote!(::sr_guest::spec::Pace { min_gap_ms: #gap, per_hour: #hour, per_day: #day })
    }));
    quote! {
        name: #name,
        aliases: &[#(#aliases),*],
        summary: #summary,
        details: #details,
        examples: &[#(#examples),*],
        domain: #domain,
        strategy: ::sr_guest::spec::Strategy::#strategy,
        session: ::sr_guest::spec::Session::#session,
        browser: #browser,
        navigate_before: #before,
        default_format: #format,
        timeout_ms: #timeout_ms,
        pace: #pace,
    }
}

#[cfg(test)]
#[path = "expand_tests.rs"]
mod tests;
