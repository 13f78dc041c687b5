//! `plugin lint`: what it finds, and where it says it is.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};

use crate::support::{Package, Run, Sandbox};

pub(crate) fn lint(folder: &Path, more: &[&str]) -> Run {
    let folder = folder.to_str().unwrap();
    let mut arguments = vec!["plugin", "lint", folder];
    arguments.extend(more);
    Sandbox::new().run(&arguments)
}

fn report(folder: &Path) -> Value {
    lint(folder, &["-f", "json"]).json()
}

/// The findings with this code.
pub(crate) fn with_code(report: &Value, code: &str) -> Vec<Value> {
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .filter(|finding| finding["code"] == code)
        .cloned()
        .collect()
}

fn codes(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| finding["code"].as_str().unwrap().to_owned())
        .collect()
}

/// A package about which there is nothing to say.
pub(crate) fn good() -> Package {
    let package = Package::every_case();
    package.put("README.md", "# Demo\n");
    package
}

fn with_sitedata(text: impl AsRef<[u8]>) -> Package {
    let package = good();
    package.put("sitedata.json", text);
    package
}

#[test]
fn a_good_package_passes_both() {
    for package in [good(), Package::writer()] {
        package.put("README.md", "# Demo\n");
        let found = report(&package.path());
        assert_eq!(found["errors"], 0, "{found}");
        assert_eq!(found["ok"], true);
        Sandbox::new().install(&package).exit(0);
    }
    let found = report(&good().path());
    assert_eq!(found["findings"], json!([]), "{found}");
    lint(&good().path(), &[])
        .exit(0)
        .stdout_contains("0 errors, 0 warnings\n");
}

#[test]
fn every_fault_is_told_with_its_place_not_only_the_first() {
    let package = good().raw_manifest(
        r#"{
  "name": "Demo",
  "versoin": "1",
  "world": "sr:runtime/adapter@0.1.0",
  "component": "every-case.wasm",
  "domains": ["a.test", "https://b.test", "*.com"],
  "capabilities": ["fetc", "sitedata"],
  "sitedata": "sitedata.json"
}"#,
    );
    package.put(
        "sitedata.json",
        "{\n \"version\": 7,\n \"waits\": {\"settle\": 60000}\n}",
    );
    symlink("nowhere", package.path().join("link")).unwrap();
    let run = lint(&package.path(), &[]).exit(1);
    for line in [
        "sr-plugin.json:2:11: error[NAME]: /name: ",
        "sr-plugin.json:3:3: error[KEY_UNKNOWN]: /versoin: ",
        "sr-plugin.json: error[KEY_MISSING]: a key is missing: \"version\"",
        "sr-plugin.json:6:25: error[DOMAIN]: /domains/1: \"https://b.test\"",
        "sr-plugin.json:6:43: error[DOMAIN]: /domains/2: \"*.com\"",
        "sr-plugin.json:7:20: error[CAPABILITY_UNKNOWN]: /capabilities/0: ",
        "sitedata.json:2:13: error[SITEDATA_VALUE]: /version: ",
        "sitedata.json:3:22: error[LITERAL_SLEEP]: /waits/settle: ",
        "link: error[ENTRY]: ",
        "every-case.wasm: error[CAPABILITY_NOT_ASKED]: ",
    ] {
        assert!(run.stdout.contains(line), "{line}\n--\n{}", run.stdout);
    }
    let last = run.stdout.lines().last().unwrap();
    assert!(last.contains(" errors, "), "{last}");
    let fixes = run
        .stdout
        .lines()
        .filter(|line| line.starts_with("  fix: "));
    let findings = run
        .stdout
        .lines()
        .filter(|line| line.contains("error[") || line.contains("warning["));
    assert_eq!(fixes.count(), findings.count());
}

#[test]
fn a_sleep_and_a_surface_that_is_off_are_told_with_their_place() {
    let package = with_sitedata(
        r#"{
  "version": "1",
  "waits": { "settle": 60000, "rows": { "for": "row", "limit_ms": 5000 } },
  "automation": { "page": "off", "network": true },
  "commands": { "sitedata": { "waits": { "menu": "60s" }, "retry": [{ "delay_ms": 60000 }] } }
}"#,
    );
    lint(&package.path(), &[]).proves("literal-sleeps");
    let found = report(&package.path());
    let places = |code: &str| -> Vec<(String, i64)> {
        let findings = with_code(&found, code).into_iter();
        findings
            .map(|finding| {
                assert_eq!(finding["file"], "sitedata.json");
                let pointer = finding["pointer"].as_str().unwrap().to_owned();
                (pointer, finding["line"].as_i64().unwrap())
            })
            .collect()
    };
    assert_eq!(
        places("LITERAL_SLEEP"),
        [
            ("/waits/settle".to_owned(), 3),
            ("/commands/sitedata/waits/menu".to_owned(), 5),
            ("/commands/sitedata/retry/0/delay_ms".to_owned(), 5),
        ]
    );
    assert_eq!(places("SURFACE_OFF"), [("/automation/page".to_owned(), 4)]);
}

