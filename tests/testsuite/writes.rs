//! A write is prepared, shown, and only then sent; after that nothing is repeated blindly.

use crate::support::{Package, Recording, Reply, Run, Sandbox, Server};

const SUBMIT: &str = "https://example.com/submit";

/// Runs a command of the writer against what the site would answer.
fn run(recording: Recording, arguments: &[&str]) -> Run {
    let sandbox = Sandbox::with(&Package::writer());
    let replay = recording.save(sandbox.home());
    let mut words = vec![Package::NAME, "--replay", &replay, "-f", "json", "-v"];
    words.extend(arguments);
    sandbox.run(&words)
}

fn item(name: &str) -> Recording {
    Recording::default().get(&format!("https://example.com/item/{name}"), "12.50")
}

#[test]
fn a_write_reads_first_and_sends_on_commit() {
    let recording = item("lamp").post(SUBMIT, "item=lamp&amount=2", "order 7");
    let run = run(recording, &["send", "lamp", "--amount", "2"]).exit(0);
    assert_eq!(run.json()[0]["order-number"], "order 7");
}

#[test]
fn a_dry_run_shows_what_would_be_sent_and_sends_nothing() {
    // No POST is recorded: one that left would be a miss.
    let plan = run(
        item("lamp"),
        &["send", "lamp", "--amount", "2", "--dry-run"],
    )
    .exit(0)
    .json();
    assert_eq!(plan["summary"], "one order");
    let has = |list: &str, item: serde_json::Value| {
        let items = plan[list].as_array().unwrap();
        assert!(items.contains(&item), "no {item} in {list}: {plan}");
    };
    has(
        "checks",
        serde_json::json!({ "name": "price", "value": "12.50" }),
    );
    has(
        "will_send",
        serde_json::json!({ "name": "amount", "value": 2 }),
    );
}

#[test]
fn a_plan_that_is_dropped_sends_nothing() {
    run(Recording::default(), &["drop", "--dry-run"])
        .exit(0)
        .stderr_contains("dropped uncommitted");
}

#[test]
fn a_post_while_preparing_is_refused() {
    let recording = Recording::default().post(SUBMIT, "item=early&amount=1", "order 7");
    let run = run(recording, &["early-post"]).exit(77);
    assert_eq!(run.error()["code"], "NOT_DURING_PREPARE");
}

#[test]
fn a_failure_after_commit_says_to_look_before_running_again() {
    for case in [
        "denied",
        "timeout",
        "empty",
        "busy",
        "unavailable",
        "cancelled",
        "other",
        "panic",
    ] {
        let recording = Recording::default().post(SUBMIT, "item=late&amount=1", "order 7");
        let run = run(recording, &["late-fail", case]).exit(75);
        assert_eq!(run.error()["code"], "VERIFY_BEFORE_RETRY", "{case}");
    }
}

#[test]
fn a_commit_that_gets_no_answer_says_so_too() {
    let run = run(item("lamp"), &["send", "lamp"]).exit(75);
    assert_eq!(run.error()["code"], "VERIFY_BEFORE_RETRY");
}

#[test]
fn a_read_command_of_the_same_plugin_reads() {
    let run = run(item("lamp"), &["peek", "lamp"]).exit(0);
    assert_eq!(run.json()[0]["text"], "12.50");
}

#[test]
fn a_write_whose_recording_cannot_be_made_is_not_sent() {
    let server = Server::always(Reply::ok("order 7"));
    let sandbox = Sandbox::with(&Package::writer());
    let rule = format!("example.com:443:127.0.0.1:{}", server.port());
    for target in ["missing-folder/x.json", "/dev/null"] {
        sandbox
            .run(&[
                Package::NAME,
                "send",
                "lamp",
                "--connect-to",
                &rule,
                "--record",
                target,
            ])
            .exit(65)
            .stderr_contains(target);
    }
    assert!(server.requests().is_empty());
}
