//! The two real plugins, on their recorded replies.

use std::fs;

use crate::support::{Sandbox, root};

/// A home with a plugin of `dist/` installed.
fn with(plugin: &str) -> Sandbox {
    let folder = root().join("dist").join(plugin);
    assert!(
        folder.join("sr-plugin.json").is_file(),
        "{} is not built; run `cargo xtask guests`",
        folder.display()
    );
    let sandbox = Sandbox::new();
    let url = format!("file://{}", folder.display());
    sandbox.run(&["plugin", "install", &url]).exit(0);
    sandbox
}

fn recording(plugin: &str, name: &str) -> String {
    let path = root().join("plugins").join(plugin).join("recordings");
    path.join(format!("{name}.json")).display().to_string()
}

#[test]
fn a_paper_is_one_row_of_its_facts() {
    let sandbox = with("sr-arxiv");
    let replay = recording("sr-arxiv", "paper");
    sandbox
        .run(&["sr-arxiv", "paper", "1706.03762", "--replay", &replay])
        .exit(0)
        .stdout_contains("Attention Is All You Need");
    let rows = sandbox
        .run(&[
            "sr-arxiv",
            "paper",
            "1706.03762",
            "--replay",
            &replay,
            "-f",
            "json",
        ])
        .exit(0)
        .json();
    assert_eq!(rows.as_array().map(Vec::len), Some(1));
    assert_eq!(rows[0]["title"], "Attention Is All You Need");
}

#[test]
fn a_search_keeps_to_its_limit() {
    let sandbox = with("sr-arxiv");
    let replay = recording("sr-arxiv", "search");
    let rows = sandbox
        .run(&[
            "sr-arxiv",
            "search",
            "attention",
            "--limit",
            "5",
            "-f",
            "json",
            "--replay",
            &replay,
        ])
        .exit(0)
        .json();
    assert_eq!(rows.as_array().map(Vec::len), Some(5));
    sandbox
        .run(&[
            "sr-arxiv",
            "search",
            "attention",
            "--limit",
            "0",
            "--replay",
            &replay,
        ])
        .exit(2)
        .stderr_contains("limit");
}

#[test]
fn the_top_stories_keep_the_order_of_the_site() {
    let sandbox = with("sr-hackernews");
    let replay = recording("sr-hackernews", "top");
    let rows = sandbox
        .run(&[
            "sr-hackernews",
            "top",
            "--limit",
            "5",
            "-f",
            "json",
            "--replay",
            &replay,
        ])
        .exit(0)
        .json();
    let text = fs::read_to_string(&replay).unwrap();
    let recorded: serde_json::Value = serde_json::from_str(&text).unwrap();
    let ids = recorded["exchanges"][0]["response"]["body"]["text"]
        .as_str()
        .unwrap();
    let ids: Vec<u64> = serde_json::from_str(ids).unwrap();
    let shown: Vec<u64> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["id"].as_u64().unwrap())
        .collect();
    let wanted: Vec<u64> = ids.into_iter().filter(|id| shown.contains(id)).collect();
    assert_eq!(shown, wanted);
    assert_eq!(shown.len(), 5);
}

#[test]
fn a_reply_that_was_not_recorded_is_a_miss_and_never_a_request() {
    let sandbox = with("sr-arxiv");
    let replay = recording("sr-arxiv", "paper");
    let run = sandbox
        .run(&[
            "sr-arxiv",
            "paper",
            "2401.00001",
            "--replay",
            &replay,
            "-f",
            "json",
        ])
        .exit(66);
    assert_eq!(run.error()["code"], "REPLAY_MISS");
}

#[test]
fn a_replay_runs_alike_twice() {
    let sandbox = with("sr-arxiv");
    let replay = recording("sr-arxiv", "search");
    let run = || {
        let arguments = [
            "sr-arxiv",
            "search",
            "attention",
            "-f",
            "json",
            "--replay",
            &replay,
        ];
        sandbox.run(&arguments).stdout
    };
    assert_eq!(run(), run());
}

#[test]
fn recordings_say_that_they_are_synthetic() {
    for plugin in ["sr-arxiv", "sr-hackernews"] {
        let folder = root().join("plugins").join(plugin).join("recordings");
        let mut count = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let recording: serde_json::Value =
                serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            assert_eq!(recording["synthetic"], true, "{}", path.display());
            assert!(recording["notice"].is_string(), "{}", path.display());
            count += 1;
        }
        assert!(count > 0, "{plugin} has no recordings");
    }
}

#[test]
fn a_pipe_is_no_recording_and_is_not_waited_for() {
    let sandbox = with("sr-arxiv");
    let pipe = sandbox.home().join("pipe");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    let pipe = pipe.display().to_string();
    let paper = ["sr-arxiv", "paper", "1706.03762"];
    sandbox
        .run(&[&paper[..], &["--replay", &pipe]].concat())
        .exit(65)
        .stderr_contains("not a regular file");
    sandbox
        .run(&[&paper[..], &["--cacert", &pipe]].concat())
        .exit(2)
        .stderr_contains("not a regular file");
}
