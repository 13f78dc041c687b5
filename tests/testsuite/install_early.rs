//! What `install` and `update` refuse before anything is compiled, and what they say to do instead.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::support::{Guest, Package, Run, Sandbox, copy};

/// A package whose component nobody could compile: a refusal that does not name it came before.
fn not_compilable() -> Package {
    Package::around(b"no component")
}

#[test]
fn a_folder_whose_path_is_not_utf8_is_refused_for_its_path() {
    let sandbox = Sandbox::new();
    let folder = sandbox.home().join(OsStr::from_bytes(b"a\xff"));
    copy(&not_compilable().path(), &folder);
    let url = format!("file://{}/a%ff", sandbox.home().display());
    sandbox
        .run(&["plugin", "install", &url])
        .exit(2)
        .stderr_contains("is UTF-8; rename: ")
        .stderr_contains("/a\\xff");
    sandbox.wrote_nothing();
}

#[test]
fn a_character_that_does_not_show_is_escaped_in_a_path() {
    let sandbox = Sandbox::new();
    for (written, shown) in [("a%00b", "/a\\u{0}b"), ("a%1b%5b2Jb", "/a\\u{1b}[2Jb")] {
        let url = format!("file://{}/{written}", sandbox.home().display());
        sandbox
            .run(&["plugin", "install", &url])
            .refused()
            .stderr_contains(shown);
    }
}

#[test]
fn a_taken_name_is_told_before_anything_is_compiled() {
    let sandbox = Sandbox::with(&Package::small());
    sandbox
        .install(&not_compilable())
        .exit(1)
        .stderr_contains("[ALREADY_INSTALLED]");
    fs::remove_file(sandbox.lock()).unwrap();
    sandbox
        .install(&not_compilable())
        .exit(76)
        .stderr_contains("[UNRECORDED]");
}

#[test]
fn an_option_for_repositories_is_refused_with_a_folder() {
    let package = Package::small();
    let sandbox = Sandbox::with(&package);
    fs::write(sandbox.home().join("ca.pem"), "x").unwrap();
    let (url, home) = (package.url(), Sandbox::new());
    fs::write(home.home().join("ca.pem"), "x").unwrap();
    for option in [&["--timeout", "5"][..], &["--cacert", "ca.pem"]] {
        let install = [&["plugin", "install", url.as_str()][..], option].concat();
        home.run(&install)
            .exit(2)
            .stderr_contains(option[0])
            .stderr_contains("this source is a folder");
        home.wrote_nothing();
        let update = [&["plugin", "update", Package::NAME][..], option].concat();
        sandbox.run(&update).exit(2).stderr_contains(option[0]);
    }
}

fn install_path(sandbox: &Sandbox, path: &Path) -> Run {
    sandbox.run(&["plugin", "install", path.to_str().unwrap()])
}

#[test]
fn a_folder_that_is_no_package_leads_to_one() {
    let sandbox = Sandbox::new();
    let crates = sandbox.home().join("sr-demo");
    fs::create_dir_all(crates.join("plugin")).unwrap();
    fs::write(crates.join("Cargo.toml"), "").unwrap();
    fs::write(crates.join("plugin/sr-plugin.json"), "{}").unwrap();
    for place in [
        crates.clone(),
        crates.join("dist"),
        crates.join("dist/demo"),
    ] {
        install_path(&sandbox, &place)
            .refused()
            .stderr_contains("sr-runtime plugin build ")
            .stderr_contains("dist/NAME");
    }
    copy(&Package::small().path(), &crates.join("dist/demo"));
    for place in [crates.clone(), crates.join("dist")] {
        install_path(&sandbox, &place)
            .exit(78)
            .stderr_contains("sr-runtime plugin install ")
            .stderr_contains("/sr-demo/dist/demo");
    }
    let several = sandbox.home().join("several");
    copy(&Package::small().path(), &several.join("one"));
    copy(&Package::small().path(), &several.join("two"));
    install_path(&sandbox, &several)
        .exit(78)
        .stderr_contains("several/one")
        .stderr_contains("several/two");
    install_path(&sandbox, Path::new("/nowhere/at/all"))
        .exit(1)
        .stderr_contains("/nowhere/at/all")
        .stderr_contains("give the folder of a built package");
    // A word without a slash that is a folder here.
    sandbox
        .run(&["plugin", "install", "several"])
        .exit(2)
        .stderr_contains("./several");
    sandbox.wrote_nothing();
}

#[test]
fn a_component_that_traps_when_it_is_asked_has_one_code_everywhere() {
    let trapping = Package::around(&Guest::good().commands("unreachable").build());
    Sandbox::new()
        .install(&trapping)
        .exit(70)
        .stderr_contains("[PLUGIN_TRAPPED]");
    let package = Package::small();
    let sandbox = Sandbox::with(&package);
    package.put_component(&Guest::good().commands("unreachable").build());
    for words in [
        &["plugin", "update", Package::NAME][..],
        &[Package::NAME, Guest::COMMAND],
    ] {
        sandbox
            .run(words)
            .exit(70)
            .stderr_contains("[PLUGIN_TRAPPED]");
    }
}

#[test]
fn a_component_in_the_manifests_place_is_refused_for_its_path() {
    for path in ["sr-plugin.json", "sr-plugin.json/x.wasm"] {
        let package = Package::small().manifest(|manifest| manifest["component"] = path.into());
        Sandbox::new()
            .install(&package)
            .exit(78)
            .stderr_contains("component: sr-plugin.json is the manifest");
    }
}

#[test]
fn a_home_that_is_not_there_is_one_error_and_not_needed_for_a_folder() {
    let package = Package::small();
    let sandbox = Sandbox::new();
    let path = package.path().display().to_string();
    let gone = sandbox.home().join("gone");
    let run = |words: &[&str], home: Option<&Path>| {
        let mut command = sandbox.command(words);
        match home {
            Some(home) => command.env("HOME", home),
            None => command.env_remove("HOME"),
        };
        Run::of(&mut command)
    };
    for words in [
        &["list"][..],
        &["plugin", "list"],
        &["plugin", "verify"],
        &["plugin", "update", "demo"],
        &["plugin", "install", &path],
        &["plugin", "uninstall", "demo"],
        &["plugin", "inspect", "demo"],
        &["plugin", "migrate"],
        &["demo", "go"],
    ] {
        run(words, Some(&gone))
            .exit(78)
            .stderr_contains("HOME is a folder that is not there")
            .stderr_contains("[CONFIG]");
        run(words, None).exit(78).stderr_contains("HOME is not set");
    }
    for words in [
        &["--help"][..],
        &["plugin", "inspect", &path],
        &["completion", "bash"],
        &["__complete", "--", "pl"],
        &["plugin", "migrate", &path],
    ] {
        run(words, Some(&gone)).exit(0);
        run(words, None).exit(0);
    }
    let lint = ["plugin", "lint", &path];
    run(&lint, Some(&gone)).lacks("HOME");
    run(&lint, None).lacks("HOME");
    assert!(!gone.exists());
}

#[test]
fn a_limit_on_file_sizes_is_an_error_of_files() {
    let package = Package::small();
    for limit in [0, 1] {
        let sandbox = Sandbox::new();
        let mut command = std::process::Command::new("sh");
        command
            .arg("-c")
            .arg(format!(
                "ulimit -f {limit}; exec \"$0\" plugin install \"$1\" --copy"
            ))
            .arg(crate::support::program())
            .arg(package.path())
            .env_clear()
            .env("HOME", sandbox.home());
        Run::of(&mut command).exit(1).stderr_contains("[FILES]");
        sandbox.wrote_nothing();
    }
}
