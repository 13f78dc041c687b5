//! An adapter for `sr-runtime`. Every function under `#[command]` is a command: its parameters
//! are the arguments, its doc comment is the help, the fields of what it returns are the columns.

use sr_guest::prelude::*;

/// One row of `hello`.
#[derive(Row)]
struct Greeting {
    /// Who was greeted
    name: String,
    greeting: String,
    /// How often the site has greeted this name
    times: i64,
}

/// Greet somebody in the words of the site.
#[command(read, domain = "greetings.example", example = "hello World")]
fn hello(
    /// Whom to greet
    #[arg(positional)]
    name: String,
) -> Result<Greeting> {
    // `url!` encodes what is put in. The host sends a request only to the domains that
    // plugin/sr-plugin.json names; anything else is a failure that `?` passes on.
    let reply = fetch::get(url!("https://greetings.example/hello?name={name}")).json()?;
    if reply.at("greeting").is_null() {
        return None.or_empty("the site does not know this name");
    }
    Ok(Greeting {
        greeting: reply.at("greeting").str()?.to_owned(),
        times: reply.at("times").int()?,
        name,
    })
}

plugin!(hello);

#[cfg(test)]
sr_guest_testkit::fixtures!(sr_plugin());
