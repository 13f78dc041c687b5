//! A function becomes a command: its metadata, and how its arguments reach it.

#![expect(clippy::panic, reason = "helpers of a test fail it")]

use sr_guest::bindings::exports::sr::runtime::plugin as wit;
use sr_guest::prelude::*;
use sr_guest::{Call, CellKind, Named};

#[derive(Choice)]
enum Sort {
    Best,
    NewestFirst,
}

#[derive(Row)]
struct Line {
    /// What was given
    text: String,
}

/// Shows what it got,
/// line by line.
///
/// Every kind of argument.
#[command(
    read,
    alias = "show-it",
    domain = "shop.example",
    example = "show lamp",
    example = ("show lamp --limit 5", "five of them"),
    strategy = cookie,
    session = persistent,
    browser,
    navigate_before = "https://shop.example/",
    timeout = 30,
    pace(min_gap_ms = 3000, per_hour = 60),
    format = "json"
)]
#[expect(clippy::too_many_arguments, reason = "one per kind")]
fn show(
    /// What to look for
    #[arg(positional)]
    query: String,
    /// How many rows
    #[arg(short = 'n', default = 20, range = 1..=100)]
    limit: u32,
    #[arg(default = "newest-first")] sort: Sort,
    #[arg(choices("s", "m"))] size: Option<String>,
    #[arg(name = "not-before")] since: Option<Time>,
    tags: Vec<String>,
    #[arg(default = -1)] offset: i64,
    #[arg(default = 0.5)] share: f64,
    all: bool,
    data: Option<Json>,
    #[arg(kind(content))] note: Option<String>,
    page: Option<Url>,
    #[given] given: Given,
) -> Result<Vec<Line>> {
    let mut lines = vec![query, limit.to_string(), sort.word().to_owned()];
    lines.extend(size);
    lines.extend(since.map(|time| time.0.to_string()));
    lines.extend(tags);
    lines.push(format!("{offset} {share} {all} {}", given.has("limit")));
    lines.extend(data.map(|json| json.0));
    lines.extend(note);
    lines.extend(page.map(String::from));
    Ok(lines.into_iter().map(|text| Line { text }).collect())
}

/// Changes something.
#[command(write, columns(order_number: text = "The shop's number", at: time))]
fn change() -> Result<Prepared> {
    Ok(prepared("one change").then(|| Ok(Output::rows(Vec::new()))))
}

mod nested {
    use sr_guest::prelude::*;

    /// Nothing.
    #[command(read, name = "type")]
    pub(crate) fn r#type() -> Result<()> {
        Ok(())
    }
}

