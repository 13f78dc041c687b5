//! What is generated is up to date, and what it says about the tests is true.

use std::collections::HashSet;
use std::fs;

use testsuite::cases::{self, Case};
use testsuite::{due, generate};

use crate::support::root;

#[test]
fn the_generated_parts_of_the_documents_are_up_to_date() {
    let stale = generate::stale(&root()).unwrap();
    assert_eq!(stale, [""; 0], "run `cargo xtask docs`");
}

#[test]
fn every_case_that_is_due_has_one_row() {
    let mut rows = HashSet::new();
    for case in cases::all() {
        assert!(rows.insert(case.id), "twice: {}", case.id);
    }
    let due: HashSet<&str> = due::DUE.iter().copied().collect();
    assert_eq!(due.len(), due::DUE.len(), "an id stands twice in the list");
    let missing: Vec<_> = due.difference(&rows).collect();
    assert!(missing.is_empty(), "due and not in the table: {missing:?}");
}

#[test]
fn every_row_names_a_test_that_is_there_and_speaks_of_it() {
    for Case {
        id,
        test,
        exit,
        text,
        ..
    } in cases::all()
    {
        let (place, function) = test.rsplit_once("::").unwrap();
        let path = match exit {
            Some(_) => root().join("tests/testsuite").join(format!("{place}.rs")),
            None => root().join(place),
        };
        let source = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{id}: {}: {error}", path.display()));
        let signature = format!("fn {function}(");
        assert!(
            source.contains(&signature),
            "{id}: no `{signature}` in {place}"
        );
        // A library test cannot ask the table, so at least the text must stand in its file.
        let word = exit.map_or((*text).to_owned(), |_| format!("{id:?}"));
        assert!(source.contains(&word), "{id}: {word} is not in {place}");
        assert!(!text.is_empty(), "{id}: no text that must be shown");
    }
}

#[test]
fn the_guide_shows_what_a_new_crate_holds_and_commands_that_are_there() {
    let read = |path| fs::read_to_string(root().join(path)).unwrap();
    let guide = read("docs/authors-guide.md");
    for part in ["src/lib.rs", "fixtures/hello.json", "plugin/sr-plugin.json"] {
        let text = fs::read_to_string(root().join("host/author/template").join(part)).unwrap();
        let text = text
            .trim_end()
            .replace("@NAME@", "greeter")
            .replace("@WORLD@", "sr:runtime/adapter@0.1.0");
        assert!(guide.contains(&text), "the guide shows another {part}");
    }
    let help = crate::support::Sandbox::new()
        .run(&["plugin", "--help"])
        .exit(0);
    for line in guide.lines() {
        if let Some(words) = line.strip_prefix("sr-runtime plugin ") {
            let command = words.split(' ').next().unwrap();
            let is_there = help
                .stdout
                .lines()
                .any(|line| line.trim_start().starts_with(command));
            assert!(is_there, "no command: {line}");
        }
    }
}

#[test]
fn the_adapters_in_readme_and_guide_are_those_that_are_compiled() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    for (page, example) in [
        ("README.md", "guest-sdk/sdk/examples/hello.rs"),
        (
            "docs/authors-guide.md",
            "guest-sdk/sdk/examples/registry.rs",
        ),
    ] {
        let source = read(example);
        let adapter = source
            .trim_end()
            .trim_end_matches("fn main() {}")
            .trim_end();
        assert!(
            read(page).contains(adapter),
            "{page} shows another {example}"
        );
    }
}
