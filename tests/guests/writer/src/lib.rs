//! A guest whose commands change something, in every order the host must hold it to.

use sr_guest::bindings::sr::runtime::types::{Denial, Expiry};
use sr_guest::prelude::*;

/// What the site answered.
#[derive(Row)]
struct Receipt {
    order_number: String,
    status: u16,
}

/// Orders an item: reads it while preparing, posts on commit.
#[command(write, domain = "example.com", example = "send lamp --amount 2")]
fn send(
    /// What to order
    #[arg(positional)]
    item: String,
    /// How many
    #[arg(default = 1, range = 1..=99)]
    amount: u32,
) -> Result<Prepared<Receipt>> {
    let price = fetch::get(url!("https://example.com/item/{item}")).text()?;
    let order = prepared("one order")
        .check("price", price)
        .sends("item", item.clone())
        .sends("amount", amount)
        .note("guest-note", "planned");
    Ok(order.then(move || submit(&item, amount)))
}

/// Posts while it should only prepare.
#[command(write, domain = "example.com", example = "early-post")]
fn early_post() -> Result<Prepared<Receipt>> {
    let receipt = submit("early", 1)?;
    Ok(prepared("already sent").then(move || Ok(receipt)))
}

/// Why the commit fails after its post.
#[derive(Choice)]
enum Case {
    Denied,
    Timeout,
    Empty,
    Busy,
    Unavailable,
    Cancelled,
    Other,
    Panic,
}

/// Posts on commit, then fails.
#[command(write, domain = "example.com", example = "late-fail timeout")]
fn late_fail(
    /// How
    #[arg(positional)]
    case: Case,
) -> Result<Prepared<Receipt>> {
    Ok(prepared("an order that fails").then(move || {
        submit("late", 1)?;
        Err(failure(&case))
    }))
}

fn failure(case: &Case) -> Failure {
    match case {
        Case::Denied => Failure::Denied(Denial {
            code: "DOMAIN_NOT_ALLOWED".to_owned(),
            rule: "guest-rule".to_owned(),
            subject: "guest.example".to_owned(),
            fix: None,
        }),
        Case::Timeout => Failure::Timeout(Expiry {
            what: "guest wait".to_owned(),
            limit_ms: 4321,
        }),
        Case::Empty => sr_guest::failure::empty("guest found nothing"),
        Case::Busy => Failure::Busy("guest session".to_owned()),
        Case::Unavailable => Failure::Unavailable("guest unavailable".to_owned()),
        Case::Cancelled => Failure::Cancelled,
        Case::Other => sr_guest::failure::coded("GUEST_CODE", "guest message", None),
        #[expect(clippy::panic, reason = "a guest that panics is one of the cases")]
        Case::Panic => panic!("guest panic after its post"),
    }
}

/// Says in the log that it was dropped.
#[derive(Default)]
struct Kept {
    committed: bool,
}

impl Kept {
    fn commit(&mut self) {
        self.committed = true;
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if !self.committed {
            log::info!("dropped uncommitted");
        }
    }
}

/// Holds state that tells whether it was dropped uncommitted.
#[command(write, name = "drop", domain = "example.com", example = "drop")]
fn drop_uncommitted() -> Result<Prepared<Receipt>> {
    let mut kept = Kept::default();
    Ok(prepared("nothing yet").then(move || {
        kept.commit();
        submit("dropped", 1)
    }))
}

/// Reads an item.
#[command(read, domain = "example.com", columns(text: text = "What the site says"))]
fn peek(
    /// Which
    #[arg(positional)]
    item: String,
) -> Result<Output> {
    let text = fetch::get(url!("https://example.com/item/{item}")).text()?;
    Ok(Output::rows(vec![vec![Cell::Text(text)]]))
}

fn submit(item: &str, amount: u32) -> Result<Receipt> {
    let body = format!("item={item}&amount={amount}");
    let reply = fetch::post("https://example.com/submit")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body)
        .send()?
        .ok()?;
    Ok(Receipt {
        order_number: reply.text()?,
        status: reply.status,
    })
}

plugin!(send, early_post, late_fail, drop_uncommitted, peek);
