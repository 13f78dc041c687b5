//! Packages from a repository: what is taken, what is remembered, what an update does.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Answer, GitHost, Package, Reply, Repository, Run, Sandbox};

fn install(sandbox: &Sandbox, source: &str) -> Run {
    sandbox.run(&["plugin", "install", "--cacert", "ca.pem", source])
}

fn update(sandbox: &Sandbox) -> Run {
    sandbox.run(&["plugin", "update", "--cacert", "ca.pem", Package::NAME])
}

fn recorded(sandbox: &Sandbox) -> Value {
    let lock: Value = serde_json::from_slice(&fs::read(sandbox.lock()).unwrap()).unwrap();
    lock["plugins"][Package::NAME]["source"]["git"].clone()
}

#[test]
fn a_package_from_a_repository_lives_like_any_other() {
    let package = Package::every_case();
    let repository = Repository::with(&package, "dist/demo");
    let commit = repository.git(&["rev-parse", "HEAD"]);
    let tree = repository.git(&["rev-parse", "HEAD:dist/demo"]);
    let host = GitHost::of(&repository);
    let sandbox = host.sandbox();
    let source = host.source("#main");
    let found = host.source("?path=dist/demo#main");
    install(&sandbox, &source)
        .exit(0)
        .stdout_contains(&format!("from {found}, commit {commit}"));
    assert_eq!(
        recorded(&sandbox),
        json!({ "from": found, "ref": "refs/heads/main", "commit": commit, "tree": tree })
    );
    let place = sandbox.state().join("plugins").join(Package::NAME);
    assert!(place.symlink_metadata().unwrap().is_dir());

    let local = Sandbox::with(&package);
    let hash = |sandbox: &Sandbox| {
        let plugin = sandbox
            .run(&["plugin", "inspect", Package::NAME, "-f", "json"])
            .exit(0)
            .json();
        plugin["hash"].clone()
    };
    assert_eq!(
        hash(&sandbox),
        hash(&local),
        "the same files have the same hash"
    );

    sandbox
        .run(&["plugin", "list"])
        .exit(0)
        .stdout_contains(&commit);
    let row = &sandbox
        .run(&["plugin", "list", "-f", "json"])
        .exit(0)
        .json()[0];
    assert_eq!(
        (&row["source"], &row["commit"], &row["state"]),
        (&json!(found), &json!(commit), &json!("copied"))
    );
    sandbox
        .run(&["plugin", "inspect", Package::NAME])
        .exit(0)
        .stdout_contains(&found)
        .stdout_contains(&commit)
        .stdout_contains(&tree);
    sandbox
        .run(&["plugin", "verify"])
        .exit(0)
        .stdout_contains("verified");
    sandbox.run(&[Package::NAME, "cells"]).exit(0);
    sandbox.run(&["plugin", "uninstall", Package::NAME]).exit(0);
    sandbox
        .run(&["plugin", "list", "-f", "json"])
        .exit(0)
        .lacks(&commit);
    left_nothing_of_the_fetch(&sandbox);
}

#[track_caller]
pub(crate) fn left_nothing_of_the_fetch(sandbox: &Sandbox) {
    let Ok(entries) = fs::read_dir(sandbox.state()) else {
        return;
    };
    for entry in entries {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(!name.starts_with(".fetch"), "left behind: {name}");
    }
}

#[test]
fn a_branch_a_tag_an_annotated_tag_and_a_commit_lead_to_their_commit() {
    let repository = Repository::with(&Package::every_case(), "");
    let commit = repository.git(&["rev-parse", "HEAD"]);
    repository.git(&["tag", "light"]);
    repository.git(&["tag", "-a", "-m", "a release", "v1.0"]);
    let tag = repository.git(&["rev-parse", "v1.0"]);
    repository.git(&["branch", "release/1.0"]);
    let host = GitHost::of(&repository);
    for (tail, full) in [
        ("", Value::Null),
        ("#main", json!("refs/heads/main")),
        ("#release/1.0", json!("refs/heads/release/1.0")),
        ("#light", json!("refs/tags/light")),
        ("#v1.0", json!("refs/tags/v1.0")),
        ("#refs/tags/v1.0", json!("refs/tags/v1.0")),
        (&format!("#{commit}"), Value::Null),
    ] {
        let sandbox = host.sandbox();
        install(&sandbox, &host.source(tail)).exit(0);
        let recorded = recorded(&sandbox);
        assert_eq!(
            (&recorded["commit"], &recorded["ref"]),
            (&json!(commit), &full),
            "{tail}"
        );
        assert_eq!(recorded["from"], host.source(tail));
    }
    install(&host.sandbox(), &host.source(&format!("#{tag}")))
        .exit(2)
        .stderr_contains(&format!("{tag} is no commit"));
}

