//! Commands the command line can offer, and the message for each that it cannot.

use sr_policy::command::{Access, Arg, ArgKind, Column, Command, Example, Pace, Session, Strategy};
use sr_policy::command_rules::check_commands;
use sr_policy::value::{Cell, CellKind, Note};

fn command(name: &str) -> Command {
    Command {
        name: name.to_owned(),
        aliases: Vec::new(),
        summary: "Does it".to_owned(),
        details: String::new(),
        access: Access::Read,
        args: Vec::new(),
        columns: Vec::new(),
        examples: Vec::new(),
        domain: None,
        strategy: Strategy::Public,
        browser: false,
        session: Session::Ephemeral,
        navigate_before: None,
        default_format: None,
        timeout_ms: 0,
        pace: None,
        notes: Vec::new(),
    }
}

fn arg(name: &str, kind: ArgKind) -> Arg {
    Arg {
        name: name.to_owned(),
        kind,
        short: None,
        positional: false,
        required: false,
        many: false,
        default: None,
        help: String::new(),
        notes: Vec::new(),
    }
}

fn positional(name: &str, required: bool, many: bool) -> Arg {
    Arg {
        positional: true,
        required,
        many,
        ..arg(name, ArgKind::Text)
    }
}

fn column(name: &str) -> Column {
    Column {
        name: name.to_owned(),
        kind: CellKind::Text,
        help: String::new(),
        notes: Vec::new(),
    }
}

fn int(min: Option<i64>, max: Option<i64>) -> ArgKind {
    ArgKind::Int { min, max }
}

fn text(word: &str) -> Cell {
    Cell::Text(word.to_owned())
}

fn faults(change: impl FnOnce(&mut Command)) -> Vec<String> {
    let mut command = command("list");
    change(&mut command);
    check_commands(&[command]).err().unwrap_or_default()
}

/// The one fault of a command with these arguments.
fn arg_fault(args: Vec<Arg>, needle: &str) {
    let messages = faults(|command| command.args = args);
    assert_eq!(messages.len(), 1, "{needle}: {messages:?}");
    assert!(
        messages[0].starts_with("command list: ") && messages[0].contains(needle),
        "{needle}: {messages:?}"
    );
}

#[test]
fn a_full_command_passes() {
    let messages = faults(|command| {
        command.aliases = vec!["ls".to_owned()];
        command.args = vec![
            positional("query", true, false),
            positional("more", false, true),
            Arg {
                short: Some("n".to_owned()),
                default: Some(Cell::Int(10)),
                ..arg("limit", int(Some(1), Some(100)))
            },
            Arg {
                default: Some(text("new")),
                ..arg(
                    "sort",
                    ArgKind::Choice(vec!["new".to_owned(), "old".to_owned()]),
                )
            },
            Arg {
                default: Some(Cell::Flag(false)),
                ..arg("all", ArgKind::Flag)
            },
            Arg {
                default: Some(Cell::Int(1)),
                ..arg("rate", ArgKind::Float)
            },
            Arg {
                default: Some(text("2026-11-30")),
                ..arg("since", ArgKind::Date)
            },
            Arg {
                default: Some(text("https://example.com")),
                ..arg("page", ArgKind::Url)
            },
            Arg {
                default: Some(text("{}")),
                ..arg("filter", ArgKind::Json)
            },
        ];
        command.columns = vec![column("title"), column("order-number")];
        command.examples = vec![Example {
            line: "list lamp --limit 5".to_owned(),
            says: "Lamps".to_owned(),
        }];
        command.domain = Some("shop.example".to_owned());
        command.browser = true;
        command.navigate_before = Some("https://shop.example/".to_owned());
        command.default_format = Some("table".to_owned());
        command.timeout_ms = 600_000;
        command.pace = Some(Pace {
            min_gap_ms: 3000,
            per_hour: Some(60),
            per_day: None,
        });
        command.notes = vec![Note {
            key: "anything".to_owned(),
            value: "x".to_owned(),
        }];
    });
    assert_eq!(messages, Vec::<String>::new());
}

