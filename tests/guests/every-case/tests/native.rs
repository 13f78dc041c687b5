//! The guest run natively: what the testsuite later expects of the component.

use sr_guest::{Cell, Failure};
use sr_guest_testkit::{Level, Rows, Testkit};

const RECORDING: &[u8] = br#"{"version": 1, "synthetic": true, "clock_ms": 0, "seed": 0, "exchanges": [
    {"request": {"method": "GET", "url": "https://example.com/"},
     "response": {"status": 200, "headers": [["Content-Type", "text/plain"]], "body": {"text": "hello"}}},
    {"request": {"method": "GET", "url": "https://example.com/missing"},
     "response": {"status": 404, "headers": [], "body": {"text": "no"}}},
    {"request": {"method": "GET", "url": "https://example.com/moved"},
     "response": {"status": 302, "headers": [["location", "/"]], "body": {"text": ""}}},
    {"request": {"method": "GET", "url": "https://example.com/out"},
     "response": {"status": 302, "headers": [["location", "https://evil.test/"]], "body": {"text": ""}}},
    {"request": {"method": "GET", "url": "https://example.com/down"},
     "response": {"status": 302, "headers": [["location", "http://example.com/"]], "body": {"text": ""}}},
    {"request": {"method": "GET", "url": "https://example.com/loop"},
     "response": {"status": 302, "headers": [["location", "/loop"]], "body": {"text": ""}}}
]}"#;

fn kit() -> Testkit {
    Testkit::new(guest_every_case::sr_plugin())
        .manifest(include_bytes!("../plugin/sr-plugin.json"))
        .sitedata(include_bytes!("../plugin/sitedata.json"))
        .recording(RECORDING)
}

fn value<'a>(rows: &'a Rows, name: &str) -> Option<&'a str> {
    let row = (0..rows.len()).find(|row| rows.text(*row, "name") == Some(name))?;
    rows.text(row, "value")
}

#[test]
fn the_metadata_is_what_the_host_accepts() {
    kit().commands().unwrap();
}

#[test]
fn every_failure_case_comes_through() {
    for case in [
        "denied",
        "denied-bare",
        "login-wall",
        "empty",
        "selector-miss",
        "timeout",
        "stale",
        "busy",
        "throttled",
        "throttled-bare",
        "invalid",
        "unavailable",
        "cancelled",
        "other",
        "other-retryable",
        "other-bare",
    ] {
        let failure = kit().run("fail", &[case]).unwrap_err();
        let name = match failure {
            Failure::Denied(_) => "denied",
            Failure::LoginWall(_) => "login-wall",
            Failure::Empty(_) => "empty",
            Failure::SelectorMiss(_) => "selector-miss",
            Failure::Timeout(_) => "timeout",
            Failure::Stale(_) => "stale",
            Failure::Busy(_) => "busy",
            Failure::Throttled(_) => "throttled",
            Failure::Invalid(_) => "invalid",
            Failure::Unavailable(_) => "unavailable",
            Failure::Cancelled => "cancelled",
            Failure::Other(coded) => {
                assert_eq!(coded.code, "GUEST_CODE", "not a mistake of the test itself");
                assert_eq!(coded.retryable, case == "other-retryable");
                "other"
            }
        };
        assert!(case.starts_with(name), "{case} came as {name}");
    }
}

#[test]
fn every_cell_kind_is_there_and_null() {
    let rows = kit().run("cells", &[]).unwrap();
    assert_eq!(rows.cell(0, "int-min"), Some(&Cell::Int(i64::MIN)));
    assert_eq!(
        rows.cell(0, "float-tiny"),
        Some(&Cell::Float(f64::MIN_POSITIVE))
    );
    let nulls = rows.rows()[0]
        .iter()
        .filter(|cell| matches!(cell, Cell::Null))
        .count();
    assert_eq!(nulls, 7);
    assert_eq!(rows.note("guest-note"), Some("guest value"));
    assert_eq!(rows.footer(), Some("guest footer"));
}

