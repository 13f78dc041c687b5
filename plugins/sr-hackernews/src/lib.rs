//! Hacker News, through its public API (<https://github.com/HackerNews/API>).

mod html;

use sr_guest::json::Value;
use sr_guest::prelude::*;

/// A story of a list.
#[derive(Row)]
struct Story {
    /// Place in the list
    rank: u32,
    id: i64,
    title: String,
    /// Points
    score: Option<i64>,
    by: Option<String>,
    /// Comments in all
    comments: Option<i64>,
    time: Option<Time>,
    url: Url,
}

/// Any item: a story, a comment, a job, a poll.
#[derive(Row)]
struct Item {
    id: i64,
    /// story, comment, job, poll or pollopt
    #[column(name = "type")]
    kind: String,
    title: Option<String>,
    by: Option<String>,
    time: Option<Time>,
    score: Option<i64>,
    /// Comments in all
    comments: Option<i64>,
    /// The item this one answers
    parent: Option<i64>,
    url: Url,
    text: Option<String>,
}

/// A user.
#[derive(Row)]
struct User {
    name: String,
    karma: i64,
    /// Since when
    created: Time,
    /// Stories, polls and comments
    submitted: u32,
    about: Option<String>,
}

/// The front page, best first.
#[command(
    read,
    domain = "hacker-news.firebaseio.com",
    example = ("top --limit 10", "the first ten stories")
)]
fn top(
    /// How many stories
    #[arg(short = 'n', default = 30, range = 1..=100)]
    limit: usize,
) -> Result<Vec<Story>> {
    let ids = fetch::get("https://hacker-news.firebaseio.com/v0/topstories.json").json()?;
    let ids = ids.root().list()?.take(limit);
    let ids = ids.map(|id| id.int()).collect::<Result<Vec<_>>>()?;
    let requests = ids.iter().map(|id| fetch::get(item_url(*id)));
    let replies = fetch::all(requests).at_once(8).send()?;
    let mut stories = Vec::new();
    for (reply, rank) in replies.into_iter().zip(1..) {
        let item = reply?.ok()?.json()?;
        // The list is older than the items: what was deleted since is null.
        if !item.root().is_null() {
            stories.push(Story::read(rank, &item)?);
        }
    }
    stories.or_empty("the list is empty")
}

/// One story, comment, job or poll.
#[command(read, domain = "hacker-news.firebaseio.com", example = "item 8863")]
fn item(
    /// Its number
    #[arg(positional, range = 1..)]
    id: i64,
) -> Result<Item> {
    let item = fetch::get(item_url(id)).json()?;
    if item.root().is_null() {
        return None.or_empty("no such item");
    }
    Item::read(&item)
}

/// One user.
#[command(read, domain = "hacker-news.firebaseio.com", example = "user pg")]
fn user(
    /// Upper and lower case count
    #[arg(positional)]
    name: String,
) -> Result<User> {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if name.is_empty() || name.len() > 32 || !name.bytes().all(known) {
        return Err(sr_guest::failure::invalid(
            "name",
            "a user name has only letters, digits, _ and -, such as pg",
        ));
    }
    let user = fetch::get(url!(
        "https://hacker-news.firebaseio.com/v0/user/{name}.json"
    ))
    .json()?;
    if user.root().is_null() {
        return None.or_empty("no such user");
    }
    Ok(User {
        name: user.at("id").str()?.to_owned(),
        karma: user.at("karma").int()?,
        created: Time::from_seconds(user.at("created").int()?),
        submitted: match user.at("submitted") {
            none if none.is_null() => 0,
            list => u32::try_from(list.list()?.len())?,
        },
        about: text(&user, "about")?,
    })
}

impl Story {
    fn read(rank: u32, item: &Value) -> Result<Self> {
        Ok(Self {
            rank,
            id: item.at("id").int()?,
            title: item.at("title").str()?.to_owned(),
            score: item.at("score").opt_int()?,
            by: item.at("by").opt_str()?.map(str::to_owned),
            comments: item.at("descendants").opt_int()?,
            time: time(item)?,
            url: link(item)?,
        })
    }
}

impl Item {
    fn read(item: &Value) -> Result<Self> {
        Ok(Self {
            id: item.at("id").int()?,
            kind: item.at("type").str()?.to_owned(),
            title: item.at("title").opt_str()?.map(str::to_owned),
            by: item.at("by").opt_str()?.map(str::to_owned),
            time: time(item)?,
            score: item.at("score").opt_int()?,
            comments: item.at("descendants").opt_int()?,
            parent: item.at("parent").opt_int()?,
            url: link(item)?,
            text: text(item, "text")?,
        })
    }
}

fn item_url(id: i64) -> Url {
    url!("https://hacker-news.firebaseio.com/v0/item/{id}.json")
}

fn time(item: &Value) -> Result<Option<Time>> {
    Ok(item.at("time").opt_int()?.map(Time::from_seconds))
}

fn text(item: &Value, key: &str) -> Result<Option<String>> {
    Ok(item.at(key).opt_str()?.map(html::to_text))
}

/// What the item links to, or its own page.
fn link(item: &Value) -> Result<Url> {
    if let Some(url) = item.at("url").opt_str()?.filter(|url| !url.is_empty()) {
        return Ok(url.into());
    }
    let id = item.at("id").int()?;
    Ok(url!("https://news.ycombinator.com/item?id={id}"))
}

plugin!(top, item, user);