#[test]
fn number_and_size_of_everything_are_bounded() {
    assert!(check_commands(&[]).is_err());
    let many: Vec<_> = (0..201)
        .map(|index| command(&format!("c{index}")))
        .collect();
    assert!(check_commands(&many[..200]).is_ok());
    assert_eq!(
        check_commands(&many).unwrap_err(),
        ["commands: 201, at most 200"]
    );
    let messages = faults(|command| command.details = "x".repeat(256 * 1024));
    assert!(
        messages[0].contains("bytes of metadata, at most 262144"),
        "{messages:?}"
    );
    let messages = faults(|command| {
        command.columns = (0..65).map(|index| column(&format!("c{index}"))).collect()
    });
    assert_eq!(messages, ["command list: columns: 65, at most 64"]);
    let messages = faults(|command| {
        command.args = (0..65)
            .map(|index| arg(&format!("a{index}"), ArgKind::Text))
            .collect()
    });
    assert_eq!(messages, ["command list: args: 65, at most 64"]);
    let messages =
        faults(|command| command.args = (0..60).map(|_| arg("A", ArgKind::Text)).collect());
    assert_eq!(messages.len(), 40, "no more than fit a screen");
}

#[test]
fn names_are_kebab_case_and_used_once_in_the_plugin() {
    for name in [
        "",
        "List",
        "1a",
        "-a",
        "a_b",
        "a b",
        "a.b",
        "größe",
        "a\u{1b}[2J",
        &"a".repeat(65),
    ] {
        let messages = check_commands(&[command(name)]).unwrap_err();
        assert!(
            messages[0].contains("a name is 1 to 64"),
            "{name}: {messages:?}"
        );
        assert!(!messages[0].chars().any(char::is_control));
    }
    assert!(check_commands(&[command(&"a".repeat(64)), command("a-1")]).is_ok());
    assert!(
        check_commands(&[command("help")]).unwrap_err()[0].contains("belongs to the command line")
    );
    let twice = check_commands(&[command("list"), command("list")]).unwrap_err();
    assert_eq!(
        twice,
        ["command list: name: is used twice in this plugin: list"]
    );
    let mut other = command("other");
    other.aliases = vec!["list".to_owned()];
    assert!(
        check_commands(&[command("list"), other]).unwrap_err()[0]
            .contains("aliases: is used twice")
    );
}

#[test]
fn an_argument_cannot_take_a_name_or_letter_of_the_host() {
    for name in [
        "format",
        "replay",
        "resolve",
        "connect-to",
        "proxy",
        "help",
        "yes",
        "timeout",
    ] {
        arg_fault(vec![arg(name, ArgKind::Text)], "belongs to the host");
    }
    for letter in ["f", "v", "h", "V"] {
        arg_fault(
            vec![Arg {
                short: Some(letter.to_owned()),
                ..arg("a", ArgKind::Text)
            }],
            "belongs to the host",
        );
    }
    for short in ["", "ab", "1", "-", "é"] {
        arg_fault(
            vec![Arg {
                short: Some(short.to_owned()),
                ..arg("a", ArgKind::Text)
            }],
            "one ASCII letter",
        );
    }
    let n = |name: &str| Arg {
        short: Some("n".to_owned()),
        ..arg(name, ArgKind::Text)
    };
    arg_fault(vec![n("a"), n("b")], "-n is used twice");
    arg_fault(
        vec![Arg {
            positional: true,
            ..n("a")
        }],
        "no short option",
    );
    arg_fault(
        vec![arg("a", ArgKind::Text), arg("a", ArgKind::Text)],
        "argument a: named twice",
    );
}

#[test]
fn positional_arguments_can_be_told_apart() {
    arg_fault(
        vec![positional("a", false, false), positional("b", true, false)],
        "argument b: is required and stands behind a",
    );
    arg_fault(
        vec![positional("a", true, true), positional("b", false, false)],
        "argument b: stands behind a, which takes all",
    );
    arg_fault(
        vec![Arg {
            positional: true,
            ..arg("a", ArgKind::Flag)
        }],
        "a flag is not positional",
    );
    let between = vec![
        positional("a", true, false),
        arg("x", ArgKind::Text),
        positional("b", true, true),
    ];
    assert_eq!(
        faults(|command| command.args = between),
        Vec::<String>::new()
    );
}