#[test]
fn every_argument_kind_comes_back_as_text() {
    let rows = kit()
        .run(
            "say",
            &[
                "one",
                "-a",
                "--int=-3",
                "two",
                "--float",
                "1.5",
                "--date",
                "1970-01-02",
                "--json",
                "[1]",
                "--url",
                "https://example.com/",
                "--colour",
                "red",
                "--fruit",
                "apple",
                "--content",
                "text",
                "--many",
                "1",
                "--many",
                "2",
                "--",
                "--three",
            ],
        )
        .unwrap();
    let pairs: Vec<_> = (0..rows.len())
        .map(|row| {
            format!(
                "{}={}",
                rows.text(row, "name").unwrap(),
                rows.text(row, "value").unwrap()
            )
        })
        .collect();
    assert_eq!(
        pairs,
        [
            "words=one",
            "words=two",
            "words=--three",
            "flag=true",
            "int=-3",
            "float=1.5",
            "url=https://example.com/",
            "date=86400000",
            "json=[1]",
            "colour=red",
            "content=text",
            "fruit=apple",
            "many=1",
            "many=2",
            "given=words",
            "given=flag",
            "given=int",
            "given=float",
            "given=fruit",
            "given=many",
        ]
    );
}

#[test]
fn words_that_do_not_fit_are_invalid_and_named() {
    for (words, name) in [
        (&["--int", "101"][..], "int"),
        (&["--int"], "int"),
        (&["--int", "1", "--int", "2"], "int"),
        (&["--flag=yes"], "flag"),
        (&["--colour", "black"], "colour"),
        (&["--date", "tomorrow"], "date"),
        (&["--json", "{"], "json"),
        (&["--url", "ftp://example.com/"], "url"),
        (&["--many", "256"], "many"),
        (&["--nothing"], "--nothing"),
        (&["-x"], "-x"),
    ] {
        match kit().run("echo", words) {
            Err(Failure::Invalid(invalid)) => assert_eq!(invalid.name, name),
            other => panic!("{words:?}: {other:?}"),
        }
    }
}

#[test]
fn fetch_tells_what_came_back_and_follows_what_it_may() {
    let rows = kit().run("fetch", &["https://example.com/moved"]).unwrap();
    assert_eq!(value(&rows, "status"), Some("200"));
    assert_eq!(value(&rows, "url"), Some("https://example.com/"));
    assert_eq!(value(&rows, "body"), Some("hello"));
    assert_eq!(value(&rows, "content-type"), Some("text/plain"));
    let manual = ["https://example.com/moved", "--redirects", "manual"];
    assert_eq!(
        value(&kit().run("fetch", &manual).unwrap(), "status"),
        Some("302")
    );
    let missing = kit()
        .run("fetch", &["https://example.com/missing"])
        .unwrap();
    assert_eq!(value(&missing, "status"), Some("404"), "a 404 is an answer");
}

#[test]
fn what_the_policy_refuses_is_denied_and_nothing_leaves_for_it() {
    for (words, code, left) in [
        (&["https://evil.test/"][..], "DOMAIN_NOT_ALLOWED", 0),
        (&["https://example.com/out"], "DOMAIN_NOT_ALLOWED", 1),
        (
            &["https://example.com/", "--method", "POST"],
            "METHOD_NOT_ALLOWED",
            0,
        ),
        (
            &["https://example.com/", "--header", "Host: evil.test"],
            "HEADER_NOT_ALLOWED",
            0,
        ),
        (&["https://me@example.com/"], "USERINFO_NOT_ALLOWED", 0),
        (&["file:///etc/passwd"], "SCHEME_NOT_ALLOWED", 0),
        (&["https://example.com:8443/"], "PORT_NOT_ALLOWED", 0),
        (&["https://127.0.0.1/"], "ADDRESS_NOT_ALLOWED", 0),
    ] {
        let kit = kit();
        match kit.run("fetch", words) {
            Err(Failure::Denied(denial)) => assert_eq!(denial.code, code, "{words:?}"),
            other => panic!("{words:?}: {other:?}"),
        }
        assert_eq!(kit.requests().len(), left, "{words:?}");
    }
    match kit().run("fetch", &["https://example.com/out"]) {
        Err(Failure::Denied(denial)) => {
            assert_eq!(denial.subject, "evil.test (redirect 1 from example.com)");
        }
        other => panic!("{other:?}"),
    }
    let down = kit().run("fetch", &["https://example.com/down"]);
    assert!(matches!(down, Err(Failure::Denied(denial)) if denial.rule == "redirect-downgrade"));
    let endless = kit().run("fetch", &["https://example.com/loop"]);
    assert!(matches!(endless, Err(Failure::Other(coded)) if coded.code == "TOO_MANY_REDIRECTS"));
}