plugin!(show, change, nested::r#type);

mod reads_only {
    sr_guest::prelude::plugin!(super::nested::r#type);
}

fn call(command: &str, args: &[(&str, Cell)]) -> Call {
    let args = args.iter().map(|(name, value)| Named {
        name: (*name).to_owned(),
        value: value.clone(),
    });
    Call {
        command: command.to_owned(),
        args: args.collect(),
        given: vec!["limit".to_owned()],
        notes: Vec::new(),
    }
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn lines(args: &[(&str, Cell)]) -> Result<Vec<String>> {
    let output = sr_plugin().run(call("show", args))?;
    let cells = output.rows.into_iter().flatten();
    Ok(cells
        .map(|cell| match cell {
            Cell::Text(text) => text,
            other => format!("{other:?}"),
        })
        .collect())
}

fn invalid<T: std::fmt::Debug>(result: Result<T>) -> (String, String) {
    match result {
        Err(Failure::Invalid(invalid)) => (invalid.name, invalid.reason),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_attribute_and_the_comments_are_the_metadata() {
    let commands = sr_plugin().commands();
    let names: Vec<_> = commands
        .iter()
        .map(|command| command.name.as_str())
        .collect();
    assert_eq!(names, ["show", "change", "type"]);
    let show = &commands[0];
    assert_eq!(show.summary, "Shows what it got, line by line.");
    assert_eq!(show.details, "Every kind of argument.");
    assert_eq!(show.aliases, ["show-it"]);
    assert_eq!(show.access, wit::Access::Read);
    assert_eq!(show.domain.as_deref(), Some("shop.example"));
    assert_eq!(show.examples[1].line, "show lamp --limit 5");
    assert_eq!(show.examples[1].says, "five of them");
    assert_eq!(show.strategy, wit::Strategy::Cookie);
    assert_eq!(show.session, wit::Session::Persistent);
    assert!(show.browser);
    assert_eq!(
        show.navigate_before.as_deref(),
        Some("https://shop.example/")
    );
    assert_eq!(show.timeout_ms, 30_000);
    assert_eq!(show.default_format.as_deref(), Some("json"));
    let pace = show.pace.unwrap();
    assert_eq!(
        (pace.min_gap_ms, pace.per_hour, pace.per_day),
        (3000, Some(60), None)
    );
    assert_eq!(show.columns.len(), 1);
    assert_eq!(show.columns[0].help, "What was given");
}

#[test]
fn parameters_are_the_arguments() {
    let show = &sr_plugin().commands()[0];
    let arg = |name: &str| show.args.iter().find(|arg| arg.name == name).unwrap();
    assert_eq!(show.args.len(), 12, "the given parameter is no argument");
    let query = arg("query");
    assert!(query.positional && query.required && !query.many);
    assert_eq!(query.help, "What to look for");
    let limit = arg("limit");
    assert_eq!(
        limit.kind,
        wit::ArgKind::Int(wit::Span {
            min: Some(1),
            max: Some(100)
        })
    );
    assert_eq!(limit.short.as_deref(), Some("n"));
    assert_eq!(limit.default, Some(Cell::Int(20)));
    assert!(!limit.required);
    let words = vec!["best".to_owned(), "newest-first".to_owned()];
    assert_eq!(arg("sort").kind, wit::ArgKind::Choice(words));
    assert_eq!(arg("sort").default, Some(text("newest-first")));
    assert_eq!(arg("not-before").kind, wit::ArgKind::Date);
    assert!(arg("tags").many && !arg("tags").required);
    assert_eq!(arg("offset").default, Some(Cell::Int(-1)));
    assert_eq!(arg("share").default, Some(Cell::Float(0.5)));
    assert_eq!(arg("all").kind, wit::ArgKind::Flag);
    assert_eq!(arg("data").kind, wit::ArgKind::Json);
    assert_eq!(arg("note").kind, wit::ArgKind::Content);
    assert_eq!(arg("page").kind, wit::ArgKind::Url);
}

#[test]
fn declared_columns_stand_in_for_a_row_type() {
    let change = &sr_plugin().commands()[1];
    assert_eq!(change.access, wit::Access::Write);
    assert_eq!(change.columns[0].name, "order-number");
    assert_eq!(change.columns[0].help, "The shop's number");
    assert_eq!(change.columns[1].kind, CellKind::Time);
}

#[test]
fn values_reach_the_function_with_their_types() {
    let got = lines(&[
        ("query", text("lamp")),
        ("limit", Cell::Int(7)),
        ("sort", text("best")),
        ("size", text("m")),
        ("not-before", Cell::Time(1000)),
        ("tags", text("a")),
        ("tags", text("b")),
        ("offset", Cell::Int(3)),
        ("share", Cell::Int(2)),
        ("all", Cell::Flag(true)),
        ("data", Cell::Json("[]".to_owned())),
        ("note", text("file text")),
        ("page", text("https://x.example/")),
    ]);
    let expected = [
        "lamp",
        "7",
        "best",
        "m",
        "1000",
        "a",
        "b",
        "3 2 true true",
        "[]",
        "file text",
        "https://x.example/",
    ];
    assert_eq!(got.unwrap(), expected);
}

#[test]
fn defaults_hold_even_when_the_host_left_them_out() {
    let got = lines(&[("query", text("lamp"))]).unwrap();
    assert_eq!(got, ["lamp", "20", "newest-first", "-1 0.5 false true"]);
}

#[test]
fn a_null_is_an_argument_that_is_not_there() {
    let got = lines(&[
        ("query", text("lamp")),
        ("limit", Cell::Null),
        ("size", Cell::Null),
    ]);
    assert_eq!(got.unwrap()[1], "20");
}

#[test]
fn wrong_arguments_are_invalid_and_named() {
    let lamp = ("query", text("lamp"));
    for (args, name, reason) in [
        (vec![], "query", "missing"),
        (vec![("query", Cell::Int(1))], "query", "not a text"),
        (
            vec![lamp.clone(), ("limit", text("5"))],
            "limit",
            "not a whole number",
        ),
        (
            vec![lamp.clone(), ("limit", Cell::Int(-1))],
            "limit",
            "out of range",
        ),
        (
            vec![lamp.clone(), ("limit", Cell::Int(1 << 40))],
            "limit",
            "out of range",
        ),
        (
            vec![lamp.clone(), ("sort", text("worst"))],
            "sort",
            "not one of the accepted words",
        ),
        (
            vec![lamp.clone(), ("all", Cell::Int(1))],
            "all",
            "not a flag",
        ),
        (
            vec![lamp, ("not-before", text("soon"))],
            "not-before",
            "not a date",
        ),
    ] {
        assert_eq!(invalid(lines(&args)), (name.to_owned(), reason.to_owned()));
    }
}

#[test]
fn a_command_is_reached_only_by_its_name_and_its_own_way() {
    let plugin = sr_plugin();
    assert_eq!(
        invalid(plugin.run(call("nothing", &[]))).1,
        "no command nothing"
    );
    assert_eq!(
        invalid(plugin.prepare(call("nothing", &[]))).1,
        "no command nothing"
    );
    let changes = "change changes something: it is prepared, then committed";
    assert_eq!(invalid(plugin.run(call("change", &[]))).1, changes);
    let reads = "show only reads: there is nothing to prepare";
    assert_eq!(invalid(plugin.prepare(call("show", &[]))).1, reads);
}

#[test]
fn a_component_without_writes_refuses_them_in_the_same_words() {
    use sr_guest::plugin::{PrepareWrites, Writes};

    assert!(sr_plugin().has_writes());
    let plugin = reads_only::sr_plugin();
    assert!(!plugin.has_writes());
    for name in ["type", "nothing"] {
        let lean = <Writes<false>>::prepare(&plugin, call(name, &[])).unwrap_err();
        let full = <Writes<true>>::prepare(&plugin, call(name, &[])).unwrap_err();
        assert_eq!(lean, full);
    }
}
