//! A list of rows with empty cells and times, and a page that is not there.
use sr_guest::prelude::*;

#[derive(Row)]
struct Found {
    name: String,
    version: String,
    /// When this version was published
    published: Time,
    description: Option<String>,
}

/// Packages that match a text, best first.
#[command(read, domain = "registry.example", example = "search parser --limit 5")]
fn search(
    /// What to look for
    #[arg(positional)]
    text: String,
    /// How many packages
    #[arg(short = 'n', default = 10, range = 1..=100)]
    limit: i64,
) -> Result<Vec<Found>> {
    let url = url!("https://registry.example/search?text={text}&size={limit}");
    let reply = fetch::get(url).json()?;
    let mut rows = Vec::new();
    for package in reply.at("packages").list()? {
        rows.push(Found {
            name: package.at("name").str()?.to_owned(),
            version: package.at("version").str()?.to_owned(),
            published: Time::parse(package.at("date").str()?).or_unexpected("date")?,
            description: package.at("description").opt_str()?.map(str::to_owned),
        });
    }
    rows.or_empty("no package matches")
}

#[derive(Row)]
struct Latest {
    version: String,
    bytes: Option<i64>,
}

/// The latest version of one package.
#[command(read, domain = "registry.example", example = "latest parser")]
fn latest(
    /// Name of the package
    #[arg(positional)]
    name: String,
) -> Result<Latest> {
    // `send` takes any status; `json` and `text` alone take 404 for a failure.
    let reply = fetch::get(url!("https://registry.example/{name}/latest")).send()?;
    if reply.status == 404 {
        return None.or_empty("no such package");
    }
    let reply = reply.ok()?.json()?;
    Ok(Latest {
        version: reply.at("version").str()?.to_owned(),
        bytes: reply.at("size").opt_int()?,
    })
}

plugin!(search, latest);

fn main() {}
