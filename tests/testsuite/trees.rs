//! What may lie in a package folder, and what its hash counts.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;

use crate::support::{Package, Sandbox};

/// What a secret outside of the package says; nobody may ever show or store it.
const SECRET: &str = "the text of a file outside";

#[test]
fn links_and_special_files_are_refused_without_opening_them() {
    type Change = fn(&Package);
    let changes: &[(&[&str], Change)] = &[
        (&["symlink-file-out", "attack-36"], |package| {
            fs::write(package.outside(), SECRET).unwrap();
            symlink(package.outside(), package.path().join("notes.txt")).unwrap();
        }),
        (&["symlink-dir-out"], |package| {
            symlink("/", package.path().join("data")).unwrap();
        }),
        (&["symlink-loop"], |package| {
            symlink(".", package.path().join("loop")).unwrap();
            symlink("b", package.path().join("a")).unwrap();
            symlink("a", package.path().join("b")).unwrap();
        }),
        (&["fifo-and-socket"], |package| {
            let pipe = package.path().join("pipe");
            assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
        }),
        (&["code-is-a-link-out"], |package| {
            let component = package.component();
            fs::rename(&component, package.outside()).unwrap();
            symlink(package.outside(), &component).unwrap();
        }),
    ];
    for (ids, change) in changes {
        let package = Package::every_case();
        change(&package);
        let sandbox = Sandbox::new();
        let mut run = sandbox.install(&package).lacks(SECRET);
        for id in *ids {
            run = run.proves(id);
        }
        sandbox.wrote_nothing();
    }
}

#[test]
fn a_link_to_a_file_and_one_to_a_folder_get_the_same_answer() {
    for target in ["sr-plugin.json", "inner"] {
        let package = Package::small();
        package.put("inner/notes.txt", "text");
        symlink(target, package.path().join("linked")).unwrap();
        let sandbox = Sandbox::new();
        sandbox.install(&package).proves("B021").lacks("os error");
        sandbox.wrote_nothing();
    }
}

#[test]
fn a_socket_in_the_package_is_refused() {
    let package = Package::every_case();
    let _listener = UnixListener::bind(package.path().join("socket")).unwrap();
    Sandbox::new()
        .install(&package)
        .refused()
        .stderr_contains("socket");
}

#[test]
fn a_link_that_appears_later_fails_verify_and_can_be_uninstalled() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    symlink("sr-plugin.json", package.path().join("alias")).unwrap();
    symlink("missing.txt", package.path().join("gone")).unwrap();
    sandbox
        .run(&["plugin", "verify", Package::NAME])
        .proves("symlink-inside-and-dangling");
    sandbox
        .run(&["plugin", "list"])
        .exit(0)
        .stdout_contains(Package::NAME);
    sandbox.run(&["plugin", "uninstall", Package::NAME]).exit(0);
    assert!(package.path().join("sr-plugin.json").exists());
}

#[test]
fn a_plugin_whose_folder_went_away_is_listed_and_can_be_uninstalled() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    fs::remove_dir_all(package.path()).unwrap();
    sandbox
        .run(&["plugin", "verify", Package::NAME])
        .proves("B020");
    sandbox
        .run(&["plugin", "list"])
        .exit(0)
        .stdout_contains(Package::NAME)
        .stdout_contains("missing");
    sandbox.run(&["plugin", "uninstall", Package::NAME]).exit(0);
    assert!(
        !fs::read_to_string(sandbox.lock())
            .unwrap()
            .contains(Package::NAME)
    );
    sandbox
        .run(&["plugin", "list"])
        .exit(0)
        .lacks(Package::NAME);
}

#[test]
fn a_hard_link_is_content_and_uninstall_leaves_the_other_name() {
    let package = Package::every_case();
    fs::write(package.outside(), "shared").unwrap();
    fs::hard_link(package.outside(), package.path().join("notes.txt")).unwrap();
    let sandbox = Sandbox::new();
    sandbox
        .run(&["plugin", "install", &package.url(), "--copy"])
        .exit(0);
    sandbox.run(&["plugin", "verify"]).proves("hardlink");
    sandbox.run(&["plugin", "uninstall", Package::NAME]).exit(0);
    assert_eq!(fs::read_to_string(package.outside()).unwrap(), "shared");
}

#[test]
fn modes_and_empty_folders_do_not_count() {
    let package = Package::every_case();
    package.put("run.txt", "text");
    let sandbox = Sandbox::with(&package);
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(package.path().join("run.txt"), mode).unwrap();
    fs::create_dir(package.path().join("empty")).unwrap();
    sandbox
        .run(&["plugin", "verify"])
        .proves("only-mode-or-empty-dir-changes");
}

#[test]
fn line_ends_are_content() {
    for (id, changed) in [("line-ends", "one\r\ntwo\r\n"), ("B025", "one\rtwo\n")] {
        let package = Package::every_case();
        package.put("notes.txt", "one\ntwo\n");
        let sandbox = Sandbox::with(&package);
        package.put("notes.txt", changed);
        sandbox
            .run(&["plugin", "verify"])
            .proves(id)
            .stdout_contains("notes.txt");
    }
}

#[test]
fn logs_and_build_folders_do_not_count() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    package.put("debug.log", "a line");
    package.put("target/debug/x", "built");
    package.put("node_modules/x/index.js", "code");
    package.put(".git/HEAD", "ref");
    sandbox
        .run(&["plugin", "verify"])
        .exit(0)
        .stdout_contains("verified");
}
