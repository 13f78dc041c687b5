//! `plugin!`: the list of commands, the component's exports and the native entry.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Error, Path, Result, Token};

use crate::command::hidden_name;

pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    let functions = Punctuated::<Path, Token![,]>::parse_terminated.parse2(input)?;
    if functions.is_empty() {
        return Err(Error::new(
            Span::call_site(),
            "a plugin has at least one command: plugin!(search, item);",
        ));
    }
    let mut commands = Vec::new();
    for mut path in functions {
        if let Some(last) = path.segments.last_mut() {
            last.ident = hidden_name(&last.ident);
        }
        commands.push(path);
    }
    Ok(quote! {
        /// The plugin of this crate, for native tests.
        #[must_use]
        pub const fn sr_plugin() -> ::sr_guest::Plugin {
            const COMMANDS: &[&::sr_guest::spec::CommandSpec] = &[#(&#commands),*];
            ::sr_guest::Plugin::new(COMMANDS)
        }

        #[cfg(target_family = "wasm")]
        const _: () = {
            use ::sr_guest::bindings::exports::sr::runtime::plugin;

            type Writes = ::sr_guest::plugin::Writes<{ sr_plugin().has_writes() }>;
            struct Exported;
            impl plugin::Guest for Exported {
                type Prepared = <Writes as ::sr_guest::plugin::PrepareWrites>::Prepared;
                fn commands() -> ::std::vec::Vec<::sr_guest::Command> {
                    sr_plugin().commands()
                }
                fn run(call: ::sr_guest::Call) -> ::sr_guest::Result<::sr_guest::Output> {
                    sr_plugin().run(call)
                }
                fn prepare(call: ::sr_guest::Call) -> ::sr_guest::Result<plugin::Prepared> {
                    <Writes as ::sr_guest::plugin::PrepareWrites>::prepare(&sr_plugin(), call)
                        .map(plugin::Prepared::new)
                }
            }
            ::sr_guest::bindings::export!(Exported with_types_in ::sr_guest::bindings);
        };
    })
}

#[cfg(test)]
mod tests {
    use super::expand;
    use quote::quote;

    #[test]
    fn commands_may_live_in_modules() {
        let code = expand(quote!(top, items::item)).unwrap().to_string();
        assert!(
            code.contains("& __command_top , & items :: __command_item"),
            "{code}"
        );
    }

    #[test]
    fn a_plugin_without_commands_does_not_compile() {
        let error = expand(quote!()).unwrap_err().to_string();
        assert!(error.contains("at least one command"), "{error}");
    }
}