#[test]
fn a_key_twice_deep_in_the_sitedata_is_named_by_lint_and_install() {
    let package = with_sitedata(
        "{\"version\": \"1\", \"a\": {\"b\": {\"first\": 1, \"c\": {\"deep\": 1, \"deep\": 2}}}}",
    );
    Sandbox::new()
        .install(&package)
        .proves("B031")
        .stderr_contains("duplicate key: deep")
        .stderr_contains("sitedata.json: line 1, column ");
    lint(&package.path(), &[])
        .exit(1)
        .stdout_contains("sitedata.json:1:")
        .stdout_contains("error[DUPLICATE_KEY]: duplicate key: deep");
}

#[test]
fn a_byte_order_mark_has_one_verdict_and_is_named() {
    let package = with_sitedata("\u{feff}{\"version\": \"1\"}");
    Sandbox::new().install(&package).proves("B033");
    lint(&package.path(), &[])
        .exit(1)
        .stdout_contains("sitedata.json: error[BYTE_ORDER_MARK]: ")
        .stdout_contains("byte order mark");
}

#[test]
fn a_pattern_is_judged_by_the_engine_that_runs_it() {
    let package = with_sitedata(
        r#"{"version": "1", "commands": {"sitedata": {
  "pattern": "^(a+)+$",
  "checks": {"patterns": {"lookahead": "(?=a)b", "huge": "(a{99}){99}", "fine": "^\\d+$"}},
  "patterns": ["(", 7]
}}}"#,
    );
    let started = Instant::now();
    let found = report(&package.path());
    assert!(started.elapsed() < Duration::from_secs(30));
    let pointers: Vec<_> = with_code(&found, "PATTERN")
        .into_iter()
        .map(|finding| finding["pointer"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        pointers,
        [
            "/commands/sitedata/checks/patterns/lookahead",
            "/commands/sitedata/checks/patterns/huge",
            "/commands/sitedata/patterns/0",
        ]
    );
    assert_eq!(with_code(&found, "SITEDATA_VALUE").len(), 1, "{found}");
}

#[test]
fn sitedata_is_held_against_domains_and_commands() {
    let package = with_sitedata(
        r#"{"version": "1", "domains": ["new.test"],
  "urls": {"in": "https://example.com/{id}", "out": "https://other.test/"},
  "labels": {"more": "https://elsewhere.test/"},
  "commands": {
    "sitedata": {
      "selectors": {"title": " ", "row": "tr"},
      "strategies": [{"id": "s0", "selectors": {"title": "h1", "extra": "x"}}],
      "fixtures": [{"args": {"nope": 1}, "expect": {"columns": ["absent"]}}]
    },
    "ghost": {"fixtures": []},
    "shade": {}
  }}"#,
    );
    let found = report(&package.path());
    for (code, count) in [
        ("DOMAIN_FROM_SITEDATA", 1),
        ("URL_OUTSIDE", 1),
        ("URL_ELSEWHERE", 1),
        ("SELECTOR", 1),
        ("STRATEGY", 3),
        ("FIXTURE", 3),
        ("SITEDATA_COMMAND", 1),
    ] {
        assert_eq!(with_code(&found, code).len(), count, "{code}: {found}");
    }
}

#[test]
fn what_the_template_said_is_found_in_a_plugin_for_another_site() {
    let package = Package::every_case().manifest(|manifest| {
        manifest["description"] = json!("Greets people in the words of a site");
    });
    package.put("README.md", "It may reach `greetings.example`.");
    let found = lint(&package.path(), &["-f", "json"]).exit(0).json();
    assert_eq!(with_code(&found, "TEMPLATE_TEXT").len(), 2, "{found}");
    let own = Package::every_case().manifest(|manifest| {
        manifest["domains"] = json!(["greetings.example"]);
        manifest["description"] = json!("Greets people in the words of a site");
    });
    let found = lint(&own.path(), &["-f", "json"]).exit(0).json();
    assert_eq!(with_code(&found, "TEMPLATE_TEXT").len(), 0, "{found}");
}

#[test]
fn warnings_alone_end_with_0() {
    let package = Package::every_case().manifest(|manifest| {
        manifest["domains"] = json!(["*.shop.test", "a.shop.test", "example.com"]);
        manifest["capabilities"] = json!(["fetch", "sitedata", "vault"]);
        manifest["world"] = json!("sr:runtime/adapter@0.1.7");
    });
    package.put("Notes.txt", "x");
    package.put("notes.txt", "x");
    package.put("caf\u{e9}.txt", "x");
    package.put("cafe\u{301}.txt", vec![b'x'; 2 << 20]);
    Sandbox::new().install(&package).exit(0);
    let run = lint(&package.path(), &["-f", "json"]).exit(0);
    let found = run.json();
    assert_eq!(found["ok"], true);
    assert_eq!(found["errors"], 0);
    assert_eq!(
        found["warnings"],
        found["findings"].as_array().unwrap().len()
    );
    for (code, count) in [
        ("DOMAIN_COVERED", 1),
        ("CAPABILITY_UNUSED", 1),
        ("WORLD_DIFFERS", 1),
        ("NO_README", 1),
        ("FILE_NOT_NEEDED", 4),
        ("FILE_LARGE", 1),
        ("NAME_COLLISION", 2),
    ] {
        assert_eq!(with_code(&found, code).len(), count, "{code}: {found}");
    }
    let none = Package::every_case().domains(&[]);
    let found = report(&none.path());
    assert_eq!(with_code(&found, "NO_DOMAINS").len(), 1, "{found}");
    assert_eq!(with_code(&found, "SITEDATA_UNUSED").len(), 1, "{found}");
}

