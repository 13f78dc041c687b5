use quote::quote;

use crate::command::expand;

fn message(attribute: proc_macro2::TokenStream, item: proc_macro2::TokenStream) -> String {
    expand(attribute, item).unwrap_err().to_string()
}

#[test]
fn what_a_command_lacks_is_said() {
    let good = quote!(
        /// Says hello.
        fn hello() -> Result<()> {}
    );
    for (attribute, item, says) in [
        (
            quote!(),
            good.clone(),
            "#[command(read)] or #[command(write)]",
        ),
        (quote!(read, write), good.clone(), "either read or write"),
        (
            quote!(read, reads),
            good.clone(),
            "a command knows read, write",
        ),
        (
            quote!(read),
            quote!(
                fn hello() -> Result<()> {}
            ),
            "needs a doc comment",
        ),
        (
            quote!(read),
            quote!(
                struct Hello;
            ),
            "stands on a function",
        ),
        (
            quote!(read),
            quote!(
                /** Hi. */
                fn hello() {}
            ),
            "a read command returns Result<T>",
        ),
        (
            quote!(write),
            quote!(
                /** Hi. */
                fn hello() {}
            ),
            "Result<Prepared>",
        ),
        (
            quote!(read),
            quote!(
                /** Hi. */
                async fn hello() -> Result<()> {}
            ),
            "plain function",
        ),
        (
            quote!(read, domain = "https://a.example"),
            good.clone(),
            "without scheme",
        ),
        (
            quote!(read, example = "bye 1"),
            good.clone(),
            "starts with `hello`",
        ),
        (quote!(read, example = 3), good.clone(), "write example ="),
        (
            quote!(read, timeout = 601),
            good.clone(),
            "1 to 600 seconds",
        ),
        (
            quote!(read, format = "html"),
            good.clone(),
            "write one of table",
        ),
        (
            quote!(read, strategy = magic),
            good.clone(),
            "write one of public",
        ),
        (
            quote!(read, pace(gap = 3)),
            good.clone(),
            "min_gap_ms, per_hour and per_day",
        ),
        (
            quote!(read, columns(a: word)),
            good.clone(),
            "unknown kind `word`",
        ),
        (
            quote!(read, columns(a: text, a: int)),
            good.clone(),
            "two columns are named `a`",
        ),
        (
            quote!(read, name = "Hello"),
            good.clone(),
            "`Hello` is not accepted",
        ),
        (
            quote!(read, alias = "hello"),
            good,
            "taken by the command itself",
        ),
    ] {
        let found = message(attribute.clone(), item);
        assert!(found.contains(says), "{attribute}: {found}");
    }
}

#[test]
fn what_an_argument_gets_wrong_is_said() {
    for (parameters, says) in [
        (quote!(text: &str), "write String instead of &str"),
        (quote!((a, b): (u8, u8)), "plain name"),
        (
            quote!(#[arg(optional)] a: String),
            "an argument knows positional",
        ),
        (
            quote!(#[arg(many)] a: String),
            "needs a parameter of type Vec<T>",
        ),
        (
            quote!(#[arg(required)] a: String),
            "`required` is for Vec<T>",
        ),
        (quote!(#[arg(positional)] a: bool), "a bool is a flag"),
        (
            quote!(#[arg(default = 1)] a: Option<u8>),
            "write the plain type",
        ),
        (
            quote!(#[arg(default = now())] a: u8),
            "a default is a literal",
        ),
        (quote!(#[arg(range = 1..9)] a: u8), "both ends count"),
        (
            quote!(#[arg(short = '-')] a: u8),
            "one ASCII letter or digit",
        ),
        (
            quote!(#[arg(positional, short = 'a')] a: u8),
            "no short option",
        ),
        (quote!(#[arg(kind(path))] a: String), "unknown kind `path`"),
        (quote!(#[arg(choices())] a: String), "at least one word"),
        (
            quote!(#[arg(choices("x"), kind(url))] a: String),
            "exclude each other",
        ),
        (
            quote!(a: u8, #[arg(name = "a")] b: u8),
            "two arguments are named `a`",
        ),
        (
            quote!(#[arg(short = 'x')] a: u8, #[arg(short = 'x')] b: u8),
            "short option `-x`",
        ),
        (
            quote!(#[arg(positional)] a: Option<u8>, #[arg(positional)] b: u8),
            "cannot follow an optional one",
        ),
        (
            quote!(#[arg(positional)] a: Vec<u8>, #[arg(positional)] b: Option<u8>),
            "takes all that is left",
        ),
    ] {
        let found = message(
            quote!(read),
            quote!(/** Says hello. */ fn hello(#parameters) -> Result<()> {}),
        );
        assert!(found.contains(says), "{parameters}: {found}");
    }
}

#[test]
fn only_plain_parameters_are_left_on_the_function() {
    let code = expand(
        quote!(read),
        quote!(
            /// Says hello.
            fn hello(
                /// To whom
                #[arg(positional)]
                name: String,
                #[given] given: Given,
            ) -> Result<()> {
            }
        ),
    )
    .unwrap()
    .to_string();
    assert!(
        code.contains("fn hello (name : String , given : Given"),
        "{code}"
    );
    assert!(code.contains("help : \"To whom\""), "{code}");
    assert!(code.contains("arguments . given ()"), "{code}");
}
