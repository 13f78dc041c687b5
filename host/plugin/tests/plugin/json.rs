//! One JSON rule for manifest and sitedata: refused or kept exactly, with file and place.

use serde_json::json;

use crate::support::{Folder, manifest};

fn text() -> String {
    serde_json::to_string_pretty(&manifest()).unwrap()
}

fn with_manifest_text(text: impl AsRef<[u8]>) -> Folder {
    let folder = Folder::good();
    folder.write("sr-plugin.json", text);
    folder
}

#[test]
fn duplicate_keys_are_refused() {
    let twice = text().replacen('{', "{\"domains\": [\"evil.example\"],", 1);
    let message = with_manifest_text(twice).refusal();
    assert!(
        message.contains("sr-plugin.json") && message.contains("duplicate key"),
        "{message}"
    );

    let message = Folder::with_sitedata(r#"{"version": "1", "version": "2"}"#).refusal();
    assert!(
        message.contains("sitedata.json") && message.contains("duplicate key"),
        "{message}"
    );
    let message =
        Folder::with_sitedata(r#"{"version": "1", "a": {"b": {"c": 1, "c": 2}}}"#).refusal();
    assert!(message.contains("duplicate key"), "{message}");
}

#[test]
fn a_byte_order_mark_is_refused_by_name() {
    assert!(
        with_manifest_text(format!("\u{feff}{}", text()))
            .refusal()
            .contains("BOM")
    );
    assert!(
        Folder::with_sitedata("\u{feff}{\"version\": \"1\"}")
            .refusal()
            .contains("BOM")
    );
}

#[test]
fn crlf_line_ends_are_accepted() {
    with_manifest_text(text().replace('\n', "\r\n"))
        .read()
        .unwrap();
    Folder::with_sitedata("{\r\n\"version\": \"1\"\r\n}")
        .read()
        .unwrap();
}

#[test]
fn truncated_text_is_refused_with_file_and_line() {
    let text = text();
    let message = with_manifest_text(&text[..text.len() / 2]).refusal();
    assert!(message.starts_with("sr-plugin.json: line "), "{message}");
    let message = Folder::with_sitedata("{\n\"version\": \"1\",\n").refusal();
    assert!(message.starts_with("sitedata.json: line 3"), "{message}");
    assert!(
        with_manifest_text("")
            .refusal()
            .contains("sr-plugin.json: the file is empty")
    );
}

#[test]
fn utf16_is_refused_as_not_utf8() {
    let utf16: Vec<u8> = text().encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(with_manifest_text(utf16).refusal().contains("not UTF-8"));
    assert!(
        Folder::with_sitedata(b"{\"version\": \"\xff\"}")
            .refusal()
            .contains("not UTF-8")
    );
}

#[test]
fn odd_values_are_refused_or_kept_exactly() {
    for value in [
        "1e999",
        "NaN",
        "Infinity",
        "9223372036854775808e40",
        "18446744073709551616",
        "-9223372036854775809",
        "-0",
        "\"\\ud800\"",
        "01",
        ".5",
        "1,",
        "1 // note",
        "'a'",
        "\"a\0b\"",
    ] {
        let message =
            Folder::with_sitedata(format!("{{\"version\": \"1\", \"x\": {value}}}")).refusal();
        assert!(
            message.starts_with("sitedata.json: line 1"),
            "{value}: {message}"
        );
    }
    for value in [
        "9223372036854775808",
        "18446744073709551615",
        "-9223372036854775808",
        "0.5",
        "\"\\u0000\"",
    ] {
        let package = Folder::with_sitedata(format!("{{\"version\": \"1\", \"x\": {value}}}"))
            .read()
            .unwrap();
        let kept = package
            .sitedata
            .unwrap()
            .get("/x")
            .unwrap()
            .unwrap()
            .to_string();
        assert_eq!(kept, value);
    }
}

#[test]
fn a_document_that_is_too_long_is_refused() {
    let mut manifest = manifest();
    manifest["description"] = json!("x".repeat(5 * 1024 * 1024));
    assert!(
        Folder::with_manifest(&manifest)
            .refusal()
            .contains("too large")
    );
    let long = format!(
        "{{\"version\": \"1\", \"x\": \"{}\"}}",
        "x".repeat(5 * 1024 * 1024)
    );
    assert!(
        Folder::with_sitedata(long)
            .refusal()
            .contains("sitedata.json: the file is too large")
    );
}

#[test]
fn a_document_that_is_too_deep_is_refused() {
    let deep = format!(
        "{{\"version\": \"1\", \"x\": {}{}}}",
        "[".repeat(50_000),
        "]".repeat(50_000)
    );
    assert!(Folder::with_sitedata(deep).refusal().contains("deep"));
}
