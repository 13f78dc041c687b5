//! URLs, times and failures.

#![expect(clippy::panic, reason = "helpers of a test fail it")]

use sr_guest::failure::is_code;
use sr_guest::prelude::*;
use sr_guest::url::UrlBuilder;

#[derive(Choice)]
enum Kind {
    BestOf,
}

#[test]
fn values_in_a_url_are_percent_encoded() {
    let query = "a b&c=d#e/é?+%";
    let id = String::from("x/../y z");
    let kind = Kind::BestOf;
    let (number, count) = (-5_i64, u64::MAX);
    let url = url!("https://a.example/p/{id}/{kind}.json?q={query}&n={number}&c={count}#f");
    assert_eq!(
        url.as_str(),
        "https://a.example/p/x%2F..%2Fy%20z/best-of.json?q=a%20b%26c%3Dd%23e%2F%C3%A9%3F%2B%25\
         &n=-5&c=18446744073709551615#f"
    );
}

#[test]
fn a_value_of_dots_does_not_climb() {
    for (value, path) in [
        ("..", "%252E%252E"),
        (".", "%252E"),
        ("...", "%252E%252E%252E"),
        ("..a", "..a"),
        ("v1.5", "v1.5"),
        ("%2e%2e", "%252e%252e"),
        ("", ""),
    ] {
        let url = url!("https://a.example/p/{value}/x");
        assert_eq!(
            url.as_str(),
            format!("https://a.example/p/{path}/x"),
            "{value}"
        );
    }
    let dots = "..";
    assert_eq!(
        url!("https://a.example/?v={dots}").as_str(),
        "https://a.example/?v=.."
    );
}

#[test]
fn values_in_a_url_may_be_expressions() {
    struct Page {
        number: u32,
    }
    let page = Page { number: 3 };
    let url = url!("https://a.example/{page.number}?next={page.number + 1}");
    assert_eq!(url.as_str(), "https://a.example/3?next=4");
    assert_eq!(UrlBuilder::new().finish().as_str(), "");
}

#[test]
fn dates_of_the_web_are_read() {
    for (text, ms) in [
        ("1970-01-01", Some(0)),
        ("2000-02-29", Some(951_782_400_000)),
        ("2017-06-12T17:57:34Z", Some(1_497_290_254_000)),
        ("2017-06-12t17:57:34.123456z", Some(1_497_290_254_123)),
        ("2017-06-12T19:57:34+02:00", Some(1_497_290_254_000)),
        ("2017-06-12T13:27:34.5-04:30", Some(1_497_290_254_500)),
        (" 1969-12-31T23:59:59.999Z ", Some(-1)),
        ("0001-01-01", Some(-62_135_596_800_000)),
        ("2016-12-31T23:59:60Z", Some(1_483_228_800_000)),
        ("2100-02-29", None),
        ("2017-13-01", None),
        ("2017-00-01", None),
        ("2017-06-31", None),
        ("2017-06-12T24:00:00Z", None),
        ("2017-06-12T17:57:34", None),
        ("2017-06-12T17:57:34.Z", None),
        ("2017-06-12T17:57:34Zx", None),
        ("2017-6-12", None),
        ("12 June 2017", None),
        ("", None),
        ("２０17-06-12", None),
    ] {
        assert_eq!(Time::parse(text), ms.map(Time), "{text}");
    }
    assert_eq!(Time::from_seconds(i64::MAX), Time(i64::MAX));
}

fn coded<T: std::fmt::Debug>(result: Result<T>) -> (String, String, Option<String>) {
    match result {
        Err(Failure::Other(coded)) => (coded.code, coded.message, coded.hint),
        other => panic!("{other:?}"),
    }
}

