//! File names that mean something to a shell, a terminal or another system; and two names that one
//! of them takes for one.

use std::fs;

use serde_json::Value;

use crate::support::{Package, Run, Sandbox};

/// What may stand in a name and in no output.
const BAD: [char; 8] = [
    '\u{1b}', '\u{9b}', '\u{7}', '\u{8}', '\r', '\u{202e}', '\u{200f}', '\u{2066}',
];

#[track_caller]
fn harmless(run: Run) -> Run {
    BAD.iter().fold(run, |run, bad| run.lacks(&bad.to_string()))
}

/// The hash that `plugin install -f json` tells.
fn hash(sandbox: &Sandbox, package: &Package) -> Value {
    let url = package.url();
    let run = sandbox.run(&["plugin", "install", &url, "-f", "json"]);
    run.exit(0).json()["hash"].clone()
}

#[test]
fn names_that_differ_in_case_or_in_unicode_form_are_different_files() {
    let pairs: [(&str, &[&str]); 2] = [
        (
            "case-collision",
            &["Helper.js", "helper.js", "Lib/a", "lib/b"],
        ),
        (
            "unicode-form-collision",
            &["caf\u{e9}.js", "cafe\u{301}.js"],
        ),
    ];
    for (id, names) in pairs {
        let made_in = |order: Vec<&&str>| {
            let package = Package::small();
            for name in order {
                package.put(name, format!("the text of {name}"));
            }
            package
        };
        let package = made_in(names.iter().collect());
        let sandbox = Sandbox::new();
        let one = hash(&sandbox, &package);
        // Folders give their names in no order that one could rely on.
        let other = made_in(names.iter().rev().collect());
        assert_eq!(hash(&Sandbox::new(), &other), one, "{id}");
        for name in names {
            let text = fs::read(package.path().join(name)).unwrap();
            package.put(name, "changed");
            let run = sandbox.run(&["plugin", "verify"]).proves(id);
            assert_eq!(
                run.stdout.matches("  changed: ").count(),
                1,
                "{}",
                run.stdout
            );
            run.stdout_contains(&format!("changed: {name}"));
            package.put(name, text);
        }
        sandbox.run(&["plugin", "verify"]).exit(0);
    }
}

#[test]
fn an_odd_name_is_refused_by_name_or_installed_as_it_is() {
    let long = "x".repeat(255);
    let names = [
        ("..\\..\\evil.js", false),
        ("..%2fevil.js", true),
        ("C:\\x.js", false),
        ("a:stream", true),
        ("CON", true),
        ("aux.txt", true),
        ("trail. ", true),
        ("-rf", true),
        ("$(id)", true),
        ("`id`; echo x", true),
        ("two\nlines", false),
        ("es\u{1b}[31mcape", false),
        ("c1\u{9b}31m", false),
        ("bell\u{7}", false),
        ("mark\u{200f}", false),
        ("turn\u{202e}sj.live", false),
        (long.as_str(), true),
    ];
    for (name, is_taken) in names {
        let package = Package::small();
        package.put(name, "text");
        let sandbox = Sandbox::new();
        let url = package.url();
        let run = harmless(sandbox.run(&["plugin", "install", &url, "--copy"]));
        if !is_taken {
            run.proves("odd-names");
            sandbox.wrote_nothing();
            continue;
        }
        run.exit(0);
        let place = sandbox.state().join("plugins").join(Package::NAME);
        assert_eq!(
            fs::read_to_string(place.join(name)).unwrap(),
            "text",
            "{name}"
        );
        harmless(sandbox.run(&["plugin", "verify"])).exit(0);
        fs::write(place.join(name), "changed").unwrap();
        harmless(sandbox.run(&["plugin", "verify"]))
            .exit(76)
            .stdout_contains(&format!("changed: {}", name.trim_end()));
        sandbox.run(&["plugin", "uninstall", Package::NAME]).exit(0);
        assert!(!place.exists(), "{name}");
    }
}

#[test]
fn a_name_with_escapes_is_shown_without_them_everywhere() {
    let odd = "p\u{1b}[2J\u{1b}]52;c;eA==\u{7}\u{9b}31m\r\u{202e}x";
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join(odd);
    let package = Package::small();
    package.edit(|manifest| manifest["description"] = format!("A plugin {odd}").into());
    fs::rename(package.path(), &folder).unwrap();
    let sandbox = Sandbox::new();
    let path = folder.display().to_string();
    harmless(sandbox.run(&["plugin", "install", &path])).exit(0);
    fs::create_dir(sandbox.state().join("plugins").join(odd)).unwrap();
    for words in [
        &["plugin", "list"][..],
        &["plugin", "verify"],
        &["plugin", "inspect", Package::NAME],
        &["plugin", "update", Package::NAME],
        &["list"],
        &[Package::NAME, "--help"],
        &["--help"],
    ] {
        harmless(sandbox.run(words)).exit(0);
        let json = [words, &["-f", "json"]].concat();
        let run = harmless(sandbox.run(&json)).exit(0);
        if words == ["plugin", "list"] {
            assert!(run.json()[0]["source"].as_str().unwrap().ends_with(odd));
            run.proves("B084");
        }
    }
    for words in [
        &["plugin", "install", &format!("{path}/none")][..],
        &["plugin", "install", odd],
        &["plugin", "inspect", odd],
        &["plugin", "verify", odd],
        &["plugin", "uninstall", odd],
        &["plugin", odd],
        &[odd],
        &[Package::NAME, odd],
        &[Package::NAME, "go", "--replay", &path],
        &[Package::NAME, "go", "--record", &format!("{path}/none/x")],
    ] {
        harmless(sandbox.run(words)).refused();
        harmless(sandbox.run(&[words, &["-f", "json"]].concat())).refused();
    }
    fs::write(folder.join(odd), "text").unwrap();
    harmless(sandbox.run(&["plugin", "verify"])).exit(76);
    fs::remove_dir_all(&folder).unwrap();
    harmless(sandbox.run(&[Package::NAME, "go"])).exit(76);
    harmless(sandbox.run(&["plugin", "uninstall", Package::NAME])).exit(0);
}
