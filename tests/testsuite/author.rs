//! The author's loop: a new plugin, built, tested, packed, installed; nothing from the network.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Author, Package, Sandbox, collect, replace, root, spawn};

#[test]
fn a_new_plugin_builds_lints_tests_installs_and_runs_without_an_edit() {
    let author = Author::new();
    let folder = author.create("newcomer");
    let build = author
        .run(&folder, &["plugin", "build", "-f", "json"])
        .exit(0);
    let built = build.json();
    author
        .run(&folder, &["plugin", "lint"])
        .exit(0)
        .stdout_contains("0 errors, 0 warnings");
    author
        .run(&folder, &["plugin", "test"])
        .exit(0)
        .stdout_contains("ok      fixtures/hello.json")
        .stdout_contains("ok      fixtures/nobody.json")
        .stdout_contains("3 passed, 0 failed");
    // An editor and a plain cargo find the SDK, and the lock file is complete.
    let locked = ["metadata", "--locked", "--format-version", "1"];
    author.cargo(&folder, &locked).exit(0);
    author.cargo(&folder, &["fmt", "--check"]).exit(0);

    let packed = author
        .run(&folder, &["plugin", "pack", "-f", "json"])
        .exit(0)
        .json();
    assert_eq!(packed["hash"], built["hash"]);
    author
        .run(&folder, &["plugin", "install", "./dist/newcomer"])
        .exit(0);
    let lock: Value = serde_json::from_slice(&fs::read(author.sandbox.lock()).unwrap()).unwrap();
    assert_eq!(lock["plugins"]["newcomer"]["hash"], packed["hash"]);
    author
        .run(&folder, &["plugin", "verify", "newcomer"])
        .exit(0)
        .stdout_contains(packed["hash"].as_str().unwrap());
    author
        .run(&folder, &["list"])
        .exit(0)
        .stdout_contains("newcomer");
    let hello = [
        "newcomer",
        "hello",
        "World",
        "--replay",
        "recordings/hello.json",
    ];
    let rows = author
        .run(&folder, &[&hello[..], &["-f", "json"]].concat())
        .exit(0)
        .json();
    let row = json!({ "name": "World", "greeting": "Hello, World!", "times": 12 });
    assert_eq!(rows, json!([row]));
}

#[test]
fn the_same_source_has_one_hash_in_every_folder_and_home() {
    let hash = |below: &str| {
        let author = Author::new();
        let parent = author.sandbox.home().join(below);
        fs::create_dir_all(&parent).unwrap();
        let folder = parent.join("alike");
        let place = folder.display().to_string();
        let new = ["plugin", "new", "alike", "--dir", &place];
        author.run(author.sandbox.home(), &new).exit(0);
        let built = author
            .run(&folder, &["plugin", "build", "-f", "json"])
            .exit(0)
            .json();
        let component = fs::read(folder.join("dist/alike/alike.wasm")).unwrap();
        let text = String::from_utf8_lossy(&component).into_owned();
        let home = author.sandbox.home().display().to_string();
        assert!(
            !text.contains(&home),
            "the component names a folder of this machine"
        );
        built["hash"].clone()
    };
    assert_eq!(hash("one"), hash("another/and deeper"));
}

#[test]
fn the_lock_of_a_new_crate_has_the_versions_of_this_repository() {
    let versions = |path: &Path| -> BTreeSet<(String, String)> {
        let text = fs::read_to_string(path).unwrap();
        let value = |line: Option<&str>, key: &str| {
            let value = line.and_then(|line| line.strip_prefix(&format!("{key} = \"")));
            value.unwrap().trim_end_matches('"').to_owned()
        };
        text.split("[[package]]\n")
            .skip(1)
            .map(|package| {
                let mut lines = package.lines();
                (value(lines.next(), "name"), value(lines.next(), "version"))
            })
            .collect()
    };
    let own = versions(&root().join("Cargo.lock"));
    let author = Author::new();
    let folder = author.create("locked");
    let locked = versions(&folder.join("Cargo.lock"));
    assert!(locked.len() > 50, "{locked:?}");
    let others: Vec<_> = locked
        .difference(&own)
        .filter(|(name, _)| name != "locked")
        .collect();
    assert!(others.is_empty(), "run `cargo xtask sdk-lock`: {others:?}");
}

