//! Plugin names: plain, and never one that means something else.

use serde_json::json;

use crate::support::{Package, Sandbox};

#[test]
fn a_name_that_is_not_plain_is_refused() {
    let long = "x".repeat(300);
    for (id, name) in [
        ("name-00", "../../evil"),
        ("name-01", ""),
        ("name-02", "."),
        ("name-03", ".."),
        ("name-04", "plugin"),
        ("name-05", "browser"),
        ("name-06", "--help"),
        ("name-07", "Sr-Demo"),
        ("name-08", "sr demo"),
        ("name-09", "sr\ndemo"),
        ("name-10", "sr\u{1b}[31mdemo"),
        ("name-11", long.as_str()),
        ("name-12", "\u{1f600}"),
        ("name-13", "con"),
        ("name-14", "node_modules"),
        ("name-15", "a/b"),
    ] {
        let package = Package::every_case().manifest(|manifest| manifest["name"] = json!(name));
        let sandbox = Sandbox::new();
        sandbox
            .install(&package)
            .proves(id)
            .lacks("\u{1b}")
            .lacks("sr\ndemo");
        sandbox.wrote_nothing();
        let mut entries = std::fs::read_dir(sandbox.home()).unwrap();
        assert!(
            entries.all(|entry| entry.unwrap().file_name() == ".sr"),
            "{id}: something lies outside the state folder"
        );
    }
}

#[test]
fn a_built_in_command_is_never_a_plugin() {
    let package = Package::every_case().manifest(|manifest| manifest["name"] = json!("list"));
    let sandbox = Sandbox::new();
    sandbox.install(&package).refused();
    sandbox.run(&["list"]).exit(0).lacks("fetch");
}