#[test]
fn a_repository_of_sha_256_is_fetched_too() {
    let repository = Repository::of_format("sha256");
    crate::support::copy(&Package::every_case().path(), &repository.work());
    let commit = repository.commit();
    assert_eq!(commit.len(), 64);
    let host = GitHost::of(&repository);
    for tail in ["", &format!("#{commit}")] {
        let sandbox = host.sandbox();
        install(&sandbox, &host.source(tail)).exit(0);
        assert_eq!(recorded(&sandbox)["commit"], commit);
    }
}

#[test]
fn a_branch_that_moved_is_fetched_again_and_says_from_where_to_where() {
    let repository = Repository::with(&Package::every_case(), "");
    let first = repository.git(&["rev-parse", "HEAD"]);
    let host = GitHost::of(&repository);
    let sandbox = host.sandbox();
    install(&sandbox, &host.source("")).exit(0);
    let asked = host.requests().len();
    update(&sandbox).exit(0).stdout_contains("unchanged");
    let looked = host.requests().len() - asked;
    fs::write(repository.work().join("notes.txt"), "new").unwrap();
    let second = repository.commit();
    update(&sandbox)
        .exit(0)
        .stdout_contains(&first)
        .stdout_contains(&second)
        .lacks("warning");
    assert!(
        host.requests().len() - asked > 2 * looked,
        "only a moved branch is fetched"
    );
    assert_eq!(recorded(&sandbox)["commit"], second);
    let notes = sandbox
        .state()
        .join("plugins")
        .join(Package::NAME)
        .join("notes.txt");
    assert_eq!(fs::read_to_string(notes).unwrap(), "new");
    sandbox.run(&["plugin", "verify"]).exit(0);
}

#[test]
fn an_update_from_a_repository_that_asks_for_more_stops_until_it_is_granted() {
    let package = Package::every_case().domains(&["example.com"]);
    let repository = Repository::with(&package, "");
    let first = repository.git(&["rev-parse", "HEAD"]);
    let host = GitHost::of(&repository);
    let sandbox = host.sandbox();
    install(&sandbox, &host.source("#main")).exit(0);
    package.edit(|manifest| manifest["domains"] = json!(["example.com", "more.test"]));
    crate::support::copy(&package.path(), &repository.work());
    let second = repository.commit();
    update(&sandbox).exit(77).stderr_contains("more.test");
    assert_eq!(recorded(&sandbox)["commit"], first);
    sandbox.run(&["plugin", "verify"]).exit(0);
    sandbox
        .run(&[
            "plugin",
            "update",
            "--grant",
            "--cacert",
            "ca.pem",
            Package::NAME,
        ])
        .exit(0)
        .stdout_contains("more.test");
    assert_eq!(recorded(&sandbox)["commit"], second);
}

#[test]
fn a_tag_that_was_moved_is_warned_about() {
    let repository = Repository::with(&Package::every_case(), "");
    let first = repository.git(&["rev-parse", "HEAD"]);
    repository.git(&["tag", "-a", "-m", "one", "v1"]);
    let host = GitHost::of(&repository);
    let sandbox = host.sandbox();
    install(&sandbox, &host.source("#v1")).exit(0);
    fs::write(repository.work().join("notes.txt"), "new").unwrap();
    let second = repository.commit();
    repository.git(&["tag", "-f", "-a", "-m", "two", "v1"]);
    update(&sandbox)
        .exit(0)
        .stderr_contains("warning: refs/tags/v1")
        .stderr_contains(&format!("from {first} to {second}"));
    // A branch of the same name changes nothing for what came from the tag.
    repository.git(&["branch", "v1", &first]);
    update(&sandbox).exit(0).stdout_contains("unchanged");
    install(&host.sandbox(), &host.source("#v1"))
        .exit(2)
        .stderr_contains("both a branch and a tag")
        .stderr_contains("refs/heads/v1");
}

