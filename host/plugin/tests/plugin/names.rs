//! Plugin names: refused names are shown escaped and never become a path.

use serde_json::json;
use sr_plugin::{PluginName, RESERVED_NAMES};

use crate::support::{Folder, manifest_with};

#[test]
fn hostile_names_are_refused_and_shown_escaped() {
    let long = "x".repeat(300);
    for (name, shown) in [
        ("../../evil", "../../evil"),
        ("", "cannot be empty"),
        (".", "\".\""),
        ("..", "\"..\""),
        ("plugin", "reserved"),
        ("browser", "reserved"),
        ("--help", "--help"),
        ("Sr-Demo", "Sr-Demo"),
        ("sr demo", "sr demo"),
        ("sr\ndemo", "sr\\ndemo"),
        ("sr\u{1b}[31mdemo", "sr\\u{1b}[31mdemo"),
        (&long, "found 300"),
        ("\u{1f600}", "\\u{1f600}"),
        ("con", "reserved"),
        ("com1", "reserved"),
        ("node_modules", "node_modules"),
        ("a/b", "a/b"),
        ("1abc", "1abc"),
        ("-a", "-a"),
        ("caf\u{e9}", "caf\\u{e9}"),
    ] {
        let folder = Folder::with_manifest(&manifest_with("name", json!(name)));
        let message = folder.refusal();
        assert!(
            message.starts_with("sr-plugin.json: line ") && message.contains(": name: "),
            "{message}"
        );
        assert!(message.contains(shown), "{message}");
        assert!(
            message.is_ascii() && !message.contains(['\n', '\u{1b}']),
            "{message:?}"
        );
        assert!(message.len() < 300, "{message}");
    }
}

#[test]
fn ordinary_names_are_accepted() {
    for name in [
        "sr-arxiv",
        "a",
        "console",
        "com10",
        "hacker-news2",
        &"a".repeat(64),
    ] {
        assert_eq!(name.parse::<PluginName>().unwrap().as_str(), name);
    }
    assert!("a".repeat(65).parse::<PluginName>().is_err());
}

#[test]
fn the_reserved_words_are_sorted_and_each_is_refused() {
    assert!(RESERVED_NAMES.is_sorted());
    for name in RESERVED_NAMES {
        assert!(name.parse::<PluginName>().is_err(), "{name}");
    }
}
