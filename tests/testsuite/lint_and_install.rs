//! `plugin lint` and `plugin install` never disagree.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use serde_json::json;

use crate::lint::{good, lint, with_code};
use crate::support::{Package, Sandbox, wasm};

/// The built component with each `from` in it replaced by a text of the same length.
fn patch(package: &Package, from: &str, to: &str) {
    assert_eq!(from.len(), to.len());
    let mut bytes = fs::read(package.component()).unwrap();
    let mut at = 0;
    let mut count = 0;
    while at + from.len() <= bytes.len() {
        if bytes[at..].starts_with(from.as_bytes()) {
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
            count += 1;
        }
        at += 1;
    }
    assert!(count > 0, "no {from} in the component");
    fs::write(package.component(), bytes).unwrap();
}

type Change = fn(&Package);

/// Name of the case, how the package is spoiled, the code of the linter, words of both messages.
const REFUSED: &[(&str, Change, &str, &str)] = &[
    (
        "an unknown key",
        |package| package.edit(|manifest| manifest["domain"] = json!([])),
        "KEY_UNKNOWN",
        "unknown key (did you mean \"domains\"?): \"domain\"",
    ),
    (
        "a missing key",
        |package| {
            package.edit(|manifest| {
                manifest.as_object_mut().unwrap().remove("version");
            });
        },
        "KEY_MISSING",
        "a key is missing: \"version\"",
    ),
    (
        "a value of the wrong type",
        |package| package.edit(|manifest| manifest["domains"] = json!("example.com")),
        "VALUE",
        "domains: must be a list of texts, found: a text",
    ),
    (
        "a reserved name",
        |package| package.edit(|manifest| manifest["name"] = json!("plugin")),
        "NAME",
        "this plugin name is reserved",
    ),
    (
        "a name that is a path",
        |package| package.edit(|manifest| manifest["name"] = json!("../x")),
        "NAME",
        "not a plugin name",
    ),
    (
        "a world that is not served",
        |package| package.edit(|manifest| manifest["world"] = json!("sr:runtime/adapter@0.2.0")),
        "WORLD",
        "this plugin needs a newer sr-runtime, one that serves sr:runtime/adapter@0.2.0; this one serves sr:runtime/adapter@0.1.x",
    ),
    (
        "a path that leaves the package",
        |package| package.edit(|manifest| manifest["component"] = json!("../x.wasm")),
        "VALUE",
        "component: a path must stay inside the package",
    ),
    (
        "a misspelt capability",
        |package| package.edit(|manifest| manifest["capabilities"] = json!(["fetc", "sitedata"])),
        "CAPABILITY_UNKNOWN",
        "there is no capability \"fetc\" (did you mean \"fetch\"?); there are: fetch, posts, sitedata",
    ),
    (
        "a misspelt access class",
        |package| package.edit(|manifest| manifest["access"] = json!("gren")),
        "VALUE",
        "access: one of green, yellow, red (did you mean \"green\"?): \"gren\"",
    ),
    (
        "posts that are not asked for",
        |package| package.edit(|manifest| manifest["posts"] = json!(["https://example.com/a"])),
        "POSTS_NOT_ASKED",
        "posts needs a capability",
    ),
    (
        "a post outside of the domains",
        |package| {
            package.edit(|manifest| {
                manifest["posts"] = json!(["https://other.test/a"]);
                manifest["capabilities"] = json!(["fetch", "posts", "sitedata"]);
            });
        },
        "POST",
        "\"https://other.test/a\": the URL is not within the domains",
    ),
    (
        "a domain with a scheme",
        |package| package.edit(|manifest| manifest["domains"] = json!(["https://a.test"])),
        "DOMAIN",
        "\"https://a.test\": a scheme is not part of a domain",
    ),
    (
        "a wildcard on a public suffix",
        |package| package.edit(|manifest| manifest["domains"] = json!(["*.co.uk"])),
        "DOMAIN",
        "\"*.co.uk\": a wildcard on a public suffix would allow sites of strangers",
    ),
    (
        "a wide domain in the sitedata",
        |package| {
            package.put(
                "sitedata.json",
                r#"{"version": "1", "domains": ["*.github.io"]}"#,
            )
        },
        "DOMAIN",
        "\"*.github.io\": a wildcard on a public suffix",
    ),
    (
        "a byte order mark",
        |package| {
            let manifest = String::from_utf8(package.manifest_bytes()).unwrap();
            package.put("sr-plugin.json", format!("\u{feff}{manifest}"));
        },
        "BYTE_ORDER_MARK",
        "byte order mark (BOM)",
    ),
    (
        "UTF-16",
        |package| {
            let manifest = String::from_utf8(package.manifest_bytes()).unwrap();
            let wide = manifest.encode_utf16().flat_map(u16::to_le_bytes);
            package.put("sr-plugin.json", wide.collect::<Vec<u8>>());
        },
        "NOT_UTF8",
        "not UTF-8, it looks like UTF-16",
    ),
    (
        "text that ends early",
        |package| {
            let manifest = package.manifest_bytes();
            package.put("sr-plugin.json", &manifest[..manifest.len() / 2]);
        },
        "NOT_JSON",
        "not JSON: expected",
    ),
    (
        "a key twice",
        |package| {
            let manifest = String::from_utf8(package.manifest_bytes()).unwrap();
            let twice = manifest.replacen('{', r#"{"domains": ["b.test"],"#, 1);
            package.put("sr-plugin.json", twice);
        },
        "DUPLICATE_KEY",
        "duplicate key: domains",
    ),
    (
        "an empty manifest",
        |package| package.put("sr-plugin.json", ""),
        "NOT_JSON",
        "the file is empty",
    ),
    (
        "sitedata without a version",
        |package| package.put("sitedata.json", "{}"),
        "SITEDATA_VALUE",
        "version must be a text of 1 to 64 bytes",
    ),
    (
        "selectors that are no texts",
        |package| {
            package.put(
                "sitedata.json",
                r#"{"version": "1", "commands": {"sitedata": {"selectors": {"a": 1}}}}"#,
            );
        },
        "SITEDATA_VALUE",
        "commands.sitedata.selectors must be an object of texts",
    ),
    (
        "a link",
        |package| symlink("/", package.path().join("data")).unwrap(),
        "ENTRY",
        "a package holds no symbolic links; replace it by the file or remove it: data",
    ),
    (
        "a pipe",
        |package| {
            let pipe = package.path().join("pipe");
            assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
        },
        "ENTRY",
        "remove this pipe: pipe",
    ),
    (
        "a file that is too large",
        |package| {
            let file = fs::File::create(package.path().join("big.bin")).unwrap();
            file.set_len(17 << 20).unwrap();
        },
        "ENTRY",
        "bytes: big.bin",
    ),
    (
        "a manifest that is a pipe",
        |package| {
            let pipe = package.path().join("sr-plugin.json");
            fs::remove_file(&pipe).unwrap();
            assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
        },
        "ENTRY",
        "remove this pipe: sr-plugin.json",
    ),
    (
        "no component",
        |package| fs::remove_file(package.component()).unwrap(),
        "NO_FILE",
        "the package holds no such file: every-case.wasm",
    ),
    (
        "a component that is none",
        |package| package.put("every-case.wasm", "\0asm garbage"),
        "COMPONENT",
        "not a valid WebAssembly component",
    ),
    (
        "a core module",
        |package| package.put("every-case.wasm", b"\0asm\x01\0\0\0"),
        "COMPONENT",
        "a core WebAssembly module, not a component",
    ),
    (
        "an import that is not offered",
        |package| patch(package, "sr:runtime/fetch@0.1.0", "sr:runtime/fetcj@0.1.0"),
        "IMPORT_NOT_OFFERED",
        "sr:runtime/fetcj@0.1.0",
    ),
    (
        "a component of another version",
        |package| patch(package, "@0.1.0", "@0.9.0"),
        "WORLD_VERSION",
        "built for sr:runtime@0.9.0, this host has 0.1",
    ),
    (
        "an import without its capability",
        |package| package.edit(|manifest| manifest["capabilities"] = json!(["sitedata"])),
        "CAPABILITY_NOT_ASKED",
        "fetch.send",
    ),
    (
        "a command with a name of the command line",
        |package| patch(package, "echo", "help"),
        "COMMAND",
        "command help: name: belongs to the command line: help",
    ),
    (
        "an argument with the name of a host option",
        |package| patch(package, "colour", "window"),
        "COMMAND",
        "argument window: --window belongs to the host",
    ),
    (
        "a component that takes too much to start",
        |package| {
            let component = fs::read(package.component()).unwrap();
            fs::write(
                package.component(),
                wasm::with_table_of(&component, 10_000_000),
            )
            .unwrap();
        },
        "METADATA",
        "its list of commands cannot be read",
    ),
];

#[test]
fn what_install_refuses_lint_reports_by_the_same_rule() {
    for (case, spoil, code, words) in REFUSED {
        let package = good();
        spoil(&package);
        let sandbox = Sandbox::new();
        sandbox.install(&package).refused().stderr_contains(words);
        let run = lint(&package.path(), &["-f", "json"]).exit(1);
        let findings = with_code(&run.json(), code);
        let told = findings
            .iter()
            .any(|finding| finding["why"].as_str().unwrap().contains(words));
        assert!(told, "{case}: no {code} with {words:?}: {}", run.stdout);
        assert!(
            findings.iter().all(|finding| finding["severity"] == "error"
                && !finding["fix"].as_str().unwrap().is_empty()),
            "{case}: {}",
            run.stdout
        );
    }
}