#[test]
fn a_commit_pin_never_moves_and_is_put_back_as_it_was() {
    let repository = Repository::with(&Package::every_case(), "");
    let commit = repository.git(&["rev-parse", "HEAD"]);
    let host = GitHost::of(&repository);
    let sandbox = host.sandbox();
    install(
        &sandbox,
        &host.source(&format!("#{}", commit.to_uppercase())),
    )
    .exit(0);
    fs::write(repository.work().join("notes.txt"), "new").unwrap();
    repository.commit();
    let lock = fs::read(sandbox.lock()).unwrap();
    let asked = host.requests().len();
    update(&sandbox)
        .exit(0)
        .stdout_contains(&format!("pinned to commit {commit}"));
    assert_eq!(fs::read(sandbox.lock()).unwrap(), lock);
    assert_eq!(
        host.requests().len(),
        asked,
        "a pin needs no look at the server"
    );

    let manifest = sandbox
        .state()
        .join("plugins")
        .join(Package::NAME)
        .join("sr-plugin.json");
    fs::write(&manifest, b"{}").unwrap();
    sandbox.run(&["plugin", "verify"]).exit(76);
    update(&sandbox).exit(0);
    sandbox.run(&["plugin", "verify"]).exit(0);
    assert_eq!(recorded(&sandbox)["commit"], commit);
}

#[test]
fn what_is_not_in_the_repository_is_named() {
    let repository = Repository::with(&Package::every_case(), "");
    let commit = repository.git(&["rev-parse", "HEAD"]);
    let host = GitHost::of(&repository);
    let sandbox = host.sandbox();
    let nowhere = "1".repeat(40);
    for (source, exit, says) in [
        (
            host.source("#nothing"),
            66,
            "no branch or tag of this name: nothing",
        ),
        (
            host.source(&format!("#{}", &commit[..12])),
            2,
            "whole id of 40 or 64 digits",
        ),
        (host.source(&format!("#{nowhere}")), 66, "no such commit"),
        (
            host.source(&format!("?path=a/b#{commit}")),
            66,
            "no such folder: a/b",
        ),
        (host.source("?path=sr-plugin.json"), 66, "no such folder"),
        (
            host.source("").replace("demo.git", "other.git"),
            66,
            "no such repository",
        ),
    ] {
        install(&sandbox, &source).exit(exit).stderr_contains(says);
        sandbox.wrote_nothing();
        left_nothing_of_the_fetch(&sandbox);
    }
    let empty = Repository::new();
    let host = GitHost::of(&empty);
    install(&host.sandbox(), &host.source(""))
        .exit(66)
        .stderr_contains("names no default branch");
}

#[test]
fn the_folder_is_chosen_when_there_is_one_choice() {
    let package = Package::every_case();
    let repository = Repository::with(&package, "dist/one");
    let host = GitHost::of(&repository);
    install(&host.sandbox(), &host.source("")).exit(0);
    crate::support::copy(&package.path(), &repository.work().join("dist/two"));
    repository.commit();
    install(&host.sandbox(), &host.source(""))
        .exit(2)
        .stderr_contains("more than one package: dist/one, dist/two")
        .stderr_contains("?path=dist/one");
    let sandbox = host.sandbox();
    install(&sandbox, &host.source("?path=dist/two")).exit(0);
    // What came from a folder stays with it.
    update(&sandbox).exit(0).stdout_contains("unchanged");
}

