//! A change that is killed at any step is finished or undone by the next one.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;

use sr_plugin::{Home, HomeError, Package, Placement, Placing, Step, Strictness};
use tempfile::TempDir;

use crate::support::{CHILD, Folder, copy_entry, install_copy, is_child, link_entry, name};

const STEPS: [Step; 7] = [
    Step::Locked,
    Step::Marked,
    Step::Staged,
    Step::SetAside,
    Step::Placed,
    Step::LockWritten,
    Step::Cleaned,
];

/// Runs a change that dies at this step; says whether it got there.
fn dies_at(home: &Home, step: Step, work: impl Fn(&Home) -> Result<(), HomeError>) -> bool {
    let dying = home
        .clone()
        .with_step_hook(move |reached| assert!(reached != step, "killed"));
    catch_unwind(AssertUnwindSafe(|| work(&dying))).is_err()
}

/// The folder and the lock agree, and nothing lies beside the plugins.
fn assert_settled(home: &Home, step: Step) {
    home.transaction(|_| Ok::<_, HomeError>(())).unwrap();
    let lock = home.lock().unwrap();
    for plugin in home.installed(&lock).unwrap() {
        let entry = plugin
            .entry
            .unwrap_or_else(|| panic!("{step:?}: {} is not recorded", plugin.name));
        assert_ne!(plugin.placement, Placement::Missing, "{step:?}");
        let package = Package::read(
            &home.open_plugin(&plugin.name).unwrap(),
            Strictness::Installed,
        )
        .unwrap();
        assert_eq!(package.hash, entry.hash, "{step:?}");
    }
    for folder in [
        home.root_path().join("plugins"),
        home.root_path().to_owned(),
    ] {
        for entry in fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name();
            assert!(
                !name.to_string_lossy().starts_with('.'),
                "{step:?}: {name:?} is left"
            );
        }
    }
}

fn is_installed(home: &Home) -> bool {
    home.lock().unwrap().get(&name("sr-demo")).is_some()
}

#[test]
fn a_killed_install_leaves_all_or_nothing() {
    let folder = Folder::good();
    let package = folder.read().unwrap();
    let copy = |home: &Home| {
        home.transaction(|change| {
            change.install(
                &name("sr-demo"),
                Placing::Copy(&package),
                copy_entry(&folder, &package),
            )
        })
    };
    let link = |home: &Home| {
        home.transaction(|change| {
            change.install(
                &name("sr-demo"),
                Placing::Link(folder.path()),
                link_entry(&folder, &package),
            )
        })
    };
    for step in STEPS {
        for work in [&copy as &dyn Fn(&Home) -> Result<(), HomeError>, &link] {
            let person = TempDir::new().unwrap();
            let home = Home::at(person.path());
            let killed = dies_at(&home, step, work);
            assert_eq!(killed, step != Step::SetAside);
            assert_settled(&home, step);
            let expected = matches!(step, Step::LockWritten | Step::Cleaned | Step::SetAside);
            assert_eq!(is_installed(&home), expected, "{step:?}");
            if !expected {
                work(&home).unwrap();
            }
        }
    }
}

#[test]
fn a_killed_replacement_leaves_the_old_or_the_new() {
    for same_content in [false, true] {
        let old = Folder::good();
        let new = Folder::good();
        if !same_content {
            new.write("more", "x");
        }
        let package = new.read().unwrap();
        let work = |home: &Home| {
            home.transaction(|change| {
                change.replace(
                    &name("sr-demo"),
                    Placing::Copy(&package),
                    copy_entry(&new, &package),
                )
            })
        };
        for step in STEPS {
            let person = TempDir::new().unwrap();
            let home = Home::at(person.path());
            install_copy(&home, &name("sr-demo"), &old).unwrap();
            assert!(dies_at(&home, step, work));
            assert_settled(&home, step);
            let is_new = home.plugin_path(&name("sr-demo")).join("more").exists();
            assert_eq!(
                is_new,
                !same_content && matches!(step, Step::LockWritten | Step::Cleaned),
                "{step:?}"
            );
            work(&home).unwrap();
        }
    }
}

