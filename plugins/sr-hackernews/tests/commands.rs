//! The commands on recorded replies, under the host's own policy.

use sr_guest::{Cell, Failure};
use sr_guest_testkit::Testkit;

const MANIFEST: &[u8] = include_bytes!("../plugin/sr-plugin.json");
const TOP: &[u8] = include_bytes!("../recordings/top.json");

fn kit(recording: &[u8]) -> Testkit {
    Testkit::new(sr_hackernews::sr_plugin())
        .manifest(MANIFEST)
        .recording(recording)
}

/// A recording with these paths and bodies.
fn replies(exchanges: &[(String, String)]) -> Vec<u8> {
    let exchanges: Vec<_> = exchanges
        .iter()
        .map(|(path, body)| {
            serde_json::json!({
                "request": {"method": "GET", "url": format!("https://hacker-news.firebaseio.com/v0/{path}.json")},
                "response": {"status": 200, "headers": [], "body": {"text": body}},
            })
        })
        .collect();
    let recording = serde_json::json!({
        "version": 1, "synthetic": true, "clock_ms": 0, "seed": 0, "exchanges": exchanges,
    });
    recording.to_string().into_bytes()
}

fn story(id: usize) -> String {
    format!("{{\"id\":{id},\"type\":\"story\",\"title\":\"s{id}\"}}")
}

#[test]
fn the_front_page_keeps_its_order() {
    let kit = kit(TOP);
    let rows = kit.run("top", &["--limit", "5"]).unwrap();
    let ids: Vec<_> = (0..5).map(|row| rows.int(row, "id").unwrap()).collect();
    assert_eq!(ids, [9_000_008, 9_000_003, 9_000_005, 9_000_001, 9_000_009]);
    assert_eq!(rows.int(4, "rank"), Some(5));
    assert_eq!(rows.text(0, "title"), Some("An invented story number 1"));
    assert_eq!(rows.text(0, "url"), Some("https://story1.example/read"));
    let own_page = "https://news.ycombinator.com/item?id=9000001";
    assert_eq!(
        rows.text(3, "url"),
        Some(own_page),
        "a question links to itself"
    );
    assert_eq!(kit.requests().len(), 6);
}

#[test]
fn more_stories_than_one_call_takes_are_asked_for_in_portions() {
    let ids: Vec<usize> = (1..=80).rev().collect();
    let mut exchanges = vec![("topstories".to_owned(), format!("{ids:?}"))];
    exchanges.extend(ids.iter().map(|id| (format!("item/{id}"), story(*id))));
    let rows = kit(&replies(&exchanges)).run("top", &["-n", "70"]).unwrap();
    assert_eq!(rows.len(), 70);
    assert_eq!(rows.int(0, "id"), Some(80));
    assert_eq!(rows.int(69, "id"), Some(11));
}

#[test]
fn a_deleted_story_is_left_out_and_keeps_its_rank() {
    let recording = replies(&[
        ("topstories".to_owned(), "[1,2,3]".to_owned()),
        ("item/1".to_owned(), story(1)),
        ("item/2".to_owned(), "null".to_owned()),
        ("item/3".to_owned(), story(3)),
    ]);
    let rows = kit(&recording).run("top", &[]).unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows.int(1, "rank"), Some(3));
    assert_eq!(rows.cell(1, "score"), Some(&Cell::Null));
}

#[test]
fn a_comment_is_an_item_with_plain_text() {
    let kit = kit(include_bytes!("../recordings/item.json"));
    let rows = kit.run("item", &["9000100"]).unwrap();
    assert_eq!(rows.text(0, "type"), Some("comment"));
    assert_eq!(rows.int(0, "parent"), Some(9_000_008));
    let text = "Plain words & a link: example.com\n\nSecond paragraph.";
    assert_eq!(rows.text(0, "text"), Some(text));
    assert_eq!(
        kit.run("item", &["404"]),
        Err(Failure::Empty("no such item".to_owned()))
    );
}

#[test]
fn a_user_is_one_row() {
    let kit = kit(include_bytes!("../recordings/user.json"));
    let rows = kit.run("user", &["inventor"]).unwrap();
    assert_eq!(rows.int(0, "karma"), Some(1234));
    assert_eq!(rows.int(0, "submitted"), Some(3));
    assert_eq!(rows.int(0, "created"), Some(1_600_000_000_000));
    assert_eq!(
        kit.run("user", &["nobody"]),
        Err(Failure::Empty("no such user".to_owned()))
    );
}

#[test]
fn bad_arguments_are_invalid_before_anything_leaves() {
    for (command, words, name) in [
        ("top", &["--limit", "0"][..], "limit"),
        ("top", &["--limit", "101"], "limit"),
        ("item", &["0"], "id"),
        ("item", &["abc"], "id"),
        ("user", &["../item/1"], "name"),
        ("user", &[""], "name"),
    ] {
        let kit = kit(TOP);
        match kit.run(command, words) {
            Err(Failure::Invalid(invalid)) => assert_eq!(invalid.name, name, "{words:?}"),
            other => panic!("{words:?}: {other:?}"),
        }
        assert!(kit.requests().is_empty(), "{words:?}");
    }
}

#[test]
fn a_reply_of_another_shape_says_where() {
    let list = replies(&[("topstories".to_owned(), "{\"a\":1}".to_owned())]);
    let item = replies(&[
        ("topstories".to_owned(), "[1]".to_owned()),
        ("item/1".to_owned(), "{\"id\":\"1\"}".to_owned()),
    ]);
    for (recording, says) in [
        (list, "the reply: an object where a list should be"),
        (item, "id: a text where a whole number should be"),
    ] {
        match kit(&recording).run("top", &[]) {
            Err(Failure::Other(coded)) => {
                assert_eq!(coded.code, "UNEXPECTED_REPLY");
                assert_eq!(coded.message, says);
            }
            other => panic!("{other:?}"),
        }
    }
}