#[test]
fn limits_of_a_request_are_refused_by_name() {
    for (words, name) in [
        (&["--wait", "60001"][..], "timeout-ms"),
        (&["--max-bytes", "16777217"], "max-bytes"),
    ] {
        let words = [&["https://example.com/"], words].concat();
        match kit().run("fetch", &words) {
            Err(Failure::Invalid(invalid)) => assert_eq!(invalid.name, name),
            other => panic!("{other:?}"),
        }
    }
    let large = kit().run("fetch", &["https://example.com/", "--max-bytes", "4"]);
    assert!(matches!(large, Err(Failure::Other(coded)) if coded.code == "RESPONSE_TOO_LARGE"));
    let at_once = kit().run("fetch-all", &["https://example.com/", "--at-once", "9"]);
    assert!(matches!(at_once, Err(Failure::Invalid(invalid)) if invalid.name == "at-once"));
}

#[test]
fn one_bad_request_of_several_does_not_spoil_the_rest() {
    let rows = kit()
        .run(
            "fetch-all",
            &[
                "https://example.com/missing",
                "https://evil.test/",
                "https://example.com/",
            ],
        )
        .unwrap();
    let values: Vec<_> = (0..3).map(|row| rows.text(row, "value").unwrap()).collect();
    assert_eq!(values, ["404", "DOMAIN_NOT_ALLOWED", "200"]);
}

#[test]
fn text_is_wanted_only_of_a_good_status() {
    let rows = kit().run("get-text", &["https://example.com/"]).unwrap();
    assert_eq!(value(&rows, "text"), Some("hello"));
    let missing = kit().run("get-text", &["https://example.com/missing"]);
    assert!(matches!(missing, Err(Failure::Other(coded)) if coded.code == "HTTP_STATUS"));
}

#[test]
fn sitedata_answers_by_pointer() {
    let rows = kit().run("sitedata", &["/commands/sitedata/base"]).unwrap();
    assert_eq!(value(&rows, "version"), Some("2026.11.30"));
    assert_eq!(value(&rows, "source"), Some("bundled"));
    assert_eq!(value(&rows, "title"), Some("h1.title"));
    assert_eq!(value(&rows, "text"), Some("https://example.com/base"));
    let number = kit().run("sitedata", &["/commands/sitedata/limit"]);
    assert!(matches!(number, Err(Failure::Invalid(_))));
    let missing = kit().run("sitedata", &["/nothing"]);
    assert!(matches!(missing, Err(Failure::SelectorMiss(_))));
}

#[test]
fn sitedata_needs_its_capability() {
    let kit = Testkit::new(guest_every_case::sr_plugin()).domains(&["example.com"]);
    match kit.run("sitedata", &["/version"]) {
        Err(Failure::Denied(denial)) => assert_eq!(denial.code, "CAPABILITY_NOT_GRANTED"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn lines_rows_and_progress_reach_the_host() {
    let kit = kit();
    kit.run("log", &["2"]).unwrap();
    assert_eq!(kit.logs()[1], (Level::Info, "guest line 1".to_owned()));
    assert_eq!(kit.logs().len(), 3);
    let rows = kit.run("emit", &["2500"]).unwrap();
    assert_eq!(rows.len(), 2501);
    assert_eq!(rows.text(2500, "name"), Some("late"));
    let rows = kit.run("progress", &["4"]).unwrap();
    assert_eq!(value(&rows, "done"), Some("4"));
    assert_eq!(kit.progress().len(), 4);
    kit.run("pause", &["5"]).unwrap();
    kit.run("print", &[]).unwrap();
}

#[test]
fn a_cancelled_run_says_so_at_every_call() {
    let kit = kit().cancelled();
    assert_eq!(kit.run("pause", &["5"]), Err(Failure::Cancelled));
    assert_eq!(
        kit.run("fetch", &["https://example.com/"]),
        Err(Failure::Cancelled)
    );
    assert_eq!(kit.run("emit", &[]), Err(Failure::Cancelled));
    let rows = kit.run("progress", &["4"]).unwrap();
    assert_eq!(value(&rows, "done"), Some("0"));
    assert_eq!(value(&rows, "cancelled"), Some("true"));
}

#[test]
fn a_mistake_of_the_test_itself_is_told() {
    for kit in [
        kit().recording(b"{}"),
        kit().manifest(b"no"),
        kit().domains(&["https://example.com"]),
        kit().sitedata(b"no"),
    ] {
        let result = kit.run("cells", &[]);
        assert!(matches!(result, Err(Failure::Other(coded)) if coded.code == "TESTKIT"));
    }
    let result = kit().run("no-command", &[]);
    assert!(matches!(result, Err(Failure::Other(coded)) if coded.code == "TESTKIT"));
}
