//! Components that take more than they should: each ends by itself, in bounded time, with its own error.

use std::fs;
use std::time::{Duration, Instant};

use crate::support::{Package, Reply, Sandbox, Server, wasm};

/// The longest limit among them is one second and the host's grace; the rest is for a busy machine.
const BOUND: Duration = Duration::from_secs(20);

#[test]
fn a_guest_that_takes_too_much_ends_with_its_own_error() {
    let sandbox = Sandbox::with(&Package::hostile());
    for (id, command) in [
        ("guest-loop", "loop"),
        ("guest-sleep", "sleep"),
        ("guest-recurse", "recurse"),
        ("guest-memory", "memory"),
        ("guest-string", "string"),
        ("guest-forged-string", "forged-string"),
        ("guest-handles", "handles"),
        ("guest-wait", "wait"),
        ("guest-flood", "flood"),
        ("guest-exit", "exit"),
    ] {
        let start = Instant::now();
        let run = sandbox.run(&[Package::NAME, command]).proves(id);
        assert_eq!(run.stdout, "", "{id}");
        assert!(start.elapsed() < BOUND, "{id}: {:?}", start.elapsed());
    }
    // And nothing of it stays behind.
    sandbox.run(&["plugin", "verify"]).exit(0);
}

#[test]
fn a_table_that_is_too_large_is_refused_at_install() {
    let package = Package::every_case();
    let component = fs::read(package.component()).unwrap();
    let component = wasm::with_table_of(&component, 10_000_000);
    fs::write(package.component(), component).unwrap();
    let sandbox = Sandbox::new();
    sandbox.install(&package).proves("guest-table");
    sandbox.wrote_nothing();
}

#[test]
fn log_lines_are_capped_and_the_command_goes_on() {
    let sandbox = Sandbox::with(&Package::hostile());
    let run = sandbox
        .run(&[Package::NAME, "log", "-v"])
        .proves("guest-log");
    let lines = run.stderr.matches("line ").count();
    assert!((1_000..1_010).contains(&lines), "{lines} lines");
}

#[test]
fn printed_text_is_capped_and_the_command_goes_on() {
    let sandbox = Sandbox::with(&Package::hostile());
    let run = sandbox
        .run(&[Package::NAME, "print", "-v"])
        .proves("guest-print");
    assert!(run.stderr.len() < 200_000, "{} bytes", run.stderr.len());
}

#[test]
fn broken_rows_are_named_and_not_shown() {
    let sandbox = Sandbox::with(&Package::hostile());
    let run = sandbox.run(&[Package::NAME, "rows"]).proves("guest-rows");
    assert_eq!(run.stdout, "");
}

#[test]
fn a_panic_names_plugin_command_and_message() {
    let sandbox = Sandbox::with(&Package::hostile());
    sandbox
        .run(&[Package::NAME, "panic"])
        .proves("guest-panic")
        .stderr_contains("demo panic")
        .lacks("\u{1b}");
}

#[test]
fn a_guest_sees_no_files_and_no_environment() {
    let sandbox = Sandbox::with(&Package::hostile());
    std::os::unix::fs::symlink("/", sandbox.home().join("link")).unwrap();
    let run = sandbox
        .run(&[Package::NAME, "files", "-f", "json"])
        .proves("B048");
    let rows = run.json();
    let rows = rows.as_array().unwrap();
    assert!(rows.len() > 30, "{} rows", rows.len());
    for row in rows {
        assert_ne!(row["answer"], "reached", "{row}");
    }
    let home: Vec<_> = fs::read_dir(sandbox.home()).unwrap().collect();
    assert_eq!(home.len(), 2, "{home:?}");
}

#[test]
fn the_replies_of_one_send_all_have_a_budget_together() {
    // Each reply is as large as one may be unasked; twenty-four of them would be 96 MiB.
    let reply = Reply::ok(&"x".repeat(4 * 1024 * 1024));
    let server = Server::always(reply);
    let sandbox = Sandbox::with(&Package::every_case());
    let urls: Vec<String> = (0..24)
        .map(|at| format!("http://example.com/{at}"))
        .collect();
    let rule = server.connect_to("example.com");
    let mut words = vec![
        Package::NAME,
        "fetch-all",
        "--connect-to",
        &rule,
        "--at-once",
        "1",
    ];
    words.extend(["-f", "json"]);
    words.extend(urls.iter().map(String::as_str));
    let run = sandbox.run(&words).proves("send-all-budget");
    let answered = run.stdout.matches("\"200\"").count();
    let refused = run.stdout.matches("RESPONSE_TOO_LARGE").count();
    // 64 MiB, and the reply that passed them.
    assert_eq!((answered, refused), (17, 7), "{}", run.stdout);
    assert_eq!(server.requests().len(), 17);
    run.peak_below(500_000_000);
}