#[test]
fn a_killed_replacement_of_a_missing_folder_is_settled() {
    let folder = Folder::good();
    let package = folder.read().unwrap();
    let new = Folder::good();
    new.write("more", "x");
    let new_package = new.read().unwrap();
    for step in [Step::Marked, Step::Staged, Step::Placed] {
        let person = TempDir::new().unwrap();
        let home = Home::at(person.path());
        home.transaction(|change| {
            change.install(
                &name("sr-demo"),
                Placing::Copy(&package),
                copy_entry(&folder, &package),
            )
        })
        .unwrap();
        fs::remove_dir_all(home.plugin_path(&name("sr-demo"))).unwrap();
        let work = |home: &Home| {
            home.transaction(|change| {
                change.replace(
                    &name("sr-demo"),
                    Placing::Copy(&new_package),
                    copy_entry(&new, &new_package),
                )
            })
        };
        assert!(dies_at(&home, step, work));
        home.transaction(|_| Ok::<_, HomeError>(())).unwrap();
        assert_eq!(
            home.placement(&name("sr-demo")).unwrap(),
            Placement::Missing,
            "{step:?}"
        );
        work(&home).unwrap();
        assert_settled(&home, step);
    }
}

#[test]
fn a_killed_uninstall_leaves_all_or_nothing() {
    let folder = Folder::good();
    for step in [
        Step::Locked,
        Step::SetAside,
        Step::LockWritten,
        Step::Cleaned,
    ] {
        let person = TempDir::new().unwrap();
        let home = Home::at(person.path());
        install_copy(&home, &name("sr-demo"), &folder).unwrap();
        let work = |home: &Home| {
            home.transaction(|change| change.uninstall(&name("sr-demo")))
                .map(drop)
        };
        assert!(dies_at(&home, step, work));
        assert_settled(&home, step);
        assert_eq!(
            is_installed(&home),
            matches!(step, Step::Locked | Step::SetAside),
            "{step:?}"
        );
    }
}

#[test]
fn a_half_written_lock_beside_the_lock_is_never_read() {
    let person = TempDir::new().unwrap();
    let home = Home::at(person.path());
    install_copy(&home, &name("sr-demo"), &Folder::good()).unwrap();
    fs::write(home.root_path().join(".plugins.lock.json.new"), "{\"vers").unwrap();
    assert!(is_installed(&home));
    assert_settled(&home, Step::Locked);
}

/// In a process of its own, in a folder of its own.
fn abort_in_the_middle() {
    let here = std::env::current_dir().unwrap();
    let home = Home::at(&here).with_step_hook(|step| {
        if step == Step::Placed {
            std::process::abort();
        }
    });
    let _ = install_copy(&home, &name("sr-demo"), &Folder::good());
}

#[test]
fn a_killed_process_lets_go_of_the_lock() {
    if is_child() {
        return abort_in_the_middle();
    }
    let person = TempDir::new().unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::a_killed_process_lets_go_of_the_lock"])
        .env(CHILD, "1")
        .current_dir(person.path())
        .output()
        .unwrap();
    assert!(!output.status.success());
    let home = Home::at(person.path());
    assert!(
        home.plugin_path(&name("sr-demo")).exists(),
        "it got as far as it should"
    );
    assert_settled(&home, Step::Placed);
    assert!(!is_installed(&home));
    install_copy(&home, &name("sr-demo"), &Folder::good()).unwrap();
}

#[test]
fn what_is_no_marker_is_neither_waited_for_nor_in_the_way() {
    for make in [
        |path: &std::path::Path| fs::create_dir(path).unwrap(),
        |path: &std::path::Path| {
            let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
            let kind = rustix::fs::FileType::Fifo;
            rustix::fs::mknodat(rustix::fs::CWD, path, kind, mode, 0).unwrap();
        },
        |path: &std::path::Path| std::os::unix::fs::symlink("/nowhere", path).unwrap(),
    ] {
        let person = TempDir::new().unwrap();
        let home = Home::at(person.path());
        install_copy(&home, &name("sr-demo"), &Folder::good()).unwrap();
        let place = home.plugin_path(&name("sr-demo"));
        make(&place.with_file_name(".pending-sr-demo"));
        install_copy(&home, &name("sr-other"), &Folder::good()).unwrap();
        assert!(is_installed(&home));
    }
}
