//! A request that may leave is let through without asking for memory.

#![expect(
    clippy::unwrap_used,
    reason = "a test fails by panicking, in its helpers too"
)]

use bench::Counting;
use sr_policy::{Allowlist, CheckedUrl, Phase, RequestPolicy};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn policy(phase: Phase) -> RequestPolicy {
    let names = (0..30).map(|number| format!("site-{number}.test"));
    let (allowlist, illegal) =
        Allowlist::from_entries(names.chain(["example.com".into(), "*.shop.example.net".into()]));
    assert!(illegal.is_empty(), "{illegal:?}");
    RequestPolicy {
        fetch: true,
        allowlist,
        posts: vec![CheckedUrl::parse("https://example.com/search").unwrap()],
        phase,
    }
}

#[test]
fn an_allowed_request_costs_no_allocation() {
    let url = |text| CheckedUrl::parse(text).unwrap();
    for (phase, method, url) in [
        (Phase::Read, "GET", url("https://example.com/a?b=c")),
        (Phase::Read, "HEAD", url("http://a.b.shop.example.net/")),
        (Phase::Read, "POST", url("https://example.com/search")),
        (Phase::Prepare, "GET", url("https://site-29.test/")),
        (Phase::Commit, "DELETE", url("https://example.com/item/7")),
    ] {
        let policy = policy(phase);
        let (allocations, allowed) = Counting::count(|| policy.check(method, &url));
        assert_eq!(allowed, Ok(()), "{method} {url:?}");
        assert_eq!(allocations, 0, "{method} {url:?}");
    }
}

#[test]
fn the_counter_sees_what_a_denial_allocates() {
    let url = CheckedUrl::parse("https://evil.test/").unwrap();
    let policy = policy(Phase::Read);
    let (allocations, answer) = Counting::count(|| policy.check("GET", &url));
    assert!(answer.is_err());
    assert!(allocations > 0);
}
