//! The life of a plugin: installed, listed, inspected, verified, run, updated, uninstalled.

use std::fs;

use serde_json::json;

use crate::support::{Package, Sandbox};

#[test]
fn install_verify_run_update_uninstall() {
    let package = Package::every_case();
    let sandbox = Sandbox::new();
    sandbox
        .install(&package)
        .exit(0)
        .stdout_contains("example.com")
        .stdout_contains("fetch");
    sandbox.run(&["plugin", "verify"]).proves("clean");
    sandbox
        .run(&["plugin", "list"])
        .exit(0)
        .stdout_contains(Package::NAME);
    sandbox.run(&[Package::NAME, "cells"]).exit(0);
    sandbox.run(&["plugin", "update", Package::NAME]).exit(0);
    sandbox.run(&["plugin", "uninstall", Package::NAME]).exit(0);
    sandbox.run(&[Package::NAME, "cells"]).refused();
    assert!(package.path().join("sr-plugin.json").exists());
    assert!(!sandbox.state().join("plugins").join(Package::NAME).exists());
}

#[test]
fn a_local_install_is_a_link_and_a_copy_is_not() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    let place = |sandbox: &Sandbox| sandbox.state().join("plugins").join(Package::NAME);
    assert_eq!(
        fs::read_link(place(&sandbox)).unwrap(),
        package.path().canonicalize().unwrap()
    );
    let copied = Sandbox::new();
    copied
        .run(&["plugin", "install", &package.url(), "--copy"])
        .exit(0);
    assert!(place(&copied).symlink_metadata().unwrap().is_dir());
    fs::remove_dir_all(package.path()).unwrap();
    copied.run(&[Package::NAME, "cells"]).exit(0);
}

#[test]
fn a_path_installs_like_its_file_url() {
    let package = Package::every_case();
    let path = package.path().display().to_string();
    Sandbox::new().run(&["plugin", "install", &path]).exit(0);
    // Relative to where the person is, which is the home here.
    let sandbox = Sandbox::new();
    std::os::unix::fs::symlink(
        package.outside().parent().unwrap(),
        sandbox.home().join("here"),
    )
    .unwrap();
    sandbox.run(&["plugin", "install", "here/package"]).exit(0);
    sandbox.run(&[Package::NAME, "cells"]).exit(0);
}

#[test]
fn a_folder_that_is_not_a_package_is_named() {
    let sandbox = Sandbox::new();
    let folder = sandbox.home().join("empty");
    fs::create_dir(&folder).unwrap();
    let path = folder.display().to_string();
    sandbox
        .run(&["plugin", "install", &path])
        .refused()
        .stderr_contains("sr-plugin.json");
    sandbox
        .run(&["plugin", "install", "/nowhere/at/all"])
        .refused()
        .stderr_contains("/nowhere/at/all");
    sandbox.wrote_nothing();
}

#[test]
fn a_second_install_under_the_same_name_says_update() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    sandbox
        .install(&package)
        .refused()
        .stderr_contains("plugin update demo");
}

#[test]
fn an_update_that_asks_for_more_stops_until_it_is_granted() {
    let package = Package::every_case().domains(&["example.com"]);
    let sandbox = Sandbox::with(&package);
    package.edit(|manifest| manifest["domains"] = json!(["example.com", "more.test"]));
    // Until the update the new domain is not granted.
    sandbox.fetch("https://more.test/", &[]).exit(68);
    sandbox
        .run(&["plugin", "update", Package::NAME])
        .exit(77)
        .stderr_contains("more.test")
        .stderr_contains("--grant");
    sandbox.run(&["plugin", "verify"]).exit(76);
    sandbox
        .run(&["plugin", "update", Package::NAME, "--grant"])
        .exit(0);
    sandbox.run(&["plugin", "verify"]).exit(0);
    sandbox
        .run(&["plugin", "inspect", Package::NAME])
        .exit(0)
        .stdout_contains("more.test");
}