#[test]
fn a_crate_is_looked_at_with_what_was_built_of_it() {
    let package = good();
    let around = tempfile::tempdir().unwrap();
    let root = around.path();
    for folder in ["plugin", "src", "dist/demo"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    fs::write(root.join("Cargo.toml"), "[package]\n").unwrap();
    fs::write(root.join("src/lib.rs"), "").unwrap();
    for name in ["sr-plugin.json", "sitedata.json", "README.md"] {
        fs::copy(package.path().join(name), root.join("plugin").join(name)).unwrap();
    }
    let not_built = |run: Run, words: &str| {
        let found = run.exit(0).json();
        let findings = with_code(&found, "NOT_BUILT");
        assert_eq!(codes(&found), ["NOT_BUILT"], "{found}");
        let why = findings[0]["why"].as_str().unwrap();
        assert!(why.contains(words), "{why}");
    };
    let json = ["-f", "json"];
    not_built(lint(root, &json), "the component is not there");
    fs::remove_dir(root.join("dist/demo")).unwrap();
    not_built(lint(root, &json), "there is no built package");

    fs::create_dir(root.join("dist/demo")).unwrap();
    for name in [
        "sr-plugin.json",
        "sitedata.json",
        "README.md",
        "every-case.wasm",
    ] {
        let place = root.join("dist/demo").join(name);
        fs::copy(package.path().join(name), place).unwrap();
    }
    let touch = |name: &str, time: SystemTime| {
        let file = fs::File::options().write(true).open(root.join(name));
        file.unwrap().set_modified(time).unwrap();
    };
    let now = SystemTime::now();
    let before = now.checked_sub(Duration::from_secs(3_600)).unwrap();
    for name in ["Cargo.toml", "src/lib.rs"] {
        touch(name, before);
    }
    let found = lint(root, &json).exit(0).json();
    assert_eq!(found["findings"], json!([]), "{found}");
    touch(
        "src/lib.rs",
        now.checked_add(Duration::from_secs(60)).unwrap(),
    );
    not_built(lint(root, &json), "it is older than src/lib.rs");
    touch("src/lib.rs", before);
    fs::write(root.join("plugin/README.md"), "# Another\n").unwrap();
    not_built(lint(root, &json), "it is not the file in plugin/");

    fs::write(root.join("plugin/sr-plugin.json"), "{").unwrap();
    let found = lint(root, &json).exit(1).json();
    assert_eq!(
        with_code(&found, "NOT_JSON")[0]["file"],
        "plugin/sr-plugin.json"
    );
}

#[test]
fn a_place_without_a_plugin_is_a_usage_error() {
    let around = tempfile::tempdir().unwrap();
    let file = around.path().join("file");
    fs::write(&file, "x").unwrap();
    let pipe = around.path().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for (place, words) in [
        (around.path(), "no plugin is here"),
        (&around.path().join("none"), "cannot open the folder"),
        (&file, "cannot open the folder"),
        (&pipe, "cannot open the folder"),
    ] {
        lint(place, &[]).exit(2).stderr_contains(words);
        let run = lint(place, &["-f", "json"]).exit(2);
        assert_eq!(run.error()["code"], "USAGE");
        assert!(run.stdout.is_empty(), "{}", run.stdout);
    }
    Sandbox::new()
        .run(&["plugin", "lint"])
        .exit(2)
        .stderr_contains("no plugin is here");
}

#[test]
fn a_hostile_folder_ends_in_a_bounded_time_and_cannot_write_to_the_terminal() {
    let package = good();
    for number in 0..5_000 {
        package.put(&format!("many/{number}"), "");
    }
    package.put("esc\u{1b}[2J", "");
    let started = Instant::now();
    lint(&package.path(), &[])
        .exit(1)
        .stdout_contains("a package holds at most 4096 files and folders")
        .lacks("\u{1b}");
    let keys: String = (0..50_000)
        .map(|key| format!("\"\u{9b}k{key}\": {{\"sleep\": 9}},"))
        .collect();
    let package = with_sitedata(format!("{{{keys}\"version\": \"1\"}}"));
    let run = lint(&package.path(), &[]).exit(1).lacks("\u{9b}");
    assert!(
        run.stdout.contains("more of these") || run.stdout.contains("too large"),
        "{}",
        run.stdout.len()
    );
    assert!(started.elapsed() < Duration::from_secs(60));
    assert!(run.stdout.lines().count() < 500);
}
