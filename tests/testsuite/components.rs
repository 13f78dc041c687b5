//! Components written by hand against the host: each ends in bounded time with its own error, in
//! bounded memory, and leaves the next command as it was.

use std::time::{Duration, Instant};

use crate::support::{Guest, Package, Run, Sandbox, importing, wasm};

/// Longest limit among them (compiling aside): two seconds and the host's grace, on a busy machine.
const BOUND: Duration = Duration::from_secs(30);
/// The same where compiling is what takes long: it is given 60 s, and starts twice.
const COMPILE_BOUND: Duration = Duration::from_secs(150);
/// What a component may use (128 MiB) and 100 MB.
const MEMORY: u64 = 128 * 1024 * 1024 + 100_000_000;
/// What the compiler may use (1 GiB) and 100 MB.
const COMPILER_MEMORY: u64 = 1024 * 1024 * 1024 + 100_000_000;

const LOOP: &str = "(loop $again (br $again)) unreachable";
const GROW: &str =
    "(loop $again (br_if $again (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))) unreachable";
/// An hour, waited for without asking the host.
const SLEEP: &str = "(call $block (call $subscribe (i64.const 3600000000000)))";
const CLOCK: &str = r#"
    (import "wasi:clocks/monotonic-clock@0.2.6" "subscribe-duration"
        (func $subscribe (param i64) (result i32)))
    (import "wasi:io/poll@0.2.6" "[method]pollable.block" (func $block (param i32)))"#;

/// Ends in time and in memory, whatever it does.
#[track_caller]
fn bounded(start: Instant, run: Run, id: &str, memory: u64) -> Run {
    let bound = match memory == COMPILER_MEMORY {
        true => COMPILE_BOUND,
        false => BOUND,
    };
    assert!(start.elapsed() < bound, "{id}: {:?}", start.elapsed());
    run.peak_below(memory)
}

/// Install is refused, nothing is written, and the other plugins of the home go on.
#[track_caller]
fn refused(sandbox: &Sandbox, id: &str, component: &[u8]) {
    let before = sandbox.written();
    let start = Instant::now();
    let run = sandbox.install(&Package::around(component)).proves(id);
    bounded(start, run, id, MEMORY).lacks("panicked at");
    assert_eq!(sandbox.written(), before, "{id}");
    sandbox.run(&["other", Guest::COMMAND]).exit(0);
}

/// A home with one good plugin, called `other`.
fn home() -> (Sandbox, Package) {
    let other = Package::small().named("other");
    (Sandbox::with(&other), other)
}

#[test]
fn a_component_that_breaks_while_it_is_asked_is_refused_at_install() {
    let (sandbox, _other) = home();
    let cases = [
        ("wat-start-loop", Guest::good().start(LOOP)),
        ("wat-commands-loop", Guest::good().commands(LOOP)),
        ("wat-commands-trap", Guest::good().commands("unreachable")),
        (
            "wat-commands-sleep",
            Guest::good()
                .imports(CLOCK)
                .commands(format!("{SLEEP} (i32.const 16)")),
        ),
        ("B044", Guest::good().start(GROW)),
        ("wat-declared-memory", Guest::good().memory("4096")),
        (
            "wat-table-grow",
            Guest::good().fields("(table $t 1 funcref)").start(
                "(loop $again (br_if $again (i32.ne
                    (table.grow $t (ref.null func) (i32.const 64)) (i32.const -1)))) unreachable",
            ),
        ),
        (
            "wat-recursion",
            Guest::good()
                .fields("(func $deep (param i32) (result i32) (i32.add (i32.const 1) (call $deep (local.get 0))))")
                .start("(drop (call $deep (i32.const 1)))"),
        ),
        (
            "wat-many-commands",
            Guest::good().commands(
                "(i32.store (i32.const 20) (i32.const 400000)) (i32.const 16)",
            ).memory("1024"),
        ),
        (
            "wat-bad-enum",
            Guest::good().commands("(i32.store8 (i32.const 96) (i32.const 9)) (i32.const 16)"),
        ),
        (
            "wat-bad-utf8",
            Guest::good().commands("(i32.store8 (i32.const 264) (i32.const 0xff)) (i32.const 16)"),
        ),
        (
            "wat-data-outside",
            Guest::good().fields("(data (i32.const 131070) \"abcdef\")"),
        ),
        (
            "wat-tables",
            Guest::good().fields("(table 1 funcref)".repeat(65)),
        ),
        ("wat-memories", Guest::good().fields("(memory 1)".repeat(8))),
    ];
    for (id, guest) in cases {
        refused(&sandbox, id, &guest.build());
    }
}

