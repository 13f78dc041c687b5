//! A full disk and a read-only home: the path and the cause are named, nothing is left behind.
//!
//! The mounts are made in a user and mount namespace of a child process, which runs the same
//! test again in the mounted folder and does there what the test is about.

use std::path::Path;
use std::process::Command;

use sr_plugin::{Home, Package, Strictness};
use tempfile::TempDir;

use crate::support::{CHILD, Folder, everything_below, install_copy, is_child, name};

/// Runs a test of this binary again, as a child, in `folder`, mounted as the line says.
fn in_mount(folder: &Path, mount: &str, test: &str) {
    let script = format!("{mount} && cd \"$1\" && exec \"$2\" --exact {test} --nocapture");
    let output = Command::new("unshare")
        .args([
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            &script,
            "sh",
        ])
        .arg(folder)
        .arg(std::env::current_exe().unwrap())
        .env(CHILD, "1")
        .output()
        .expect("unshare (util-linux) is needed for this test");
    let shown = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}");
    assert!(shown.contains("1 passed"), "{shown}");
}

fn here() -> Home {
    Home::at(std::env::current_dir().unwrap())
}

#[test]
fn a_full_disk_is_named_and_nothing_is_left_behind() {
    if is_child() {
        return on_a_full_disk();
    }
    let person = TempDir::new().unwrap();
    in_mount(
        person.path(),
        "mount -t tmpfs -o size=64k tmpfs \"$1\"",
        "faults::a_full_disk_is_named_and_nothing_is_left_behind",
    );
}

fn on_a_full_disk() {
    let home = here();
    install_copy(&home, &name("sr-small"), &Folder::good()).unwrap();
    let before = everything_below(home.root_path());
    let big = Folder::good();
    big.write("big", vec![7; 200 * 1024]);
    let message = install_copy(&home, &name("sr-big"), &big)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("sr-big") && message.contains("No space left on device"),
        "{message}"
    );
    assert_eq!(everything_below(home.root_path()), before);
    assert_eq!(home.lock().unwrap().len(), 1);

    // The lock itself does not fit any more.
    let room = std::env::current_dir().unwrap().join("filler");
    let mut filler = Vec::new();
    while std::fs::write(&room, &filler).is_ok() {
        filler.resize(filler.len() + 4096, 7);
    }
    let before = std::fs::read(home.lock_path()).unwrap();
    let message = home
        .transaction(|change| change.uninstall(&name("sr-small")))
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("plugins.lock.json") && message.contains("No space left on device"),
        "{message}"
    );
    assert_eq!(std::fs::read(home.lock_path()).unwrap(), before);
    Package::read(
        &home.open_plugin(&name("sr-small")).unwrap(),
        Strictness::Installed,
    )
    .unwrap();
}

#[test]
fn a_read_only_home_is_named_and_can_still_be_read() {
    if is_child() {
        return on_a_read_only_home();
    }
    let person = TempDir::new().unwrap();
    install_copy(&Home::at(person.path()), &name("sr-demo"), &Folder::good()).unwrap();
    let mount = "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\"";
    in_mount(
        person.path(),
        mount,
        "faults::a_read_only_home_is_named_and_can_still_be_read",
    );
}

fn on_a_read_only_home() {
    let home = here();
    let message = install_copy(&home, &name("sr-other"), &Folder::good())
        .unwrap_err()
        .to_string();
    assert!(
        message.contains(".sr") && message.contains("Read-only file system"),
        "{message}"
    );
    let lock = home.lock().unwrap();
    let package = Package::read(
        &home.open_plugin(&name("sr-demo")).unwrap(),
        Strictness::Installed,
    )
    .unwrap();
    assert_eq!(lock.get(&name("sr-demo")).unwrap().hash, package.hash);
    assert_eq!(home.installed(&lock).unwrap().len(), 1);
}

#[test]
fn a_file_where_a_folder_should_be_is_named() {
    let person = TempDir::new().unwrap();
    std::fs::write(person.path().join(".sr"), "x").unwrap();
    let message = install_copy(&Home::at(person.path()), &name("sr-demo"), &Folder::good())
        .unwrap_err()
        .to_string();
    assert!(
        message.contains(".sr") && message.contains("Not a directory"),
        "{message}"
    );
}