#[test]
fn a_fixture_without_its_recording_fails_alone_and_a_name_is_no_folder() {
    let author = Author::new();
    let folder = author.create("lonely");
    let fixture = folder.join("fixtures/lonely.json");
    fs::copy(folder.join("fixtures/hello.json"), &fixture).unwrap();
    replace(&fixture, "recordings/hello.json", "recordings/none.json");
    author
        .run(&folder, &["plugin", "test"])
        .exit(1)
        .stdout_contains("FAILED  native (cargo test)")
        .stdout_contains("FAILED  fixtures/lonely.json")
        .stdout_contains("recordings/none.json: No such file")
        .stdout_contains("ok      fixtures/hello.json")
        .stdout_contains("2 passed, 2 failed")
        .stderr_contains("fixtures/lonely.json: ");
    author
        .run(&folder, &["plugin", "test", "hello"])
        .stderr_contains("sr-runtime plugin test . hello");
}

#[test]
fn a_fixture_that_does_not_hold_shows_what_was_expected_and_found() {
    let author = Author::new();
    let folder = author.create("astray");
    let fixture = folder.join("fixtures/astray.json");
    fs::copy(folder.join("fixtures/hello.json"), &fixture).unwrap();
    replace(&fixture, "Hello, World!", "Good evening");
    let difference = r#"row 1, greeting: expected "Good evening", found "Hello, World!""#;
    author
        .run(&folder, &["plugin", "test"])
        .exit(1)
        .stdout_contains("FAILED  native (cargo test)")
        .stdout_contains("FAILED  fixtures/astray.json")
        .stdout_contains(difference)
        .stdout_contains("2 passed, 2 failed")
        // The crate's own test says the same, natively.
        .stderr_contains(difference);
    author
        .run(&folder, &["plugin", "test", ".", "hello"])
        .exit(0)
        .stdout_contains("2 passed, 0 failed");

    author
        .run(&folder, &["plugin", "test", ".", "nothing-has-this"])
        .exit(2)
        .stderr_contains("there are: astray, hello, nobody");
    fs::write(
        &fixture,
        r#"{"command":["hello"],"replay":"x","expect":{}}"#,
    )
    .unwrap();
    author
        .run(&folder, &["plugin", "test"])
        .exit(65)
        .stderr_contains("fixtures/astray.json: expect: nothing is expected");
    fs::remove_dir_all(folder.join("fixtures")).unwrap();
    author
        .run(&folder, &["plugin", "test"])
        .exit(65)
        .stderr_contains("no fixture is there");
}

#[test]
fn a_watched_build_runs_its_command_again_after_each_change() {
    let author = Author::new();
    let folder = author.create("watched");
    let words = ["hello", "World", "--replay", "recordings/hello.json"];
    let watch = [&["plugin", "build", "--watch", "--"][..], &words].concat();
    let mut watched = Watched::start(spawn(&mut author.command(&folder, &watch)));
    watched.wait_for("Hello, World!");
    // The recording is part of what is watched.
    replace(
        &folder.join("recordings/hello.json"),
        "Hello, World!",
        "Hello, you!",
    );
    watched.wait_for("Hello, you!");
    let source = folder.join("src/lib.rs");
    replace(&source, "times: reply", "times: replay");
    watched.wait_for("cargo build: exit code 101");
    replace(
        &source,
        "times: replay.at(\"times\").int()?",
        "times: 7 + 0 * reply.at(\"times\").int()?",
    );
    replace(
        &folder.join("recordings/hello.json"),
        "Hello, you!",
        "Hello again!",
    );
    watched.wait_for("Hello again!");
    watched.interrupt();
    assert!(
        !author.sandbox.lock().exists(),
        "a watched build installs nothing"
    );
}

/// A program that goes on until it is stopped.
struct Watched {
    child: Child,
    lines: Receiver<String>,
}

