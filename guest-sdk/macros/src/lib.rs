//! Macros of the guest SDK. Use them through `sr_guest::prelude`, which also documents them by
//! example; each is explained here.
//!
//! The macros write data and calls, not logic: a command becomes one static description and one
//! small function, and everything they call lives once in `sr_guest`, so a component stays small.

mod argument;
mod choice;
mod command;
mod documentation;
mod expand;
mod name;
mod plugin;
mod row;
mod url;

use proc_macro::TokenStream;

/// Makes a function a command of the plugin.
///
/// The first paragraph of the doc comment is the summary, the rest the details. The function's
/// name in kebab case is the command's name.
///
/// | in `#[command(…)]` | says |
/// |---|---|
/// | `read` or `write` | needed, first; a write returns `Result<Prepared>` |
/// | `domain = "example.com"` | the host it mainly speaks to |
/// | `example = "paper 1706.03762"`, `example = ("line", "what it does")` | repeatable |
/// | `name = "…"`, `alias = "…"` | another name; alias is repeatable |
/// | `strategy = public\|local\|cookie\|intercept\|ui`, `session = ephemeral\|persistent` | how it reaches the site |
/// | `browser`, `navigate_before = "https://…"` | needs a browser, and the page to open first |
/// | `timeout = 30` | seconds for the whole run, at most 600 |
/// | `pace(min_gap_ms = 3000, per_hour = 60, per_day = 500)` | how fast it may be repeated |
/// | `format = "table"` | output format when the person names none |
/// | `columns(order_number: text = "help", …)` | columns, when the return type has none of its own |
///
/// Parameters: `String`, whole numbers up to `i64`, `f64`, `bool` (a flag), `Url`, `Time`, `Json`, an enum
/// with `#[derive(Choice)]`; `Option<T>` is optional, `Vec<T>` may be given more than once.
///
/// | in `#[arg(…)]` | says |
/// |---|---|
/// | `positional` | by place instead of `--name` |
/// | `short = 'n'`, `name = "…"` | one-letter option; another name |
/// | `default = 10` | used when it is not given |
/// | `range = 1..=100` | bounds, both inclusive |
/// | `choices("a", "b")` | one of these words |
/// | `kind(url\|date\|json\|content\|text)` | what the text of a `String` must be |
/// | `required` | at least one value of a `Vec<T>` |
///
/// A parameter marked `#[given]` of type `Given` tells which options were really typed.
#[proc_macro_attribute]
pub fn command(attribute: TokenStream, item: TokenStream) -> TokenStream {
    finish(command::expand(attribute.into(), item.into()))
}

/// Makes a struct with named fields a row: one column per field, in order.
///
/// The doc comment of a field is the column's help. `#[column(name = "…", help = "…", kind = url)]`
/// changes one; the kinds are those of the field's type, and `url` and `json` for a `String` that
/// holds one, `time` (milliseconds since 1970) and `float` for a whole number.
#[proc_macro_derive(Row, attributes(column))]
pub fn row(item: TokenStream) -> TokenStream {
    finish(row::expand(item.into()))
}

/// Makes an enum without fields an argument that accepts one of its variants, in kebab case.
#[proc_macro_derive(Choice)]
pub fn choice(item: TokenStream) -> TokenStream {
    finish(choice::expand(item.into()))
}

/// `plugin!(paper, search);` names the commands, once, in the crate's root: exports them from the
/// component, and gives native tests the function `sr_plugin()`.
#[proc_macro]
pub fn plugin(input: TokenStream) -> TokenStream {
    finish(plugin::expand(input.into()))
}

/// `url!("https://example.com/p/{id}?q={query}")`: a URL whose values are percent-encoded.
///
/// Scheme, host and port are fixed text, so a value can never choose where a request goes.
/// Values are expressions: names, fields, calls.
#[proc_macro]
pub fn url(input: TokenStream) -> TokenStream {
    finish(url::expand(input.into()))
}

fn finish(result: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    result
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}
