//! What a component asks for is read before anything is compiled, and refused by name.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a failed test panics"
)]

use sr_engine::bindings::v0_1;
use sr_engine::{EngineError, component_sizes, inspect, wit_text};
use wit_component::{ComponentEncoder, StringEncoding, dummy_module, embed_component_metadata};
use wit_parser::{ManglingAndAbi, Resolve};

/// A component for the world `adapter`, with what `extra` adds to the world.
fn component(extra: &str) -> Vec<u8> {
    let mut resolve = Resolve::default();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit");
    let (package, _) = resolve.push_path(folder).unwrap();
    let world = if extra.is_empty() {
        resolve.select_world(&[package], Some("adapter")).unwrap()
    } else {
        let text =
            format!("package test:extra; world w {{ include sr:runtime/adapter@0.1.0; {extra} }}");
        let package = resolve.push_str("world.wit", &text).unwrap();
        resolve.select_world(&[package], Some("w")).unwrap()
    };
    let mut module = dummy_module(&resolve, world, ManglingAndAbi::Standard32);
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
    ComponentEncoder::default()
        .module(&module)
        .unwrap()
        .encode()
        .unwrap()
}

#[test]
fn the_functions_of_each_interface_are_read() {
    let shape = inspect(&component("")).unwrap();
    assert_eq!(shape.version.text, "0.1.0");
    let found: Vec<(&str, Vec<&str>)> = shape
        .imports
        .iter()
        .map(|import| {
            let functions = import.functions.iter().map(String::as_str).collect();
            (import.interface.as_str(), functions)
        })
        .collect();
    let mut found_sorted = found;
    found_sorted.sort();
    let mut offered: Vec<(&str, Vec<&str>)> = v0_1::OFFERED
        .iter()
        .filter(|(_, functions)| !functions.is_empty())
        .map(|(interface, functions)| (*interface, functions.to_vec()))
        .collect();
    offered.sort();
    // The table in the code is the WIT: nothing more, nothing less.
    assert_eq!(found_sorted, offered);
}

#[test]
fn an_import_that_is_not_offered_is_refused_by_name() {
    let other = "import other: interface { f: func(); }";
    let error = inspect(&component(other)).unwrap_err();
    assert!(
        matches!(&error, EngineError::ImportNotOffered { names } if names == &["other"]),
        "{error}"
    );
}

fn refused_instance(name: &str) {
    let text = format!(
        r#"(component
            (import "{name}" (instance (export "f" (func))))
            (component $inner)
            (instance $i (instantiate $inner))
            (export "sr:runtime/plugin@0.1.0" (instance $i)))"#
    );
    let error = inspect(&wat::parse_str(text).unwrap()).unwrap_err();
    assert!(
        matches!(&error, EngineError::ImportNotOffered { names } if names == &[name.to_owned()]),
        "{name}: {error}"
    );
}

#[test]
fn sockets_http_and_everything_else_is_refused_by_name() {
    for name in [
        "wasi:sockets/tcp@0.2.6",
        "wasi:sockets/udp@0.2.6",
        "wasi:sockets/ip-name-lookup@0.2.6",
        "wasi:http/outgoing-handler@0.2.6",
        "wasi:cli/command@0.2.6",
        "wasi:keyvalue/store@0.2.0",
        "wasi:clocks/timezone@0.2.6",
        "wasi:clocks/monotonic-clock@0.3.0",
        "sr:runtime/vault@0.1.0",
        "sr:runtime/fetch@0.2.0",
        "sr:other/fetch@0.1.0",
    ] {
        refused_instance(name);
    }
}

#[test]
fn a_function_of_a_later_version_is_refused_by_name() {
    let text = r#"(component
        (import "sr:runtime/fetch@0.1.7" (instance (export "stream" (func))))
        (component $inner)
        (instance $i (instantiate $inner))
        (export "sr:runtime/plugin@0.1.7" (instance $i)))"#;
    let error = inspect(&wat::parse_str(text).unwrap())
        .unwrap_err()
        .to_string();
    assert!(error.contains("sr:runtime/fetch@0.1.7#stream"), "{error}");
}

#[test]
fn another_breaking_version_says_both_versions() {
    let text = r#"(component
        (component $inner)
        (instance $i (instantiate $inner))
        (export "sr:runtime/plugin@0.2.0" (instance $i)))"#;
    let error = inspect(&wat::parse_str(text).unwrap())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("0.2.0") && error.contains("0.1.0"),
        "{error}"
    );
}