impl Watched {
    fn start(mut child: Child) -> Self {
        let (sender, lines) = channel();
        let streams: [Box<dyn Read + Send>; 2] = [
            Box::new(child.stdout.take().unwrap()),
            Box::new(child.stderr.take().unwrap()),
        ];
        for stream in streams {
            let sender = sender.clone();
            thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Self { child, lines }
    }

    #[track_caller]
    fn wait_for(&mut self, text: &str) {
        let mut seen = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(Duration::from_secs(20 * 60)) {
            if line.contains(text) {
                return;
            }
            seen.push(line);
        }
        panic!("no {text:?}: {seen:#?}");
    }

    fn interrupt(mut self) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(130));
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

#[test]
fn what_cargo_says_is_shown_and_the_last_build_stays() {
    let author = Author::new();
    let folder = author.create("broken");
    author.run(&folder, &["plugin", "build"]).exit(0);
    let mut before = Vec::new();
    collect(&folder.join("dist"), &mut before);
    replace(
        &folder.join("src/lib.rs"),
        "plugin!(hello);",
        "plugin!(hallo);",
    );
    author
        .run(&folder, &["plugin", "build"])
        .exit(1)
        .stderr_contains("error[E")
        .stderr_contains("cargo build: exit code 101");
    let mut after = Vec::new();
    collect(&folder.join("dist"), &mut after);
    assert_eq!(before, after);
    assert_eq!(before.len(), 3, "{before:?}");
    replace(&folder.join("Cargo.toml"), "[lib]", "[lib");
    author
        .run(&folder, &["plugin", "build"])
        .exit(1)
        .stderr_contains("cargo metadata: exit code 101");
}

#[test]
fn a_build_that_an_install_would_refuse_says_so() {
    let author = Author::new();
    let folder = author.create("unasked");
    replace(
        &folder.join("plugin/sr-plugin.json"),
        "\"capabilities\": [\"fetch\"]",
        "\"capabilities\": []",
    );
    author
        .run(&folder, &["plugin", "build"])
        .exit(77)
        .stderr_contains("\"capabilities\": [\"fetch\"]");
    author.run(&folder, &["plugin", "pack"]).exit(77);
    replace(
        &folder.join("plugin/sr-plugin.json"),
        "greetings.example\"",
        "https://greetings.example\"",
    );
    author
        .run(&folder, &["plugin", "build"])
        .exit(78)
        .stderr_contains("write greetings.example");
    fs::write(folder.join("plugin/unasked.wasm"), "").unwrap();
    author
        .run(&folder, &["plugin", "build"])
        .exit(78)
        .stderr_contains("plugin/unasked.wasm: the component is put here");
}

#[test]
fn a_missing_cargo_or_target_is_named_with_what_adds_it() {
    let author = Author::new();
    let folder = author.create("bare");
    let programs = author.sandbox.home().join("programs");
    fs::create_dir(&programs).unwrap();
    let without_cargo = Author::new().with_only(&programs);
    without_cargo
        .run(&folder, &["plugin", "build"])
        .exit(1)
        .stderr_contains("needed and not found: cargo")
        .stderr_contains("https://rustup.rs");

    // The machine's own compiler, looking for its libraries where there are none.
    let compiler = author.cargo(&folder, &["-vV"]).exit(0);
    assert!(compiler.stdout.contains("cargo "));
    let script = programs.join("rustc");
    let nowhere = author.sandbox.home().join("nowhere");
    let rest = author.sandbox.home().join("rest");
    fs::create_dir(&rest).unwrap();
    let text = format!(
        "#!/bin/sh\nPATH=\"${{PATH#*:}}\"\nexec rustc --sysroot '{}' \"$@\"\n",
        nowhere.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let without_target = Author::new().with_first(&programs);
    without_target
        .run(&folder, &["plugin", "build"])
        .exit(1)
        .stderr_contains("wasm32-wasip2")
        .stderr_contains("rustup target add wasm32-wasip2");
    assert!(!folder.join("dist").exists());
}

#[test]
fn a_name_or_folder_that_cannot_be_taken_is_refused_and_nothing_is_made() {
    let author = Author::new();
    let home = author.sandbox.home().to_owned();
    for (name, says) in [
        ("plugin", "reserved"),
        ("Upper", "not a plugin name"),
        ("../evil", "not a plugin name"),
        ("match", "a word of Rust"),
        ("serde", "every plugin is built from"),
    ] {
        author
            .run(&home, &["plugin", "new", name])
            .exit(2)
            .stderr_contains(says);
    }
    let left = || {
        let entries = fs::read_dir(&home).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.retain(|name| name != ".sr");
        names.sort();
        names
    };
    assert_eq!(left(), [""; 0]);
    fs::create_dir(home.join("full")).unwrap();
    fs::write(home.join("full/note"), "mine").unwrap();
    author
        .run(&home, &["plugin", "new", "full"])
        .exit(2)
        .stderr_contains("full: there already");
    assert_eq!(left(), ["full"]);
    assert_eq!(fs::read(home.join("full/note")).unwrap(), b"mine");
    fs::create_dir(home.join("empty")).unwrap();
    author.run(&home, &["plugin", "new", "empty"]).exit(0);
    author
        .run(&home, &["plugin", "build", "full"])
        .exit(2)
        .stderr_contains("a file is missing: Cargo.toml");
}

#[test]
fn a_home_that_cannot_be_written_is_named() {
    let author = Author::new();
    fs::create_dir(author.sandbox.state()).unwrap();
    fs::write(author.sandbox.state().join("sdk"), "in the way").unwrap();
    author
        .run(author.sandbox.home(), &["plugin", "new", "homeless"])
        .exit(1)
        .stderr_contains(".sr/sdk");
    assert!(!author.sandbox.home().join("homeless").exists());
}

#[test]
fn a_package_is_packed_by_the_rules_of_an_install_and_nothing_is_written() {
    let package = Package::every_case();
    let place = package.path().display().to_string();
    let sandbox = Sandbox::new();
    let packed = sandbox
        .run(&["plugin", "pack", &place, "-f", "json"])
        .exit(0)
        .json();
    sandbox.wrote_nothing();
    let files = packed["files"].as_array().unwrap();
    assert!(files.iter().any(|file| file["path"] == "sr-plugin.json"));
    sandbox.install(&package).exit(0);
    let lock: Value = serde_json::from_slice(&fs::read(sandbox.lock()).unwrap()).unwrap();
    assert_eq!(lock["plugins"][Package::NAME]["hash"], packed["hash"]);

    let refused = Package::every_case().manifest(|manifest| manifest["domains"] = json!(["*"]));
    let place = refused.path().display().to_string();
    let pack = sandbox
        .run(&["plugin", "pack", &place, "-f", "json"])
        .refused();
    let install = Sandbox::new()
        .run(&["plugin", "install", &place, "-f", "json"])
        .refused();
    assert_eq!(pack.error(), install.error());
}

#[test]
fn an_installed_plugin_is_no_authors_folder() {
    let package = Package::every_case();
    let sandbox = Sandbox::new();
    sandbox
        .run(&["plugin", "install", &package.url(), "--copy"])
        .exit(0);
    let place = sandbox.state().join("plugins").join(Package::NAME);
    sandbox
        .run(&["plugin", "pack", &place.display().to_string()])
        .exit(2)
        .stderr_contains("runs by its name");
}

#[test]
fn a_build_writes_through_no_link_of_the_crate() {
    let author = Author::new();
    let folder = author.create("linked");
    let outside = author.sandbox.home().join("outside");
    let kept = outside.join("linked/kept");
    fs::create_dir_all(outside.join("linked")).unwrap();
    fs::write(&kept, "of the person").unwrap();
    std::os::unix::fs::symlink(&outside, folder.join("dist")).unwrap();
    author
        .run(&folder, &["plugin", "build"])
        .exit(1)
        .stderr_contains("nothing is written through it");
    assert_eq!(fs::read_to_string(&kept).unwrap(), "of the person");
}