#[test]
fn fail_ends_a_command_with_code_message_and_hint() {
    fn with_hint(id: u32) -> Result<()> {
        fail!(NO_PAPER, "no paper {id}", hint: "try search");
    }
    fn without() -> Result<()> {
        fail!(A1_B, ["two", " parts"].concat());
    }
    let expected = (
        "NO_PAPER".to_owned(),
        "no paper 7".to_owned(),
        Some("try search".to_owned()),
    );
    assert_eq!(coded(with_hint(7)), expected);
    assert_eq!(
        coded(without()),
        ("A1_B".to_owned(), "two parts".to_owned(), None)
    );
}

#[test]
fn codes_are_screaming_snake() {
    for code in ["A", "A_B", "A1"] {
        assert!(is_code(code), "{code}");
    }
    for code in ["", "a", "_A", "1A", "A-B", &"A".repeat(65)] {
        assert!(!is_code(code), "{code}");
    }
}

#[test]
fn question_mark_turns_errors_into_failures() {
    fn number(text: &str) -> Result<u8> {
        Ok(text.parse::<u8>()?)
    }
    fn text(bytes: &[u8]) -> Result<&str> {
        Ok(std::str::from_utf8(bytes)?)
    }
    fn missing(value: Option<u8>) -> Result<u8> {
        Ok(value.ok_or("no value")?)
    }
    assert_eq!(coded(number("x")).1, "not a whole number that fits");
    assert_eq!(coded(text(b"\xff")).1, "not UTF-8");
    assert_eq!(coded(missing(None)).1, "no value");
    let foreign: Result<char, std::char::ParseCharError> = "ab".parse();
    let found = coded(foreign.or_unexpected("the mark")).1;
    assert!(found.starts_with("the mark: "), "{found}");
}

#[test]
fn context_adds_words_but_never_hides_a_denial() {
    let number: Result<u8> = "x".parse::<u8>().context("reading the limit");
    assert_eq!(
        coded(number).1,
        "reading the limit: not a whole number that fits"
    );
    let cancelled: Result<()> = Err(Failure::Cancelled);
    assert_eq!(cancelled.context("reading"), Err(Failure::Cancelled));
    let denied = Failure::Denied(sr_guest::bindings::sr::runtime::types::Denial {
        code: "DOMAIN_NOT_ALLOWED".to_owned(),
        rule: "allowlist".to_owned(),
        subject: "evil.example".to_owned(),
        fix: None,
    });
    let result: Result<()> = Err(denied.clone());
    assert_eq!(result.context("reading"), Err(denied));
}

#[test]
fn nothing_is_an_answer() {
    let empty = Err(Failure::Empty("none".to_owned()));
    assert_eq!(None::<u8>.or_empty("none"), empty);
    assert_eq!(Some(1).or_empty("none"), Ok(1));
    assert_eq!(
        Vec::<u8>::new().or_empty("none"),
        Err(Failure::Empty("none".to_owned()))
    );
    assert_eq!(vec![1].or_empty("none"), Ok(vec![1]));
}

#[test]
fn without_a_test_kit_a_host_call_says_so() {
    let failure = fetch::get("https://a.example/").send().unwrap_err();
    let Failure::Unavailable(message) = failure else {
        panic!("{failure:?}");
    };
    assert!(message.contains("no test kit is installed"), "{message}");
    log::info!("nobody sees this");
    assert!(task::progress(1, 2, "step"));
}

#[test]
fn a_get_becomes_any_other_request() {
    let url = "https://a.example/";
    let named = |fetch: fetch::Fetch| fetch.header("accept", "text/plain").into_request();
    let request = fetch::get(url)
        .header("accept", "text/plain")
        .into_request();
    assert_eq!(request, named(fetch::request("GET", url)));
    assert_ne!(request, named(fetch::post(url)));
    assert_eq!(fetch::get(url).max_bytes(9).into_request().max_bytes, 9);
}

#[test]
fn hello_world_is_at_most_25_lines() {
    let source = include_str!("../examples/hello.rs");
    assert!(source.contains("fetch::get") && source.contains("plugin!"));
    assert!(source.lines().count() <= 25, "{}", source.lines().count());
}
