//! The lock file: each kind of trouble has its own words, and none is overwritten.

use std::fs;
use std::time::Instant;

use serde_json::{Value, json};
use sr_plugin::{Home, HomeError, LockError, Placing};
use sr_policy::command::ArgType;
use tempfile::TempDir;

use crate::support::{Folder, copy_entry, everything_below, install_copy, name};

/// A home in which one plugin is installed, and the lock's text.
fn installed() -> (TempDir, Home, String) {
    let person = TempDir::new().unwrap();
    let home = Home::at(person.path());
    install_copy(&home, &name("sr-demo"), &Folder::good()).unwrap();
    let text = fs::read_to_string(home.lock_path()).unwrap();
    (person, home, text)
}

#[test]
fn an_absent_lock_is_empty_and_says_so() {
    let person = TempDir::new().unwrap();
    let home = Home::at(person.path());
    let lock = home.lock().unwrap();
    assert!(lock.is_absent() && lock.is_empty());
    assert!(lock.get(&name("sr-demo")).is_none());
    assert!(
        everything_below(person.path()).is_empty(),
        "reading creates nothing"
    );

    let (_person, home, _) = installed();
    assert!(!home.lock().unwrap().is_absent());
}

#[test]
fn what_was_recorded_is_read_back() {
    let folder = Folder::with_sitedata(r#"{"version": "1", "domains": ["cdn.example.com"]}"#);
    let package = folder.read().unwrap();
    let person = TempDir::new().unwrap();
    let home = Home::at(person.path());
    let entry = copy_entry(&folder, &package);
    home.transaction(|change| {
        change.install(&name("sr-demo"), Placing::Copy(&package), entry.clone())
    })
    .unwrap();
    let lock = home.lock().unwrap();
    let read = lock.get(&name("sr-demo")).unwrap();
    assert_eq!(read, &entry);
    assert_eq!(read.grants, package.asks());
    assert_eq!(read.files, package.files);
}

#[test]
fn each_trouble_has_its_own_message_and_the_file_is_left_as_it_was() {
    let (_person, home, text) = installed();
    let hash = {
        let start = text.find("sha256:").unwrap();
        text[start..start + 71].to_owned()
    };
    let half = text[..text.len() / 2].to_owned();
    let conflict = format!("<<<<<<< ours\n{text}=======\n{text}>>>>>>> theirs\n");
    let twice = text.replacen("\"hash\"", &format!("\"hash\": \"{hash}\", \"hash\""), 1);
    let twice_plugin = text.replacen("\"plugins\": {", "\"plugins\": {\"sr-demo\": {}, ", 1);
    let value: Value = serde_json::from_str(&text).unwrap();
    let entry = value["plugins"]["sr-demo"].clone();
    let plugin_twice =
        format!("{{\"version\": 1, \"plugins\": {{\"sr-demo\": {entry}, \"sr-demo\": {entry}}}}}");
    let newer = text.replacen("\"version\": 1", "\"version\": 99", 1);
    let mut newer_shape = value.clone();
    newer_shape["version"] = json!(3);
    newer_shape["plugins"] = json!([{"name": "sr-demo"}]);
    let mut unknown_key = value.clone();
    unknown_key["plugins"]["sr-demo"]["trusted"] = json!(true);
    let mut bad_name = value.clone();
    bad_name["plugins"] = json!({"../evil": entry});

    for (text, says) in [
        (String::new(), "is empty"),
        (" \n\t".to_owned(), "is empty"),
        (half, "ends in the middle"),
        (conflict, "merge conflict markers (line 1)"),
        (newer, "version 99"),
        (newer_shape.to_string(), "version 3"),
        (
            text.replacen("\"version\": 1", "\"version\": 0", 1),
            "no lock of this version: 0",
        ),
        (
            text.replacen("\"version\": 1", "\"version\": \"1\"", 1),
            "invalid type",
        ),
        (twice, "duplicate key: hash"),
        (twice_plugin, "duplicate key: sr-demo"),
        (plugin_twice, "duplicate key: sr-demo"),
        (
            text.replacen("sha256:", "md5:", 1),
            "unknown hash algorithm",
        ),
        (text.replacen("sha256:", "", 1), "unknown hash algorithm"),
        (
            text.replacen(&hash, &format!("sha256:{}", hash[7..].to_uppercase()), 1),
            "lower case",
        ),
        (text.replacen(&hash, &hash[..70], 1), "64 digits, found: 63"),
        (unknown_key.to_string(), "trusted"),
        (bad_name.to_string(), "../evil"),
        (format!("\u{feff}{text}"), "BOM"),
        ("[]".to_owned(), "plugins.lock.json"),
        ("null".to_owned(), "plugins.lock.json"),
        (format!("{text}{text}"), "after the end"),
    ] {
        fs::write(home.lock_path(), &text).unwrap();
        let message = home.lock().expect_err(says).to_string();
        assert!(message.contains(says), "{says}: {message}");
        assert!(message.contains("plugins.lock.json"), "{message}");
        let index = home.command_index().unwrap().unwrap();
        let listed = index.lines().expect_err(says).to_string();
        assert_eq!(listed, message, "a list has the same verdict");
        let newer = message.contains("newer sr-runtime");
        assert!(
            newer || message.contains("move this file away"),
            "{message}"
        );

        let folder = Folder::good();
        let result = install_copy(&home, &name("sr-other"), &folder);
        assert!(
            matches!(result, Err(HomeError::Lock(_))),
            "{says}: {result:?}"
        );
        let result = home.transaction(|change| change.uninstall(&name("sr-demo")));
        assert!(matches!(result, Err(HomeError::Lock(_))), "{says}");
        assert_eq!(
            fs::read_to_string(home.lock_path()).unwrap(),
            text,
            "{says}"
        );
        assert!(!home.plugin_path(&name("sr-other")).exists());
        assert!(home.plugin_path(&name("sr-demo")).exists());
    }
}

#[test]
fn a_lock_that_is_no_regular_file_is_refused() {
    let (_person, home, text) = installed();
    let elsewhere = home.root_path().join("elsewhere.json");
    fs::write(&elsewhere, text).unwrap();
    fs::remove_file(home.lock_path()).unwrap();
    std::os::unix::fs::symlink("elsewhere.json", home.lock_path()).unwrap();
    assert!(matches!(home.lock(), Err(LockError::Io(_))));

    fs::remove_file(home.lock_path()).unwrap();
    fs::create_dir(home.lock_path()).unwrap();
    assert!(
        home.lock()
            .unwrap_err()
            .to_string()
            .contains("plugins.lock.json")
    );
}

#[test]
fn a_thousand_commands_are_read_in_milliseconds() {
    let (_person, home, text) = installed();
    let mut lock: Value = serde_json::from_str(&text).unwrap();
    let entry = lock["plugins"]["sr-demo"].clone();
    lock["plugins"] = json!({});
    for plugin in 0..100 {
        let mut entry = entry.clone();
        let command = |number: u32| {
            json!({
                "name": format!("command-{number}"), "summary": "Searches the site.", "access": "read", "strategy": "public",
                "session": "ephemeral", "domain": "demo.example.com",
                "args": [{"name": "query", "kind": "text", "positional": true, "required": true, "help": "What to look for"},
                         {"name": "limit", "kind": {"int": {"min": 1, "max": 100}}, "default": {"int": 20}, "help": "How many rows"}],
                "columns": [{"name": "title", "kind": "text"}, {"name": "url", "kind": "url"}, {"name": "points", "kind": "int"}],
                "examples": [{"line": "search lamp --limit 5", "says": "Five lamps"}],
            })
        };
        entry["commands"] = (0..10).map(command).collect();
        lock["plugins"][format!("sr-demo-{plugin}")] = entry;
    }
    fs::write(
        home.lock_path(),
        serde_json::to_string_pretty(&lock).unwrap(),
    )
    .unwrap();
    let index = home.command_index().unwrap().unwrap();
    let (lines, whole) = (index.lines().unwrap(), home.lock().unwrap());
    assert_eq!(lines.len(), whole.len());
    for ((name, lines), (plugin, entry)) in lines.iter().zip(whole.iter()) {
        assert_eq!(name, plugin);
        assert_eq!(lines.len(), entry.commands.len());
        for (line, command) in lines.iter().zip(&entry.commands) {
            assert_eq!(line.name, command.name);
            assert_eq!(line.summary, command.summary);
            assert_eq!(line.access, command.access);
            for (ours, theirs) in line.args.iter().zip(&command.args) {
                assert_eq!(ours.name, theirs.name);
                assert_eq!(ours.kind, ArgType::from(&theirs.kind));
                assert_eq!(
                    (ours.positional, ours.required, ours.many),
                    (theirs.positional, theirs.required, theirs.many)
                );
            }
        }
    }
    let best = (0..5)
        .map(|_| {
            let start = Instant::now();
            let lock = home.lock().unwrap();
            assert_eq!(
                lock.iter()
                    .map(|(_, entry)| entry.commands.len())
                    .sum::<usize>(),
                1_000
            );
            start.elapsed()
        })
        .min()
        .unwrap();
    // About 2 ms optimised; the bound leaves room for a test build on a busy machine.
    assert!(best.as_millis() < 40, "{best:?}");
    println!("1,000 commands: {best:?}");
}
