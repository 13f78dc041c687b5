//! Help for people and for programs, and what a typing error is answered with.

use serde_json::{Value, json};

use crate::support::{Package, Sandbox};

/// Keys of every document of help, in their order.
const KEYS: [&str; 11] = [
    "command",
    "usage",
    "description",
    "details",
    "access",
    "aliases",
    "commands",
    "arguments",
    "options",
    "runtime_options",
    "examples",
];

/// The document of one level, the same in both formats and in every spelling of the question.
#[track_caller]
fn document(sandbox: &Sandbox, path: &[&str]) -> Value {
    let ask =
        |before: &[&str], after: &[&str]| sandbox.run(&[before, path, after].concat()).exit(0);
    let asked = ask(&[], &["--help", "-f", "json"]);
    let document = asked.json();
    assert_eq!(ask(&["-f", "json"], &["-h"]).stdout, asked.stdout);
    assert_eq!(ask(&["help"], &["--format=json"]).stdout, asked.stdout);
    assert_eq!(ask(&[], &["-f", "yaml", "--help"]).yaml(), document);
    document
}

#[track_caller]
fn names(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap();
    list.iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect()
}

#[test]
fn help_is_one_document_on_every_level() {
    let sandbox = Sandbox::with(&Package::every_case());
    let mut levels: Vec<Vec<String>> = vec![vec![], vec![Package::NAME.to_owned()]];
    let mut seen = 0;
    while let Some(path) = levels.pop() {
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        let level = document(&sandbox, &words);
        let mut wanted = vec!["sr-runtime"];
        wanted.extend(&words);
        assert_eq!(level["command"], wanted.join(" "));
        assert!(
            level["usage"]
                .as_str()
                .unwrap()
                .starts_with(&wanted.join(" ")),
            "{level}"
        );
        assert_ne!(level["description"], "", "{level}");
        for key in KEYS {
            assert!(level.get(key).is_some(), "{words:?} has no {key}");
        }
        assert!(
            names(&level["runtime_options"]).contains(&"format"),
            "{words:?}"
        );
        for name in names(&level["commands"]) {
            levels.push([&path[..], &[name.to_owned()]].concat());
        }
        seen += 1;
    }
    // The program, its commands and those of `plugin`, the site and its commands.
    assert!(seen > 20, "{seen} levels");
    let root = document(&sandbox, &[]);
    assert!(names(&root["commands"]).contains(&"completion"));
    assert!(names(&root["exit_codes"]).contains(&"usage"));
}

#[test]
fn help_of_a_command_has_what_its_author_declared() {
    let sandbox = Sandbox::with(&Package::every_case());
    let echo = document(&sandbox, &[Package::NAME, "echo"]);
    assert_eq!(echo["access"], "read");
    assert_eq!(echo["aliases"], json!(["say"]));
    assert_eq!(
        echo["examples"][0]["line"],
        "sr-runtime demo echo one two --int 5"
    );
    assert_eq!(echo["columns"][0]["name"], "name");
    assert_eq!(echo["columns"][0]["kind"], "text");
    let words = &echo["arguments"][0];
    assert_eq!(
        (&words["name"], &words["many"]),
        (&json!("words"), &json!(true))
    );
    let option = |name: &str| {
        let options = echo["options"].as_array().unwrap();
        options
            .iter()
            .find(|one| one["name"] == name)
            .unwrap()
            .clone()
    };
    let int = option("int");
    assert_eq!(int["kind"], "int");
    assert_eq!(int["range"], json!({ "min": -5, "max": 100 }));
    assert_eq!((&int["default"], &int["short"]), (&json!(10), &json!("i")));
    assert_eq!(option("colour")["choices"], json!(["red", "green", "blue"]));
    assert_eq!(option("flag")["kind"], "flag");
    // By its alias it is the same command.
    let alias = sandbox
        .run(&[Package::NAME, "say", "--help", "-f", "json"])
        .exit(0);
    assert_eq!(alias.json(), echo);
}

#[test]
fn the_list_has_ranges_and_short_letters() {
    let sandbox = Sandbox::with(&Package::every_case());
    let list = sandbox.run(&["list", "-f", "json"]).exit(0).json();
    let echo = list
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["name"] == "echo")
        .unwrap();
    let arguments = echo["args"].as_array().unwrap();
    let int = arguments.iter().find(|one| one["name"] == "int").unwrap();
    assert_eq!(int["range"], json!({ "min": -5, "max": 100 }));
    assert_eq!(int["short"], "i");
}

#[test]
fn help_for_people_has_examples() {
    let sandbox = Sandbox::with(&Package::every_case());
    for (line, example) in [
        (&["--help"][..], "sr-runtime plugin install ./dist/"),
        (&["plugin", "--help"], "sr-runtime plugin verify"),
        (&["help", "plugin"], "sr-runtime plugin verify"),
        (
            &[Package::NAME, "--help"],
            "sr-runtime demo echo one two --int 5",
        ),
        (
            &["help", Package::NAME, "echo"],
            "sr-runtime demo echo one two --int 5",
        ),
        (
            &[Package::NAME, "help", "say"],
            "sr-runtime demo echo one two --int 5",
        ),
        (&["help", "completion"], "sr-runtime completion zsh"),
    ] {
        sandbox
            .run(line)
            .exit(0)
            .stdout_contains("Examples:")
            .stdout_contains(example);
    }
}

#[test]
fn a_typing_error_is_answered_with_what_was_meant() {
    let sandbox = Sandbox::with(&Package::every_case());
    for (line, hint) in [
        (&["lsit"][..], "did you mean: sr-runtime list"),
        (&["dmeo", "cells"], "did you mean: sr-runtime demo"),
        (&["plugin", "instal", "x"], "did you mean: install"),
        (
            &["plugin", Package::NAME],
            "demo is a site: sr-runtime demo",
        ),
        (&["install", "x"], "did you mean: sr-runtime plugin install"),
        (&["cells"], "demo has such a command: sr-runtime demo cells"),
        (&[Package::NAME, "cels"], "did you mean: cells"),
        (
            &[Package::NAME, "echo", "--itn", "1"],
            "did you mean: --int",
        ),
        (
            &[Package::NAME, "echo", "--colour", "rad"],
            "did you mean: red",
        ),
        (
            &[Package::NAME, "cells", "-f", "yamll"],
            "did you mean: yaml",
        ),
        (&["list", "--fromat", "json"], "did you mean: --format"),
        (&["completion", "bsh"], "did you mean: bash"),
        (&["help", "lsit"], "did you mean: sr-runtime list"),
    ] {
        let run = sandbox.run(line).exit(2);
        assert_eq!(run.stdout, "", "{line:?}");
        run.stderr_contains(&format!("hint: {hint}\n"));
    }
}