#[test]
fn what_is_no_component_says_what_it_is() {
    let core = wat::parse_str("(module)").unwrap();
    assert!(
        inspect(&core)
            .unwrap_err()
            .to_string()
            .contains("wasm32-wasip2")
    );
    let empty = wat::parse_str("(component)").unwrap();
    assert!(matches!(inspect(&empty), Err(EngineError::NoPlugin)));
    assert!(matches!(inspect(b""), Err(EngineError::Invalid { .. })));
    assert!(matches!(
        inspect(b"not wasm at all"),
        Err(EngineError::Invalid { .. })
    ));
    let cut = component("");
    for end in [9, 20, cut.len() / 2, cut.len() - 1] {
        assert!(inspect(&cut[..end]).is_err(), "{end}");
    }
    let huge = vec![0; 16 * 1024 * 1024 + 1];
    assert!(matches!(inspect(&huge), Err(EngineError::TooLarge { .. })));
}

#[test]
fn a_component_with_a_hundred_thousand_exports_is_refused_quickly() {
    let mut text = String::from("(component (component $c) (instance $i (instantiate $c))");
    for number in 0..100_001 {
        text.push_str(&format!("(export \"e{number}\" (instance $i))"));
    }
    text.push(')');
    let bytes = wat::parse_str(text).unwrap();
    assert!(inspect(&bytes).is_err());
}

#[test]
fn a_function_that_would_take_the_compiler_s_time_is_refused_before_it_is_compiled() {
    // Many blocks with many locals, and many blocks alone.
    for (locals, blocks) in [(1_000, 40_000), (1, 100_000)] {
        let blocks = "(block) (drop (i32.const 0)) ".repeat(blocks);
        let locals = "(local i32) ".repeat(locals);
        let text = format!(
            r#"(component
                (core module (func {locals} {blocks}))
                (component $inner)
                (instance $i (instantiate $inner))
                (export "sr:runtime/plugin@0.1.0" (instance $i)))"#
        );
        let error = inspect(&wat::parse_str(text).unwrap()).unwrap_err();
        assert!(matches!(error, EngineError::TooComplex { .. }), "{error}");
    }
}

#[test]
fn a_component_s_wit_is_text_that_parses_to_what_it_imports_and_exports() {
    let extra = "import thing: interface {
        use sr:runtime/types@0.1.0.{failure as fault};
        resource %record {
            constructor(size: u32);
            next: func(at: option<u64>) -> result<string, fault>;
            %static: static func() -> %record;
        }
        flags %list { a, %use }
        type pairs = list<tuple<string, %list>>;
        give: func(mine: borrow<%record>, pairs: pairs) -> result<_, fault>;
    }";
    for component in [component(""), component(extra)] {
        let text = wit_text(&component).unwrap();
        let mut resolve = Resolve::default();
        let package = resolve
            .push_str("text.wit", &text)
            .unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let root = resolve.select_world(&[package], Some("root")).unwrap();
        let world = &resolve.worlds[root];
        let names = |items: &mut dyn Iterator<Item = &wit_parser::WorldKey>| {
            let mut names: Vec<String> = items.map(|key| resolve.name_world_key(key)).collect();
            names.sort();
            names
        };
        let mut imports: Vec<String> = ["fetch", "log", "sitedata", "task", "types"]
            .iter()
            .map(|name| format!("sr:runtime/{name}@0.1.0"))
            .collect();
        if text.contains("thing") {
            imports.push("thing".to_owned());
        }
        assert_eq!(names(&mut world.imports.keys()), imports);
        assert_eq!(
            names(&mut world.exports.keys()),
            ["sr:runtime/plugin@0.1.0"]
        );
        // Printed again from what was parsed it is a component of the same shape.
        let mut module = dummy_module(&resolve, root, ManglingAndAbi::Standard32);
        embed_component_metadata(&mut module, &resolve, root, StringEncoding::UTF8).unwrap();
        let again = ComponentEncoder::default()
            .module(&module)
            .unwrap()
            .encode()
            .unwrap();
        assert_eq!(wit_text(&again).unwrap(), text);
    }
}

#[test]
fn what_is_no_component_has_no_wit() {
    assert!(matches!(
        wit_text(b"\0asm\x01\0\0\0"),
        Err(EngineError::CoreModule)
    ));
    assert!(matches!(
        wit_text(b"not wasm"),
        Err(EngineError::Invalid { .. })
    ));
}

#[test]
fn sizes_add_up_to_the_file_and_a_broken_file_has_some() {
    let component = component("");
    let sizes = component_sizes(&component);
    assert_eq!(sizes.total, component.len());
    assert_eq!(
        sizes.code + sizes.data + sizes.custom + sizes.other,
        sizes.total
    );
    assert!(sizes.code > 0 && sizes.custom > 0, "{sizes:?}");
    let half = component.get(..component.len() / 2).unwrap();
    assert_eq!(component_sizes(half).total, half.len());
    assert_eq!(component_sizes(b"not wasm").other, 8);
}
