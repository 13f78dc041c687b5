//! Writes run natively: prepared, planned, committed once or not at all.

#![expect(clippy::unwrap_used, reason = "helpers of a test fail it")]

use sr_guest::{Cell, Failure};
use sr_guest_testkit::Testkit;

/// The bodies' hashes are those of `item=lamp&amount=2`, `item=late&amount=1` and
/// `item=dropped&amount=1`.
fn recording() -> Vec<u8> {
    let post = |body: &str| {
        let hash = sr_policy_hash(body);
        format!(
            r#"{{"request": {{"method": "POST", "url": "https://example.com/submit", "body_sha256": "{hash}"}},
                "response": {{"status": 201, "headers": [], "body": {{"text": "A-17"}}}}}}"#
        )
    };
    let get = r#"{"request": {"method": "GET", "url": "https://example.com/item/lamp"},
                  "response": {"status": 200, "headers": [], "body": {"text": "9.50"}}}"#;
    let posts = [
        "item=lamp&amount=2",
        "item=late&amount=1",
        "item=dropped&amount=1",
        "item=early&amount=1",
    ];
    let posts: Vec<_> = posts.iter().map(|body| post(body)).collect();
    format!(
        r#"{{"version": 1, "synthetic": true, "clock_ms": 0, "seed": 0, "exchanges": [{get}, {}]}}"#,
        posts.join(",")
    )
    .into_bytes()
}

fn sr_policy_hash(body: &str) -> String {
    sr_policy::recording::body_hash(Some(body.as_bytes())).unwrap()
}

fn kit() -> Testkit {
    Testkit::new(guest_writer::sr_plugin())
        .manifest(include_bytes!("../plugin/sr-plugin.json"))
        .recording(&recording())
}

#[test]
fn the_metadata_is_what_the_host_accepts() {
    let commands = kit().commands().unwrap();
    let columns: Vec<_> = commands[0]
        .columns
        .iter()
        .map(|column| column.name.as_str())
        .collect();
    assert_eq!(
        columns,
        ["order-number", "status"],
        "from the type the commit returns"
    );
}

#[test]
fn a_write_is_planned_then_committed_once() {
    let kit = kit();
    let write = kit.prepare("send", &["lamp", "--amount", "2"]).unwrap();
    let plan = write.plan();
    assert_eq!(plan.summary, "one order");
    assert_eq!(plan.checks[0].name, "price");
    assert_eq!(plan.checks[0].value, Cell::Text("9.50".to_owned()));
    assert_eq!(plan.will_send[1].value, Cell::Int(2));
    assert_eq!(kit.requests(), ["GET https://example.com/item/lamp"]);
    let rows = write.commit().unwrap();
    assert_eq!(rows.text(0, "order-number"), Some("A-17"));
    assert_eq!(rows.int(0, "status"), Some(201));
    match write.commit() {
        Err(Failure::Invalid(invalid)) => assert_eq!(invalid.name, "commit"),
        other => panic!("{other:?}"),
    }
    assert_eq!(kit.requests().len(), 2, "a second commit sends nothing");
}

#[test]
fn a_post_while_preparing_is_refused() {
    let kit = kit();
    match kit.prepare("early-post", &[]) {
        Err(Failure::Denied(denial)) => assert_eq!(denial.code, "NOT_DURING_PREPARE"),
        other => panic!("{other:?}"),
    }
    assert!(kit.requests().is_empty());
}

#[test]
fn a_write_dropped_uncommitted_sends_nothing() {
    let kit = kit();
    let write = kit.prepare("drop", &[]).unwrap();
    drop(write);
    assert!(kit.requests().is_empty());
    let write = kit.prepare("drop", &[]).unwrap();
    write.commit().unwrap();
    assert_eq!(kit.requests().len(), 1);
}

#[test]
fn a_failure_after_the_post_comes_through() {
    let kit = kit();
    let write = kit.prepare("late-fail", &["empty"]).unwrap();
    assert_eq!(
        write.commit(),
        Err(Failure::Empty("guest found nothing".to_owned()))
    );
    assert_eq!(kit.requests(), ["POST https://example.com/submit"]);
}

#[test]
fn run_on_a_write_and_prepare_on_a_read_are_invalid() {
    let kit = kit();
    for result in [
        kit.run("send", &["lamp"]).map(drop),
        kit.prepare("peek", &["lamp"]).map(drop),
    ] {
        assert!(matches!(result, Err(Failure::Invalid(invalid)) if invalid.name == "command"));
    }
    let rows = kit.run("peek", &["lamp"]).unwrap();
    assert_eq!(rows.text(0, "text"), Some("9.50"));
}
