//! The manifest is plain JSON in UTF-8, read one way.

use crate::support::{Package, Run, Sandbox};

#[track_caller]
fn install(bytes: impl AsRef<[u8]>) -> Run {
    let sandbox = Sandbox::new();
    let package = Package::every_case().raw_manifest(bytes);
    let run = sandbox.install(&package);
    if !run.succeeded() {
        sandbox.wrote_nothing();
    }
    run
}

/// A good manifest's text.
fn good() -> String {
    String::from_utf8(Package::every_case().manifest_bytes()).unwrap()
}

#[test]
fn a_manifest_that_is_not_plain_json_is_refused_with_its_reason() {
    let twice = good().replacen('{', r#"{"domains": ["other.test"],"#, 1);
    install(twice).proves("json-duplicate-keys");
    install(format!("\u{feff}{}", good())).proves("json-bom");
    let half = good()[..good().len() / 2].to_owned();
    install(half).proves("json-broken").stderr_contains("line ");
    let utf16: Vec<u8> = good().encode_utf16().flat_map(u16::to_le_bytes).collect();
    install(utf16).proves("json-utf16");
    install("").refused().stderr_contains("sr-plugin.json");
}

#[test]
fn crlf_line_ends_are_accepted() {
    let text = good().replace("\r\n", "\n").replace('\n', "\r\n");
    install(text).proves("json-crlf");
}

#[test]
fn odd_values_are_refused_or_kept_exactly() {
    let with = |value: &str| good().replacen('{', &format!(r#"{{"description": {value},"#), 1);
    let without = |text: String| {
        // One `description` only: the odd one.
        let mut kept: Vec<&str> = text.lines().collect();
        kept.retain(|line| !line.trim_start().starts_with(r#""description""#));
        kept.join("\n")
    };
    let base = without(good());
    let odd = |value: &str| base.replacen('{', &format!(r#"{{"description": {value},"#), 1);
    for value in [
        "1e999",
        "-0",
        "9223372036854775808",
        "NaN",
        r#""\ud800""#,
        "\"a\0b\"",
        "[1,]",
        "/* no */ \"x\"",
    ] {
        install(odd(value)).proves("json-odd-values");
    }
    install(odd(&format!("\"{}\"", "x".repeat(5 << 20)))).proves("json-odd-values");
    install(with("\"twice\"")).refused();
    install(odd("\"plain\"")).exit(0);
}
