//! What is no source, and that an install writes to nothing but what it made itself.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::support::{GitHost, Package, Repository, Run, Sandbox};

/// What tells whether a file was touched.
fn state_of(path: &Path) -> (Vec<u8>, i64, i64, u64) {
    let metadata = fs::symlink_metadata(path).unwrap();
    let content = fs::read(path).unwrap_or_default();
    let hash = Sha256::digest(content).to_vec();
    (
        hash,
        metadata.mtime(),
        metadata.mtime_nsec(),
        metadata.ino(),
    )
}

#[test]
fn a_link_that_leaves_the_package_is_refused_and_its_target_is_not_touched() {
    type Change = fn(&Package, &Path);
    let changes: &[Change] = &[
        |package, target| symlink(target, package.path().join("notes.txt")).unwrap(),
        |package, target| symlink(target.parent().unwrap(), package.path().join("data")).unwrap(),
        |package, target| {
            fs::copy(package.component(), target).unwrap();
            fs::remove_file(package.component()).unwrap();
            symlink(target, package.component()).unwrap();
        },
    ];
    for change in changes {
        let package = Package::every_case();
        let outside = tempfile::tempdir().unwrap();
        let target = outside.path().join("target");
        fs::write(&target, "outside").unwrap();
        change(&package, &target);
        let before = state_of(&target);
        let copied =
            |sandbox: &Sandbox| sandbox.run(&["plugin", "install", "--copy", &package.url()]);
        let sandbox = Sandbox::new();
        sandbox.install(&package).proves("B019");
        copied(&sandbox).proves("B019");
        sandbox.wrote_nothing();

        let repository = Repository::with(&Package::every_case(), "");
        for entry in fs::read_dir(package.path()).unwrap() {
            let entry = entry.unwrap();
            let place = repository.work().join(entry.file_name());
            if let Ok(link) = fs::read_link(entry.path()) {
                let _ = fs::remove_file(&place);
                symlink(link, place).unwrap();
            }
        }
        repository.commit();
        let host = GitHost::of(&repository);
        let sandbox = host.sandbox();
        fetched(&sandbox, &host).proves("B019");
        sandbox.wrote_nothing();
        assert_eq!(state_of(&target), before);
    }
}

fn fetched(sandbox: &Sandbox, host: &GitHost) -> Run {
    sandbox.run(&["plugin", "install", "--cacert", "ca.pem", &host.source("")])
}

#[test]
fn a_link_that_waits_at_the_installers_own_names_is_not_written_through() {
    let package = Package::every_case();
    let repository = Repository::with(&package, "");
    let host = GitHost::of(&repository);
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("target");
    fs::write(&target, "outside").unwrap();
    let sandbox = host.sandbox();
    let plugins = sandbox.state().join("plugins");
    fs::create_dir_all(&plugins).unwrap();
    for name in [".new-demo", ".old-demo", ".pending-demo"] {
        symlink(&target, plugins.join(name)).unwrap();
    }
    symlink(outside.path(), sandbox.state().join(".fetch-1-0")).unwrap();
    symlink(&target, sandbox.state().join(".plugins.lock.json.new")).unwrap();
    let before = state_of(&target);
    fetched(&sandbox, &host).exit(0);
    sandbox.run(&["plugin", "verify"]).exit(0);
    assert_eq!(state_of(&target), before);
    let names: Vec<_> = fs::read_dir(&plugins)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, [Package::NAME]);
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn an_archive_is_refused_before_anything_of_it_is_read() {
    let sandbox = Sandbox::new();
    for name in [
        "slip.zip",
        "slip.tar",
        "bomb.zip",
        "demo.tgz",
        "demo.tar.gz",
        "DEMO.TAR.XZ",
    ] {
        let path = sandbox.home().join(name);
        // A pipe that nobody writes to: whoever opens it waits, and whoever reads it is found out.
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&path)
                .status()
                .unwrap()
                .success()
        );
        let path = path.display().to_string();
        for source in [
            path.clone(),
            format!("file://{path}"),
            format!("./{name}"),
            name.to_owned(),
        ] {
            let run = sandbox.run(&["plugin", "install", &source]);
            run.proves("B027")
                .proves("archives")
                .stderr_contains("install the folder");
        }
    }
    assert!(
        !sandbox.state().exists(),
        "nothing was made, let alone unpacked"
    );
    sandbox
        .run(&["plugin", "install", "https://x.test/demo.tar.gz"])
        .exit(2)
        .stderr_contains("git+https://HOST/PATH");
}