#[test]
fn a_component_that_breaks_while_it_runs_ends_with_its_own_error() {
    let answer = |fields: &str| format!("{fields} (i32.const 512)");
    let cases = [
        // A footer, and rows, that claim to have 2 GiB.
        (
            "wat-long-string",
            Guest::good().run(answer(
                "(i32.store8 (i32.const 528) (i32.const 1)) (i32.store (i32.const 536) (i32.const 0x7fffffff))",
            )),
        ),
        (
            "wat-long-list",
            Guest::good().run(answer("(i32.store (i32.const 524) (i32.const 0x0fffffff))")),
        ),
        // Rows that are all there, eight bytes each, and would take three times as much in the host.
        (
            "wat-many-rows",
            Guest::good().memory("1600").run(answer(
                "(i32.store (i32.const 520) (i32.const 65536)) (i32.store (i32.const 524) (i32.const 13000000))",
            )),
        ),
        // A hundred megabytes of text.
        (
            "wat-large-string",
            Guest::good().memory("1700").run(answer(
                "(i32.store8 (i32.const 528) (i32.const 1)) (i32.store (i32.const 532) (i32.const 65536))
                 (i32.store (i32.const 536) (i32.const 100000000))",
            )),
        ),
        (
            "wat-bad-case",
            Guest::good().run(answer("(i32.store8 (i32.const 512) (i32.const 7))")),
        ),
        (
            "wat-bad-realloc",
            Guest::good().realloc("(i32.const 0xffffff00)"),
        ),
        ("wat-crooked-realloc", Guest::good().realloc("(i32.const 65537)")),
        ("wat-realloc-trap", Guest::good().realloc("unreachable")),
        (
            "wat-pollables",
            Guest::good().imports(CLOCK).run(
                "(loop $again (drop (call $subscribe (i64.const 1))) (br $again)) unreachable",
            ),
        ),
        (
            "wat-random",
            Guest::good()
                .imports(r#"(import "wasi:random/random@0.2.6" "get-random-bytes" (func $random (param i64 i32)))"#)
                .run("(call $random (i64.const 1000000000) (i32.const 1024)) (i32.const 512)"),
        ),
    ];
    for (id, guest) in cases {
        let package = Package::around(&guest.build());
        let sandbox = Sandbox::with(&package);
        let start = Instant::now();
        let run = sandbox.run(&[Package::NAME, Guest::COMMAND]).proves(id);
        let run = bounded(start, run, id, MEMORY).lacks("panicked at");
        assert_eq!(run.stdout, "", "{id}");
        sandbox.run(&["plugin", "verify"]).exit(0);
    }
}

#[test]
fn a_component_without_fault_made_by_hand_runs() {
    let sandbox = Sandbox::with(&Package::small());
    sandbox.run(&[Package::NAME, Guest::COMMAND]).exit(0);
}

#[test]
fn an_import_that_is_not_offered_says_what_is_and_harms_no_other_plugin() {
    let (sandbox, _other) = home();
    for (id, import, version) in [
        ("wat-unknown-import", "sr:runtime/vault@0.1.0", "0.1.0"),
        ("B046", "sr:runtime/fetch@0.3.0", "0.1.0"),
        ("wat-newer-world", "sr:runtime/fetch@0.1.0", "0.2.0"),
    ] {
        refused(&sandbox, id, &importing(import, version));
        let run = sandbox.install(&Package::around(&importing(import, version)));
        run.stderr_contains("demo:")
            .stderr_contains("hint: get a build of the plugin for what is offered here");
        sandbox
            .run(&["plugin", "list"])
            .exit(0)
            .stdout_contains("other")
            .lacks(Package::NAME);
    }
    // The same for a plugin that was good when it was installed.
    let demo = Package::small();
    sandbox.install(&demo).exit(0);
    let newer = importing("sr:runtime/fetch@0.3.0", "0.1.0");
    demo.put_component(&newer);
    sandbox
        .run(&[Package::NAME, Guest::COMMAND])
        .proves("B046")
        .stderr_contains("offered: sr:runtime/fetch@0.1.0");
    sandbox.run(&["list"]).exit(0).stdout_contains("other");
    sandbox.run(&["other", Guest::COMMAND]).exit(0);
}

#[test]
fn a_component_of_a_monstrous_shape_is_refused_before_it_is_compiled() {
    let (sandbox, _other) = home();
    let mut exports = String::from("(component (component $c) (instance $i (instantiate $c))");
    for number in 0..100_001 {
        exports.push_str(&format!("(export \"e{number}\" (instance $i))"));
    }
    exports.push(')');
    let instances = format!(
        "(component (core module $m) {} (component $c) (instance $i (instantiate $c))
            (export \"sr:runtime/plugin@0.1.0\" (instance $i)))",
        "(core instance (instantiate $m))".repeat(100_001)
    );
    for (id, component) in [
        ("wat-exports", wat::parse_str(exports).unwrap()),
        ("wat-types", wasm::with_core_types(1_000_001)),
        ("wat-deep-components", wasm::nested_components(20_000)),
        ("wat-deep-types", wasm::nested_types(100_000)),
        ("wat-instances", wat::parse_str(instances).unwrap()),
        ("wat-size", vec![0; 16 * 1024 * 1024 + 1]),
    ] {
        refused(&sandbox, id, &component);
    }
}

#[test]
fn a_component_that_would_take_the_compiler_s_memory_is_given_up() {
    let (sandbox, _other) = home();
    // Each block passes a thousand values on, and there are as many blocks as one function may have.
    let values = "i32 ".repeat(1_000);
    let blocks = 20_000;
    let bomb = format!(
        "(type $wide (func (param {values}) (result {values})))
         (func $bomb (param {values}) (result {values})
            {gets} {open} {close})",
        gets = (0..1_000)
            .map(|at| format!("local.get {at} "))
            .collect::<String>(),
        open = "block (type $wide) ".repeat(blocks),
        close = "end ".repeat(blocks),
    );
    let component = Guest::good().fields(bomb).build();
    let before = sandbox.written();
    let start = Instant::now();
    let run = sandbox
        .install(&Package::around(&component))
        .proves("wat-compiler-memory");
    bounded(start, run, "wat-compiler-memory", COMPILER_MEMORY);
    assert_eq!(sandbox.written(), before);
    sandbox.run(&["other", Guest::COMMAND]).exit(0);
}

#[test]
fn a_function_that_is_a_bomb_ends_in_bounded_time_and_memory() {
    let (sandbox, _other) = home();
    let table = |targets: usize, depth: usize| {
        let labels: String = (0..targets).map(|at| format!("{} ", at % depth)).collect();
        format!(
            "(func $bomb (param i32) {} (br_table {labels} 0 (local.get 0)) {})",
            "block ".repeat(depth),
            "end ".repeat(depth)
        )
    };
    let nested = |blocks: usize| {
        format!(
            "(func $bomb {} {})",
            "block ".repeat(blocks),
            "end ".repeat(blocks)
        )
    };
    let locals = |locals: usize, code: usize| {
        let (declared, body) = (
            "i64 ".repeat(locals),
            "(local.set 0 (local.get 1))".repeat(code),
        );
        format!("(func $bomb (local {declared}) {body})")
    };
    for (what, bomb, refused) in [
        ("a table of one target", table(60_000, 1), false),
        (
            "a table of as many targets as blocks",
            table(20_000, 20_000),
            false,
        ),
        (
            "blocks up to the limit of a function",
            nested(80_000),
            false,
        ),
        ("blocks beyond it", nested(100_000), true),
        ("locals", locals(49_000, 100), false),
        ("locals and code", locals(49_000, 10_000), true),
    ] {
        let component = Guest::good().fields(bomb).build();
        let start = Instant::now();
        let run = sandbox.install(&Package::around(&component));
        let run = bounded(start, run, what, COMPILER_MEMORY).lacks("panicked at");
        let told = run.stderr.contains("[COMPONENT]");
        assert!(
            run.succeeded() && !refused || run.ended_with(78) && told,
            "{what}: {run:?}"
        );
        if run.succeeded() {
            sandbox.run(&["plugin", "uninstall", Package::NAME]).exit(0);
        }
        sandbox.run(&["other", Guest::COMMAND]).exit(0);
    }
}
