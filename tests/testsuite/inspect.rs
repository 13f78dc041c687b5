//! `plugin inspect`: everything about a plugin, installed or not, whole or broken, and nothing run.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Package, Sandbox};

fn inspect(sandbox: &Sandbox, word: &str) -> Value {
    sandbox
        .run(&["plugin", "inspect", word, "-f", "json"])
        .exit(0)
        .json()
}

#[test]
fn an_installed_plugin_is_told_with_hashes_sizes_limits_and_grants() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    let told = inspect(&sandbox, Package::NAME);
    assert_eq!(told["state"], "verified");
    assert_eq!(told["placed"], "linked");
    assert_eq!(told["hash"], told["lockHash"]);
    assert!(told["installedAt"].as_str().unwrap().ends_with('Z'));
    let path = package.path().canonicalize().unwrap();
    assert_eq!(told["source"], path.display().to_string());
    assert_eq!(told["asks"], told["granted"]);
    assert_eq!(told["effective"], told["granted"]);
    assert_eq!(told["world"]["offered"], "sr:runtime/adapter@0.1");
    assert_eq!(told["world"]["built"], "0.1.0");
    assert_eq!(told["problems"], json!([]));

    let component = &told["component"];
    let bytes = fs::metadata(package.component()).unwrap().len();
    assert_eq!(component["bytes"].as_u64(), Some(bytes));
    let parts = ["code", "data", "custom", "other"].map(|part| component[part].as_u64().unwrap());
    assert_eq!(parts.iter().sum::<u64>(), bytes);
    assert!(parts.iter().all(|part| *part > 0), "{component}");
    assert!(
        component["compiled"].as_u64().unwrap() > parts[0],
        "{component}"
    );
    let names: Vec<&str> = told["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"sr-plugin.json"), "{names:?}");
    let limits = told["limits"].as_array().unwrap();
    let memory = limits
        .iter()
        .find(|limit| limit["name"] == "memory")
        .unwrap();
    assert_eq!(memory["most"], 128 * 1024 * 1024);
}

#[test]
fn the_wit_of_a_component_is_shown_for_a_name_and_for_a_folder() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    let folder = package.path().display().to_string();
    let by_name = sandbox
        .run(&["plugin", "inspect", Package::NAME, "--wit"])
        .exit(0)
        .stdout_contains("package root:component;")
        .stdout_contains("  import sr:runtime/fetch@0.1.0;")
        .stdout_contains("    get-text: func(url: string) -> result<string, failure>;")
        .stdout_contains("      commit: func() -> result<output, failure>;");
    let by_folder = sandbox
        .run(&["plugin", "inspect", &folder, "--wit"])
        .exit(0);
    assert_eq!(by_name.stdout, by_folder.stdout);
    let told = inspect(&sandbox, Package::NAME);
    assert_eq!(told["wit"], by_name.stdout);
}

#[test]
fn a_folder_that_is_not_installed_is_read_and_nothing_is_written() {
    let package = Package::hostile();
    let sandbox = Sandbox::new();
    let told = inspect(&sandbox, &package.path().display().to_string());
    assert_eq!(told["name"], Package::NAME);
    assert_eq!(told["state"], "not installed");
    assert_eq!(told["granted"], Value::Null);
    assert_eq!(told["effective"]["domains"], json!([]));
    assert_eq!(told["component"]["compiled"], Value::Null);
    let relative = sandbox.command(&["plugin", "inspect", "./package"]);
    let mut relative = relative;
    relative.current_dir(package.path().parent().unwrap());
    crate::support::Run::of(&mut relative)
        .exit(0)
        .stdout_contains("state        not installed");
    assert!(!sandbox.state().exists());
    sandbox
        .run(&["plugin", "inspect", "./nowhere"])
        .refused()
        .stderr_contains("nowhere");
}

#[test]
fn a_broken_package_shows_what_it_has_and_the_problem() {
    let sandbox = Sandbox::new();
    let broken = Package::every_case();
    fs::write(broken.component(), b"not wasm").unwrap();
    let told = inspect(&sandbox, &broken.path().display().to_string());
    assert_eq!(told["name"], Package::NAME);
    assert_eq!(told["component"]["bytes"], 8);
    assert_eq!(told["wit"], Value::Null);
    assert_eq!(told["problems"].as_array().unwrap().len(), 1, "{told}");
    let folder = broken.path().display().to_string();
    sandbox
        .run(&["plugin", "inspect", &folder, "--wit"])
        .exit(78);

    let no_manifest = Package::every_case().raw_manifest("{");
    let told = inspect(&sandbox, &no_manifest.path().display().to_string());
    assert_eq!(told["name"], Value::Null);
    assert!(!told["files"].as_array().unwrap().is_empty());
    let problem = told["problems"][0].as_str().unwrap();
    assert!(problem.contains("sr-plugin.json"), "{problem}");

    let asks_too_little = Package::every_case().manifest(|manifest| {
        manifest["capabilities"] = json!([]);
        manifest["domains"] = json!(["https://example.com"]);
    });
    let told = inspect(&sandbox, &asks_too_little.path().display().to_string());
    let problems = told["problems"].to_string();
    assert!(
        problems.contains("fetch.send needs the capability"),
        "{problems}"
    );
    assert!(problems.contains("https://example.com"), "{problems}");
}

#[test]
fn list_verify_and_inspect_use_the_same_words() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    let states = || {
        let list = sandbox
            .run(&["plugin", "list", "-f", "json"])
            .exit(0)
            .json();
        let verify = sandbox.run(&["plugin", "verify", "-f", "json"]).json();
        let inspect = inspect(&sandbox, Package::NAME);
        [&list[0], &verify[0], &inspect].map(|row| row["state"].as_str().unwrap().to_owned())
    };
    assert_eq!(states(), ["linked", "verified", "verified"]);
    package.put("more.txt", "more");
    assert_eq!(states(), ["linked", "changed", "changed"]);
    fs::rename(package.path(), package.outside()).unwrap();
    assert_eq!(states(), ["missing", "missing", "missing"]);
    fs::rename(package.outside(), package.path()).unwrap();
    fs::remove_file(sandbox.lock()).unwrap();
    assert_eq!(states(), ["unverified", "unverified", "unverified"]);
}
