//! Recordings: their text, what is kept out of them, and how they answer.

use sr_policy::CheckedUrl;
use sr_policy::recording::{
    Exchange, Player, RecordedBody, RecordedResponse, Recording, body_hash,
};

fn url(text: &str) -> CheckedUrl {
    CheckedUrl::parse(text).unwrap()
}

fn reply(body: &str) -> RecordedResponse {
    RecordedResponse::new(200, &[], body.as_bytes())
}

fn text_of(response: Option<&RecordedResponse>) -> Option<String> {
    response.map(|response| String::from_utf8(response.body.bytes()).unwrap())
}

const HAND_WRITTEN: &str = r#"{
  "version": 1,
  "synthetic": true,
  "notice": "Written from the public format",
  "clock_ms": 1796000000000,
  "seed": 7,
  "exchanges": [
    {
      "request": {
        "method": "GET",
        "url": "https://example.com?q=1"
      },
      "response": {
        "status": 200,
        "headers": [
          [
            "content-type",
            "text/plain"
          ]
        ],
        "body": {
          "text": "hello"
        }
      }
    }
  ]
}
"#;

#[test]
fn a_file_reads_back_and_is_written_the_same_every_time() {
    let recording = Recording::from_json(HAND_WRITTEN.as_bytes()).unwrap();
    assert!(recording.synthetic);
    assert_eq!((recording.clock_ms, recording.seed), (1_796_000_000_000, 7));
    assert_eq!(recording.to_json().unwrap(), HAND_WRITTEN);
}

#[test]
fn a_hand_written_url_is_matched_in_the_parsers_spelling() {
    let mut player = Player::new(Recording::from_json(HAND_WRITTEN.as_bytes()).unwrap());
    assert_eq!(
        text_of(player.answer("GET", &url("https://example.com/?q=1#x"), None)).as_deref(),
        Some("hello")
    );
    assert_eq!(player.recording().seed, 7);
}

#[test]
fn bodies_that_are_not_text_survive() {
    let bytes = [0xff, 0, 1, 2];
    let body = RecordedBody::from_bytes(&bytes);
    assert_eq!(
        serde_json::to_string(&body).unwrap(),
        r#"{"base64":"/wABAg=="}"#
    );
    assert_eq!(body.bytes(), bytes);
}

#[test]
fn no_secret_is_written() {
    let headers = [
        ("Authorization".to_owned(), "Bearer secret-1".to_owned()),
        ("Accept".to_owned(), "*/*".to_owned()),
    ];
    let cookie = [("Set-Cookie".to_owned(), "sid=secret-2".to_owned())];
    let response = RecordedResponse::new(200, &cookie, b"ok");
    let exchange = Exchange::new(
        "POST",
        &url("https://example.com/?token=secret-3&q=1"),
        &headers,
        Some(b"secret-4"),
        response,
    );
    let mut recording = Recording::new(0, 0);
    recording.exchanges.push(exchange);
    let text = recording.to_json().unwrap();
    assert!(!text.contains("secret"), "{text}");
    assert!(
        text.contains("https://example.com/?token=<redacted>&q=1") && text.contains("*/*"),
        "{text}"
    );
    let mut player = Player::new(Recording::from_json(text.as_bytes()).unwrap());
    let live = url("https://example.com/?token=another&q=1");
    assert_eq!(
        text_of(player.answer("POST", &live, Some(b"secret-4"))).as_deref(),
        Some("ok")
    );
}

#[test]
fn equal_requests_get_their_replies_in_order_and_the_last_repeats() {
    let mut recording = Recording::new(0, 0);
    let page = url("https://example.com/page");
    let other = url("https://example.com/other");
    for (place, body) in [(&page, "1"), (&other, "x"), (&page, "2")] {
        recording
            .exchanges
            .push(Exchange::new("GET", place, &[], None, reply(body)));
    }
    let mut player = Player::new(recording);
    let mut ask = |place: &CheckedUrl| text_of(player.answer("GET", place, None)).unwrap();
    assert_eq!(
        [ask(&page), ask(&page), ask(&page), ask(&other), ask(&other)],
        ["1", "2", "2", "x", "x"]
    );
}

#[test]
fn another_method_url_or_body_is_a_miss() {
    let mut recording = Recording::new(0, 0);
    recording.exchanges.push(Exchange::new(
        "POST",
        &url("https://example.com/a"),
        &[],
        Some(b"1"),
        reply("x"),
    ));
    let mut player = Player::new(recording);
    for (method, place, body) in [
        ("GET", "https://example.com/a", Some("1")),
        ("POST", "https://example.com/b", Some("1")),
        ("POST", "https://example.com/a?x", Some("1")),
        ("POST", "https://example.com/a", Some("2")),
        ("POST", "https://example.com/a", None),
        ("POST", "http://example.com/a", Some("1")),
    ] {
        assert_eq!(
            player.answer(method, &url(place), body.map(str::as_bytes)),
            None,
            "{method} {place} {body:?}"
        );
    }
    assert!(
        player
            .answer("POST", &url("https://example.com/a"), Some(b"1"))
            .is_some()
    );
    assert_eq!(body_hash(Some(b"")), None);
}

#[test]
fn a_file_that_cannot_be_played_says_which_exchange_and_field() {
    let vectors = [
        ("\"version\": 1", "\"version\": 2", "version 2"),
        (
            "\"seed\": 7,",
            "\"seed\": 7, \"seed\": 8,",
            "duplicate key: seed",
        ),
        ("\"synthetic\"", "\"sythetic\"", "unknown field `sythetic`"),
        (
            "https://example.com?q=1",
            "ftp://example.com",
            "exchange 0: request.url",
        ),
        ("\"GET\"", "\"BREW\"", "exchange 0: request.method"),
        (
            "\"status\": 200",
            "\"status\": 99",
            "exchange 0: response.status",
        ),
        (
            "\"text\": \"hello\"",
            "\"base64\": \"***\"",
            "exchange 0: response.body.base64",
        ),
        (
            "\"url\"",
            "\"body_sha256\": \"AB\", \"url\"",
            "exchange 0: request.body_sha256",
        ),
        (
            "\"text\": \"hello\"",
            "\"file\": \"x\"",
            "unknown variant `file`",
        ),
    ];
    for (from, to, needle) in vectors {
        let text = HAND_WRITTEN.replace(from, to);
        assert_ne!(text, HAND_WRITTEN);
        let error = Recording::from_json(text.as_bytes())
            .unwrap_err()
            .to_string();
        assert!(error.contains(needle), "{needle}: {error}");
    }
    let newer = r#"{"version": 9, "shape": "unknown"}"#;
    assert!(
        Recording::from_json(newer.as_bytes())
            .unwrap_err()
            .to_string()
            .contains("version 9")
    );
}

#[test]
fn a_redacted_redirect_still_leads_to_the_recorded_hop() {
    let location = [("location".to_owned(), "/done?token=secret".to_owned())];
    let start = url("https://example.com/start");
    let done = url("https://example.com/done?token=secret");
    let mut recording = Recording::new(0, 0);
    recording.exchanges.push(Exchange::new(
        "GET",
        &start,
        &[],
        None,
        RecordedResponse::new(302, &location, b""),
    ));
    recording
        .exchanges
        .push(Exchange::new("GET", &done, &[], None, reply("there")));
    let mut player = Player::new(recording);
    let target = player.answer("GET", &start, None).unwrap().headers[0]
        .1
        .clone();
    assert!(!target.contains("secret"));
    let hop = start.join(&target).unwrap();
    assert_eq!(
        text_of(player.answer("GET", &hop, None)).as_deref(),
        Some("there")
    );
}
