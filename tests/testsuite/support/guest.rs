//! Components for the world `adapter` written as text: what no compiler would make.

use std::fmt::Write as _;

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use super::root;

/// The parts of WASI that a text may import: Rust's library would ask for them too.
const WASI: &str = "
package test:waits;
package wasi:io@0.2.6 {
    interface poll { resource pollable { block: func(); } }
}
package wasi:clocks@0.2.6 {
    interface monotonic-clock {
        use wasi:io/poll@0.2.6.{pollable};
        subscribe-duration: func(nanoseconds: u64) -> pollable;
    }
}
package wasi:random@0.2.6 {
    interface random { get-random-bytes: func(len: u64) -> list<u8>; }
}
world waits {
    include sr:runtime/adapter@0.1.0;
    import wasi:io/poll@0.2.6;
    import wasi:clocks/monotonic-clock@0.2.6;
    import wasi:random/random@0.2.6;
}";

/// Address of the answer of `commands`: a list of the one command that follows.
const LIST: u32 = 16;
const COMMAND: u32 = 64;
const COMMAND_BYTES: usize = 136;
const NAME: u32 = 256;
const SUMMARY: u32 = 264;
/// 64 zero bytes: as the answer of `run`, no rows and no failure.
pub(crate) const NO_ROWS: u32 = 512;

/// A core module with the exports of an adapter and one read command, `go`.
pub(crate) struct Guest {
    imports: &'static str,
    memory: &'static str,
    fields: String,
    commands: String,
    run: String,
    realloc: &'static str,
}

impl Guest {
    /// The command of every such component.
    pub(crate) const COMMAND: &str = "go";

    /// One that does what it should: `go` gives no rows.
    pub(crate) fn good() -> Self {
        Self {
            imports: "",
            memory: "2",
            fields: String::new(),
            commands: format!("i32.const {LIST}"),
            run: format!("i32.const {NO_ROWS}"),
            realloc: "
                (local $at i32)
                (local.set $at (i32.and
                    (i32.add (global.get $next) (i32.const 7)) (i32.const -8)))
                (global.set $next (i32.add (local.get $at) (local.get 3)))
                (local.get $at)",
        }
    }

    /// Core imports: `(import "sr:runtime/task@0.1.0" "pause" (func …))`.
    pub(crate) fn imports(self, imports: &'static str) -> Self {
        Self { imports, ..self }
    }

    /// Pages of the memory, as text: at first, and at most.
    pub(crate) fn memory(self, memory: &'static str) -> Self {
        Self { memory, ..self }
    }

    /// Further fields of the module.
    pub(crate) fn fields(self, fields: impl Into<String>) -> Self {
        Self {
            fields: fields.into(),
            ..self
        }
    }

    /// The body of the start function.
    pub(crate) fn start(self, body: &str) -> Self {
        let fields = format!("{} (func $start {body}) (start $start)", self.fields);
        Self { fields, ..self }
    }

    /// The body of `commands`, which leaves the address of a list.
    pub(crate) fn commands(self, body: impl Into<String>) -> Self {
        Self {
            commands: body.into(),
            ..self
        }
    }

    /// The body of `run`, which leaves the address of its answer.
    pub(crate) fn run(self, body: impl Into<String>) -> Self {
        Self {
            run: body.into(),
            ..self
        }
    }

    /// The body of the allocator that the host calls to hand over strings.
    pub(crate) fn realloc(self, realloc: &'static str) -> Self {
        Self { realloc, ..self }
    }

    /// The core module.
    fn module(&self) -> String {
        let Self {
            imports,
            memory,
            fields,
            commands,
            run,
            realloc,
        } = self;
        let eight = "(param i32 i32 i32 i32 i32 i32 i32 i32)";
        let plugin = "sr:runtime/plugin@0.1.0";
        format!(
            r#"(module
            {imports}
            (memory (export "memory") {memory})
            (global $next (mut i32) (i32.const 65536))
            (data (i32.const 0) "{data}")
            {fields}
            (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) {realloc})
            (func (export "{plugin}#commands") (result i32) {commands})
            (func (export "{plugin}#run") {eight} (result i32) {run})
            (func (export "{plugin}#prepare") {eight} (result i32) unreachable)
            (func (export "{plugin}#[method]prepared.plan") (param i32) (result i32) unreachable)
            (func (export "{plugin}#[method]prepared.commit") (param i32) (result i32) unreachable))"#,
            data = data(),
        )
    }

    /// The component.
    pub(crate) fn build(&self) -> Vec<u8> {
        let mut module = wat::parse_str(self.module()).unwrap();
        let mut resolve = Resolve::default();
        resolve.push_path(root().join("wit")).unwrap();
        let package = resolve.push_str("waits.wit", WASI).unwrap();
        let world = resolve.select_world(&[package], Some("waits")).unwrap();
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
        let mut encoder = ComponentEncoder::default();
        encoder.module(&module).unwrap();
        encoder.encode().unwrap()
    }
}

/// A component without code that imports and exports these instances.
pub(crate) fn importing(import: &str, version: &str) -> Vec<u8> {
    wat::parse_str(format!(
        r#"(component
            (import "{import}" (instance (export "f" (func))))
            (component $inner)
            (instance $i (instantiate $inner))
            (export "sr:runtime/plugin@{version}" (instance $i)))"#
    ))
    .unwrap()
}

/// The first 512 bytes of every memory, as a string of the text format.
fn data() -> String {
    let mut bytes = vec![0_u8; NO_ROWS as usize + 64];
    let mut put = |at: usize, words: &[u32]| {
        for (place, word) in words.iter().enumerate() {
            let at = at + 4 * place;
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
    };
    put(LIST as usize, &[COMMAND, 1]);
    put(COMMAND as usize, &[NAME, 2]);
    put(COMMAND as usize + 16, &[SUMMARY, 3]);
    assert!(COMMAND as usize + COMMAND_BYTES <= NAME as usize);
    bytes[NAME as usize..][..2].copy_from_slice(Guest::COMMAND.as_bytes());
    bytes[SUMMARY as usize..][..3].copy_from_slice(b"Go!");
    let mut text = String::new();
    for byte in bytes {
        write!(text, "\\{byte:02x}").unwrap();
    }
    text
}