#[test]
fn an_update_that_asks_for_less_takes_the_rest_back() {
    let package = Package::every_case().domains(&["example.com", "more.test"]);
    let sandbox = Sandbox::with(&package);
    package.edit(|manifest| manifest["domains"] = json!(["example.com"]));
    sandbox.run(&["plugin", "update", Package::NAME]).exit(0);
    package.edit(|manifest| manifest["domains"] = json!(["example.com", "more.test"]));
    sandbox.run(&["plugin", "update", Package::NAME]).exit(77);
}

#[test]
fn verify_tells_changed_and_unverified_apart() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    package.put("notes.txt", "new");
    sandbox
        .run(&["plugin", "verify", Package::NAME])
        .exit(76)
        .stdout_contains("demo: changed");
    fs::write(sandbox.lock(), r#"{"version":1,"plugins":{}}"#).unwrap();
    sandbox
        .run(&["plugin", "verify", Package::NAME])
        .exit(76)
        .stdout_contains("unverified");
    sandbox
        .run(&["plugin", "verify", "nobody"])
        .refused()
        .stderr_contains("nobody");
}

#[test]
fn the_lists_as_json_are_data() {
    let sandbox = Sandbox::with(&Package::every_case());
    let plugins = sandbox
        .run(&["plugin", "list", "-f", "json"])
        .exit(0)
        .json();
    assert_eq!(plugins[0]["name"], Package::NAME);
    let commands = sandbox.run(&["list", "-f", "json"]).exit(0).json();
    let commands = commands.as_array().unwrap();
    assert!(
        commands
            .iter()
            .any(|command| command["command"] == "demo/fetch")
    );
    let empty = Sandbox::new();
    let plugins = empty.run(&["plugin", "list", "-f", "json"]).exit(0).json();
    assert_eq!(plugins, json!([]));
}

#[test]
fn reading_commands_create_nothing_in_an_empty_home() {
    let sandbox = Sandbox::new();
    for arguments in [
        &["list"][..],
        &["plugin", "list"],
        &["plugin", "verify"],
        &["--help"],
    ] {
        sandbox.run(arguments).exit(0);
    }
    assert_eq!(fs::read_dir(sandbox.home()).unwrap().count(), 0);
}

/// A plugin whose lock entry is lost and whose store cannot be written.
fn unrecorded(install: &[&str], package: &Package) -> Sandbox {
    let sandbox = Sandbox::new();
    let mut words = vec!["plugin", "install"];
    let url = package.url();
    words.push(&url);
    words.extend(install);
    sandbox.run(&words).exit(0);
    fs::remove_file(sandbox.lock()).unwrap();
    fs::remove_dir_all(sandbox.state().join("store")).unwrap();
    sandbox
}

#[test]
fn recording_a_plugin_again_never_loses_it() {
    for install in [&["--copy"][..], &[]] {
        let package = Package::every_case();
        let sandbox = unrecorded(install, &package);
        let update = ["plugin", "update", Package::NAME, "--grant"];
        fs::write(sandbox.state().join("store"), b"").unwrap();
        sandbox.run(&update).exit(1).stderr_contains("store");
        let place = sandbox.state().join("plugins").join(Package::NAME);
        assert!(place.join("sr-plugin.json").is_file(), "{install:?}");
        fs::remove_file(sandbox.state().join("store")).unwrap();
        sandbox
            .run(&["plugin", "update", Package::NAME])
            .exit(77)
            .stderr_contains("example.com");
        sandbox.run(&update).exit(0);
        sandbox.run(&[Package::NAME, "cells"]).exit(0);
    }
}

#[test]
fn a_command_that_begins_to_write_needs_a_grant() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    let writer = Package::writer();
    fs::copy(writer.component(), package.component()).unwrap();
    // Edited, not recorded: it reads as before and does not write.
    sandbox
        .run(&[Package::NAME, "send", "lamp"])
        .exit(77)
        .stderr_contains("not granted")
        .stderr_contains("plugin update");
    sandbox
        .run(&["plugin", "update", Package::NAME])
        .exit(77)
        .stderr_contains("commands that write")
        .stderr_contains("send");
    sandbox
        .run(&["plugin", "update", Package::NAME, "--grant"])
        .exit(0);
    sandbox
        .run(&[Package::NAME, "send", "--help"])
        .exit(0)
        .stdout_contains("[write]");
}