#[test]
fn a_default_is_a_value_the_argument_accepts() {
    let vectors = [
        (int(Some(1), Some(9)), Cell::Int(0), "not from 1 to 9"),
        (int(Some(1), Some(9)), Cell::Int(10), "not from 1 to 9"),
        (
            int(None, None),
            text("1"),
            "another type than the argument, which is int",
        ),
        (ArgKind::Float, Cell::Float(f64::NAN), "another type"),
        (ArgKind::Text, Cell::Null, "another type"),
        (ArgKind::Flag, Cell::Flag(true), "cannot be switched off"),
        (ArgKind::Url, text("ftp://x.test"), "not http or https"),
        (ArgKind::Date, text("2026-02-30"), "not YYYY-MM-DD"),
        (ArgKind::Json, text("{"), "not JSON"),
        (
            ArgKind::Choice(vec!["a".to_owned()]),
            text("b"),
            "not one of a",
        ),
    ];
    for (kind, default, needle) in vectors {
        arg_fault(
            vec![Arg {
                default: Some(default),
                ..arg("a", kind)
            }],
            needle,
        );
    }
    arg_fault(
        vec![Arg {
            default: Some(text("x")),
            required: true,
            ..arg("a", ArgKind::Text)
        }],
        "no default",
    );
}

#[test]
fn a_kind_leaves_something_to_choose() {
    arg_fault(
        vec![arg("a", int(Some(2), Some(1)))],
        "no number is at least 2 and at most 1",
    );
    arg_fault(
        vec![arg("a", ArgKind::Choice(Vec::new()))],
        "at least one word",
    );
    for word in [
        "",
        "a b",
        "-x",
        "a\n",
        "a\u{1b}[2J",
        "a\u{9b}",
        "a\u{202e}b",
        "a\u{2066}b",
        "a\u{200b}b",
        "\u{feff}a",
    ] {
        arg_fault(
            vec![arg("a", ArgKind::Choice(vec![word.to_owned()]))],
            "a choice is a word",
        );
    }
    arg_fault(
        vec![arg(
            "a",
            ArgKind::Choice(vec!["x".to_owned(), "x".to_owned()]),
        )],
        "listed twice",
    );
    arg_fault(
        vec![Arg {
            required: true,
            ..arg("a", ArgKind::Flag)
        }],
        "required flag",
    );
    arg_fault(
        vec![Arg {
            many: true,
            ..arg("a", ArgKind::Flag)
        }],
        "given once",
    );
}

#[test]
fn the_rest_of_a_command_is_checked_field_by_field() {
    type Change = fn(&mut Command);
    let vectors: &[(Change, &str)] = &[
        (
            |command| command.summary = " ".to_owned(),
            "summary: is empty",
        ),
        (
            |command| command.summary = "a\nb".to_owned(),
            "summary: is one line",
        ),
        (
            |command| command.summary = "a\u{1b}[2Jb".to_owned(),
            "summary: is one line",
        ),
        (
            |command| command.columns = vec![column("Title")],
            "columns: a name is",
        ),
        (
            |command| command.columns = vec![column("a"), column("a")],
            "columns: named twice: a",
        ),
        (
            |command| command.domain = Some("https://x.test".to_owned()),
            "domain: domain entry",
        ),
        (
            |command| command.domain = Some("*.x.test".to_owned()),
            "domain: is one host",
        ),
        (
            |command| command.navigate_before = Some("https://x.test".to_owned()),
            "navigate-before: needs browser",
        ),
        (
            |command| command.default_format = Some("xml".to_owned()),
            "default-format: is one of table",
        ),
        (
            |command| command.timeout_ms = 600_001,
            "timeout-ms: 600001, at most 600000",
        ),
        (
            |command| {
                command.pace = Some(Pace {
                    min_gap_ms: u32::MAX,
                    per_hour: None,
                    per_day: None,
                })
            },
            "pace.min-gap-ms",
        ),
        (
            |command| {
                command.pace = Some(Pace {
                    min_gap_ms: 0,
                    per_hour: Some(0),
                    per_day: None,
                })
            },
            "pace.per-hour",
        ),
        (
            |command| {
                command.examples = vec![Example {
                    line: "other 1".to_owned(),
                    says: String::new(),
                }]
            },
            "starts with the command's name",
        ),
        (
            |command| {
                command.examples = vec![Example {
                    line: String::new(),
                    says: String::new(),
                }]
            },
            "examples.line: is empty",
        ),
        (
            |command| {
                command.notes = vec![Note {
                    key: String::new(),
                    value: String::new(),
                }]
            },
            "notes: a key has",
        ),
    ];
    for (change, needle) in vectors {
        let messages = faults(change);
        assert_eq!(messages.len(), 1, "{needle}: {messages:?}");
        assert!(
            messages[0].starts_with("command list: ") && messages[0].contains(needle),
            "{needle}: {messages:?}"
        );
    }
}