#[test]
fn sources_without_a_built_package_are_told_to_be_built_and_committed() {
    let repository = Repository::new();
    let work = repository.work();
    fs::create_dir(work.join("plugin")).unwrap();
    fs::write(work.join("Cargo.toml"), "[package]\nname = \"x\"\n").unwrap();
    fs::write(
        work.join("build.rs"),
        "fn main() { std::fs::write(\"built\", b\"\").unwrap(); }",
    )
    .unwrap();
    fs::write(
        work.join("plugin/sr-plugin.json"),
        Package::every_case().manifest_bytes(),
    )
    .unwrap();
    repository.commit();
    let host = GitHost::of(&repository);
    let sandbox = host.sandbox();
    install(&sandbox, &host.source(""))
        .exit(78)
        .stderr_contains("no built package")
        .stderr_contains("sr-runtime plugin build")
        .stderr_contains("dist/NAME");
    sandbox.wrote_nothing();
}

#[test]
fn a_server_that_gives_no_single_commits_is_told_apart() {
    // Version 0 of the protocol, whose servers give out what their list names.
    let repository = Repository::with(&Package::every_case(), "");
    let first = repository.git(&["rev-parse", "HEAD"]);
    fs::write(repository.work().join("notes.txt"), "new").unwrap();
    let second = repository.commit();
    repository.git(&["tag", "-a", "-m", "one", "v1", &second]);
    let host = GitHost::of_version_0(&repository);
    install(&host.sandbox(), &host.source(&format!("#{first}")))
        .exit(69)
        .stderr_contains("not single commits");
    for tail in ["#v1", "#main", "", &format!("#{second}")] {
        install(&host.sandbox(), &host.source(tail)).exit(0);
    }
}

#[test]
fn without_git_the_error_says_what_to_do() {
    let repository = Repository::with(&Package::every_case(), "");
    let host = GitHost::of(&repository);
    let empty = tempfile::tempdir().unwrap();
    for path in ["", ".", &empty.path().display().to_string()] {
        let sandbox = Sandbox::new().env("PATH", path);
        host.trust(&sandbox);
        install(&sandbox, &host.source(""))
            .exit(69)
            .stderr_contains("no git program")
            .stderr_contains("install git");
        left_nothing_of_the_fetch(&sandbox);
    }
}

#[test]
fn a_lock_with_a_git_source_has_a_version_of_its_own() {
    let version = |sandbox: &Sandbox| {
        let lock: Value = serde_json::from_slice(&fs::read(sandbox.lock()).unwrap()).unwrap();
        lock["version"].clone()
    };
    let package = Package::every_case();
    let repository = Repository::with(&package, "");
    let host = GitHost::of(&repository);
    let sandbox = host.sandbox();
    install(&sandbox, &host.source("")).exit(0);
    assert_eq!(version(&sandbox), 2);
    sandbox.run(&["plugin", "uninstall", Package::NAME]).exit(0);
    sandbox.install(&package).exit(0);
    assert_eq!(version(&sandbox), 1);
    // Nothing in the lock is believed without the rules of the command line.
    let text = fs::read_to_string(sandbox.lock()).unwrap();
    let mut lock: Value = serde_json::from_str(&text).unwrap();
    let git = json!({ "git": {
        "from": "git+https://user:secret@x.test/r.git#--upload-pack=x",
        "commit": "1".repeat(40), "tree": "1".repeat(40),
    }});
    lock["plugins"][Package::NAME]["source"] = git;
    fs::write(sandbox.lock(), lock.to_string()).unwrap();
    update(&sandbox).exit(76).lacks("secret");
}

#[test]
fn a_reply_that_is_no_git_is_a_failed_fetch() {
    let repository = Repository::new();
    let host = GitHost::answering(&repository, |_| {
        Answer::Reply(Reply::with(
            200,
            ("content-type", "text/html"),
            "<h1>\u{1b}[2Jhello</h1>",
        ))
    });
    let sandbox = host.sandbox();
    for (tail, exit) in [
        ("", 66),
        ("#main", 66),
        (&format!("#{}", "1".repeat(40)), 69),
    ] {
        install(&sandbox, &host.source(tail))
            .exit(exit)
            .lacks("\u{1b}");
    }
    sandbox.wrote_nothing();
}
