//! What a case gives a harness: servers, process lists, files.

use crate::machines::on;
use serde_json::{Value, json};
use sr_browsers::corpus::{Answer, Case, NEED_FLAG, NEED_PROCESS};

fn case(input: &Value) -> Case {
    let mut input = input.clone();
    input["description"] = json!("a fake");
    input["needs"] = json!([NEED_FLAG]);
    let case = json!({"name": "fake", "case": input, "expected": {}});
    serde_json::from_value(case).expect("a case")
}

#[test]
fn a_server_replies_with_its_bodies_and_404() {
    let case = case(&json!({"http": {"127.0.0.1:41001": {"version": {"Browser": "X/1"}}}}));
    let reply = |path| case.http_get("LOCALHOST:41001", path);
    assert_eq!(
        reply("/json/version"),
        Some((200, r#"{"Browser":"X/1"}"#.to_owned()))
    );
    for path in ["/json/list", "/json", "/"] {
        assert_eq!(reply(path).map(|(status, _)| status), Some(404), "{path}");
    }
    assert!(case.server("[::1]:41001").is_some());
    assert_eq!(case.http_get("127.0.0.1:41002", "/json/version"), None);
    assert_eq!(
        case.answer("127.0.0.1:41002", "/json/version"),
        Answer::Refused
    );
}

#[test]
fn a_server_may_be_anything_but_http() {
    for (answer, expected) in [
        ("silent", Answer::Open),
        ("garbage", Answer::Open),
        ("close", Answer::Open),
        ("timeout", Answer::Timeout),
    ] {
        let case = case(&json!({"http": {"127.0.0.1:41001": {"answer": answer}}}));
        assert_eq!(case.answer("127.0.0.1:41001", "/json/version"), expected);
        assert_eq!(case.http_get("127.0.0.1:41001", "/json/version"), None);
    }
}

#[test]
fn a_status_replaces_that_of_every_reply() {
    let server = json!({"version": {}, "answer": "status", "status": 503});
    let case = case(&json!({"http": {"127.0.0.1:41001": server}}));
    let version = case.http_get("127.0.0.1:41001", "/json/version");
    assert_eq!(version, Some((503, "{}".to_owned())));
    let list = case.http_get("127.0.0.1:41001", "/json/list");
    assert_eq!(list.map(|(status, _)| status), Some(503));
}

#[test]
fn process_lists_have_the_forms_of_the_systems() {
    let case = case(&json!({"processes": [
        {"pid": 12, "command": "chrome --user-data-dir={home}/a"},
        {"self": true, "argv": ["finder", "{home}/b c"]},
    ]}));
    on("linux", "/home/ada", &case.input.env, |layout| {
        let lines = "     12 chrome --user-data-dir=/home/ada/a\n     99 finder /home/ada/b c\n";
        assert_eq!(case.ps_output(layout, 99), lines);
        assert_eq!(
            case.commands(layout, 99)[1].argv,
            ["finder", "/home/ada/b c"]
        );
    });
    on("windows", r"C:\Users\ada", &case.input.env, |layout| {
        let rows: Value = serde_json::from_str(&case.cim_output(layout, 99)).expect("JSON");
        let expected = json!([
            {"ProcessId": 4, "CommandLine": null},
            {"ProcessId": 12, "CommandLine": r"chrome --user-data-dir=C:\Users\ada\a"},
            {"ProcessId": 99, "CommandLine": r"finder C:\Users\ada\b c"},
        ]);
        assert_eq!(rows, expected);
    });
}

#[test]
fn paths_of_every_kind_are_expanded() {
    let case = case(&json!({
        "env": {"SLICC_USER_DATA_DIR": " {home}/six "},
        "files": {"{home}/a/b": "{home} stays", "C:\\c d\\e": ""},
        "links": {"{home}/link": "{home}/a"},
        "denied": ["{home}/x"],
        "cdp": ["41001"],
        "machine": {
            "which": {"chromium": "{home}/bin/chromium"},
            "registry": {"HKCU\\K": "\"{home}/k.exe\" -x"},
            "bundles": {"{home}/B.app": {"id": "b", "name": "B", "executable": "B"}},
        },
    }));
    on("windows", r"C:\Users\ada", &case.input.env, |layout| {
        assert_eq!(
            case.env(layout)["SLICC_USER_DATA_DIR"],
            r" C:\Users\ada\six "
        );
        let files = [(r"C:\c d\e", ""), (r"C:\Users\ada\a\b", "{home} stays")];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        assert_eq!(case.files(layout), files);
        let link = (
            r"C:\Users\ada\link".to_owned(),
            r"C:\Users\ada\a".to_owned(),
        );
        assert_eq!(case.links(layout), [link]);
        assert_eq!(case.denied(layout), [r"C:\Users\ada\x"]);
        let machine = case.machine(layout);
        assert_eq!(machine.which["chromium"], r"C:\Users\ada\bin\chromium");
        assert_eq!(machine.registry["HKCU\\K"], "\"C:\\Users\\ada\\k.exe\" -x");
        assert!(machine.bundles.contains_key(r"C:\Users\ada\B.app"));
    });
}

#[test]
fn a_case_runs_where_it_says_with_what_it_needs() {
    let mut case = case(&json!({"os": ["linux"]}));
    assert!(case.runs("linux", &[NEED_FLAG, NEED_PROCESS]));
    assert!(!case.runs("darwin", &[NEED_FLAG]) && !case.runs("linux", &[NEED_PROCESS]));
    case.input.os.clear();
    assert!(case.runs("darwin", &[NEED_FLAG]));
}
