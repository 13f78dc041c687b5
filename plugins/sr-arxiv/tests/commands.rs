//! The commands on recorded replies, under the host's own policy.

use sr_guest::{Cell, Failure};
use sr_guest_testkit::Testkit;

const MANIFEST: &[u8] = include_bytes!("../plugin/sr-plugin.json");

fn kit(recording: &[u8]) -> Testkit {
    Testkit::new(sr_arxiv::sr_plugin())
        .manifest(MANIFEST)
        .recording(recording)
}

fn paper() -> Testkit {
    kit(include_bytes!("../recordings/paper.json"))
}

fn search() -> Testkit {
    kit(include_bytes!("../recordings/search.json"))
}

/// A recording of one reply to the paper's query.
fn reply(status: u16, body: &str) -> Vec<u8> {
    let exchange = serde_json::json!({
        "request": {"method": "GET", "url": "https://export.arxiv.org/api/query?id_list=1706.03762"},
        "response": {"status": status, "headers": [], "body": {"text": body}},
    });
    let recording = serde_json::json!({
        "version": 1, "synthetic": true, "clock_ms": 0, "seed": 0, "exchanges": [exchange],
    });
    recording.to_string().into_bytes()
}

#[test]
fn the_metadata_is_what_the_host_accepts() {
    let commands = paper().commands().unwrap();
    assert_eq!(commands.len(), 2);
    assert!(
        commands
            .iter()
            .all(|command| command.pace.is_some_and(|pace| pace.min_gap_ms == 3000))
    );
}

#[test]
fn a_paper_is_one_row_with_all_its_columns() {
    let rows = paper().run("paper", &["arXiv:1706.03762"]).unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows.text(0, "id"), Some("1706.03762v7"));
    assert_eq!(rows.text(0, "title"), Some("Attention Is All You Need"));
    let authors = rows.text(0, "authors").unwrap();
    assert!(
        authors.starts_with("Ashish Vaswani, Noam Shazeer, "),
        "{authors}"
    );
    assert_eq!(rows.int(0, "published"), Some(1_497_290_254_000));
    assert_eq!(rows.text(0, "category"), Some("cs.CL"));
    assert_eq!(
        rows.text(0, "url"),
        Some("https://arxiv.org/abs/1706.03762v7")
    );
    let words = "A stand-in for the abstract, wrapped the way the feed wraps it, with a <tag> & an ampersand.";
    assert_eq!(rows.text(0, "abstract"), Some(words));
    assert_eq!(rows.text(0, "comment"), Some("15 pages, 5 figures"));
    assert_eq!(rows.cell(0, "doi"), Some(&Cell::Null));
}

#[test]
fn a_search_is_a_row_per_paper_in_the_sites_order() {
    let kit = search();
    let rows = kit.run("search", &["attention", "--limit", "5"]).unwrap();
    assert_eq!(rows.len(), 5);
    assert_eq!(
        rows.text(0, "title"),
        Some("Attention in Small Models: An Invented Example")
    );
    assert_eq!(rows.text(1, "authors"), Some("Ada Example, Björn Muster"));
    assert_eq!(
        rows.text(3, "title"),
        Some("Attention over Graphs <Without> Edges")
    );
    assert_eq!(rows.footer(), Some("5 of 4321 papers"));
    assert_eq!(kit.requests().len(), 1);
}

#[test]
fn the_query_and_the_order_reach_the_site() {
    let kit = search();
    let miss = kit.run("search", &["a b&c", "-n", "3", "--sort", "submitted"]);
    assert!(matches!(miss, Err(Failure::Other(coded)) if coded.code == "REPLAY_MISS"));
    assert_eq!(
        kit.requests(),
        [
            "GET https://export.arxiv.org/api/query?search_query=all%3Aa%20AND%20all%3Ab%26c&start=0\
          &max_results=3&sortBy=submittedDate&sortOrder=descending"
        ]
    );
}

#[test]
fn bad_arguments_are_invalid_before_anything_leaves() {
    for (command, words, name) in [
        ("paper", &["attention"][..], "id"),
        ("paper", &[], "id"),
        ("search", &["  "], "query"),
        ("search", &["x", "--limit", "0"], "limit"),
        ("search", &["x", "--limit", "101"], "limit"),
        ("search", &["x", "--limit", "ten"], "limit"),
        ("search", &["x", "--sort", "best"], "sort"),
    ] {
        let kit = paper();
        match kit.run(command, words) {
            Err(Failure::Invalid(invalid)) => assert_eq!(invalid.name, name, "{words:?}"),
            other => panic!("{words:?}: {other:?}"),
        }
        assert!(kit.requests().is_empty(), "{words:?}");
    }
}

#[test]
fn no_paper_is_an_answer_and_a_broken_reply_a_failure() {
    let empty = "<feed xmlns='http://www.w3.org/2005/Atom'/>";
    let result = kit(&reply(200, empty)).run("paper", &["1706.03762"]);
    assert_eq!(result, Err(Failure::Empty("no such paper".to_owned())));
    for (status, body, code) in [
        (200, "<html>maintenance</html>", "UNEXPECTED_REPLY"),
        (200, "", "UNEXPECTED_REPLY"),
        (503, "busy", "HTTP_STATUS"),
    ] {
        match kit(&reply(status, body)).run("paper", &["1706.03762"]) {
            Err(Failure::Other(coded)) => assert_eq!(coded.code, code),
            other => panic!("{other:?}"),
        }
    }
    let slow = kit(&reply(429, "")).run("paper", &["1706.03762"]);
    assert!(matches!(slow, Err(Failure::Throttled(_))), "{slow:?}");
}

#[test]
fn only_the_manifests_domain_is_reached() {
    let kit = Testkit::from_recording(
        sr_arxiv::sr_plugin(),
        include_bytes!("../recordings/paper.json"),
    )
    .domains(&["example.com"]);
    match kit.run("paper", &["1706.03762"]) {
        Err(Failure::Denied(denial)) => {
            assert_eq!(denial.code, "DOMAIN_NOT_ALLOWED");
            assert!(denial.fix.unwrap().contains("export.arxiv.org"));
        }
        other => panic!("{other:?}"),
    }
    assert!(kit.requests().is_empty());
}
