//! Installing, replacing, uninstalling and listing.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use sr_plugin::{Home, HomeError, OpenError, Package, Placement, Placing, Removed, Strictness};
use tempfile::TempDir;

use crate::support::{
    Folder, copy_entry, everything_below, install_copy, install_link, link_entry, name,
};

fn home() -> (TempDir, Home) {
    let person = TempDir::new().unwrap();
    let home = Home::at(person.path());
    (person, home)
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_copy_is_what_was_read_whatever_the_source_has_become() {
    let (_person, home) = home();
    let folder = Folder::good();
    folder.write("lib/deep/a.txt", "a");
    folder.write("run.log", "not part of it");
    let package = folder.read().unwrap();
    folder.write("component.wasm", "changed after it was read");
    let entry = copy_entry(&folder, &package);
    home.transaction(|change| change.install(&name("sr-demo"), Placing::Copy(&package), entry))
        .unwrap();

    let copy = Package::read(
        &home.open_plugin(&name("sr-demo")).unwrap(),
        Strictness::Installed,
    )
    .unwrap();
    assert_eq!(copy.hash, package.hash);
    assert_eq!(copy.component, package.component);
    assert!(!home.plugin_path(&name("sr-demo")).join("run.log").exists());
}

#[test]
fn everything_written_is_private() {
    let (_person, home) = home();
    let folder = Folder::good();
    folder.write("lib/a.txt", "a");
    install_copy(&home, &name("sr-demo"), &folder).unwrap();
    assert_eq!(mode(home.root_path()), 0o700);
    for path in everything_below(home.root_path()) {
        assert_eq!(
            mode(&path),
            if path.is_dir() { 0o700 } else { 0o600 },
            "{}",
            path.display()
        );
    }
}

#[test]
fn a_link_is_used_in_place() {
    let (_person, home) = home();
    let folder = Folder::good();
    install_link(&home, &name("sr-demo"), &folder).unwrap();
    assert_eq!(
        fs::read_link(home.plugin_path(&name("sr-demo"))).unwrap(),
        folder.path()
    );
    let package = Package::read(
        &home.open_plugin(&name("sr-demo")).unwrap(),
        Strictness::Installed,
    )
    .unwrap();
    assert_eq!(package.hash, folder.read().unwrap().hash);
}

#[test]
fn a_link_needs_an_absolute_path() {
    let (_person, home) = home();
    let folder = Folder::good();
    let package = folder.read().unwrap();
    let entry = link_entry(&folder, &package);
    let result = home.transaction(|change| {
        change.install(&name("sr-demo"), Placing::Link(Path::new("demo")), entry)
    });
    assert!(matches!(result, Err(HomeError::NotAbsolute { .. })));
}

#[test]
fn an_installed_name_is_not_installed_again() {
    let (_person, home) = home();
    install_copy(&home, &name("sr-demo"), &Folder::good()).unwrap();
    let message = install_link(&home, &name("sr-demo"), &Folder::good())
        .unwrap_err()
        .to_string();
    assert_eq!(
        message,
        "sr-demo is already installed; use: sr-runtime plugin update sr-demo"
    );

    fs::create_dir(home.plugin_path(&name("sr-found"))).unwrap();
    let message = install_copy(&home, &name("sr-found"), &Folder::good())
        .unwrap_err()
        .to_string();
    assert!(message.contains("plugin update sr-found"), "{message}");
    assert!(home.plugin_path(&name("sr-found")).exists());
}

#[test]
fn an_entry_for_another_package_is_refused() {
    let (_person, home) = home();
    let (folder, other) = (Folder::good(), Folder::good());
    other.write("more", "x");
    let package = folder.read().unwrap();
    let entry = copy_entry(&other, &other.read().unwrap());
    let result =
        home.transaction(|change| change.install(&name("sr-demo"), Placing::Copy(&package), entry));
    assert!(matches!(result, Err(HomeError::WrongEntry { .. })));
    assert!(!home.plugin_path(&name("sr-demo")).exists());
}

#[test]
fn replacing_swaps_folder_and_entry_and_leaves_nothing_beside_them() {
    let (_person, home) = home();
    let old = Folder::good();
    old.write("only-old", "x");
    install_copy(&home, &name("sr-demo"), &old).unwrap();
    let new = Folder::good();
    new.write("only-new", "x");
    let package = new.read().unwrap();
    home.transaction(|change| {
        change.replace(
            &name("sr-demo"),
            Placing::Copy(&package),
            copy_entry(&new, &package),
        )
    })
    .unwrap();
    let place = home.plugin_path(&name("sr-demo"));
    assert!(place.join("only-new").exists() && !place.join("only-old").exists());
    assert_eq!(
        home.lock().unwrap().get(&name("sr-demo")).unwrap().hash,
        package.hash
    );
    assert_eq!(fs::read_dir(place.parent().unwrap()).unwrap().count(), 1);

    let absent = home.transaction(|change| {
        change.replace(
            &name("sr-none"),
            Placing::Copy(&package),
            copy_entry(&new, &package),
        )
    });
    assert!(matches!(absent, Err(HomeError::NotInstalled { .. })));
}

#[test]
fn an_edited_linked_folder_is_recorded_anew() {
    let (_person, home) = home();
    let folder = Folder::good();
    install_link(&home, &name("sr-demo"), &folder).unwrap();
    folder.write("more", "x");
    let package = folder.read().unwrap();
    home.transaction(|change| change.record(&name("sr-demo"), link_entry(&folder, &package)))
        .unwrap();
    assert_eq!(
        home.lock().unwrap().get(&name("sr-demo")).unwrap().hash,
        package.hash
    );
}

#[test]
fn uninstall_removes_the_copy_and_not_its_other_names() {
    let (person, home) = home();
    install_copy(&home, &name("sr-demo"), &Folder::good()).unwrap();
    let other_name = person.path().join("kept.wasm");
    fs::hard_link(
        home.plugin_path(&name("sr-demo")).join("component.wasm"),
        &other_name,
    )
    .unwrap();
    symlink("/etc", home.plugin_path(&name("sr-demo")).join("out")).unwrap();
    let removed = home
        .transaction(|change| change.uninstall(&name("sr-demo")))
        .unwrap();
    assert_eq!(
        removed,
        Removed {
            placed: true,
            recorded: true
        }
    );
    assert_eq!(fs::read(other_name).unwrap(), crate::support::COMPONENT);
    assert!(fs::metadata("/etc/hostname").is_ok());
    assert_eq!(
        fs::read_dir(home.root_path().join("plugins"))
            .unwrap()
            .count(),
        0
    );
    assert!(home.lock().unwrap().is_empty());
    assert!(
        home.root_path().join("plugins.lock").exists(),
        "the lock's own file is never deleted"
    );
}

#[test]
fn uninstall_removes_the_link_and_not_the_persons_folder() {
    let (_person, home) = home();
    let folder = Folder::good();
    let before = everything_below(folder.path());
    install_link(&home, &name("sr-demo"), &folder).unwrap();
    home.transaction(|change| change.uninstall(&name("sr-demo")))
        .unwrap();
    assert_eq!(everything_below(folder.path()), before);
    assert!(fs::symlink_metadata(home.plugin_path(&name("sr-demo"))).is_err());
}

#[test]
fn a_dangling_link_and_a_missing_folder_can_be_listed_and_uninstalled() {
    let (_person, home) = home();
    let folder = Folder::good();
    install_link(&home, &name("sr-dangling"), &folder).unwrap();
    install_copy(&home, &name("sr-missing"), &folder).unwrap();
    fs::remove_dir_all(home.plugin_path(&name("sr-missing"))).unwrap();
    symlink("/nowhere", home.plugin_path(&name("sr-unrecorded"))).unwrap();
    let target = folder.path().to_owned();
    drop(folder);

    let lock = home.lock().unwrap();
    let listed: Vec<_> = home
        .installed(&lock)
        .unwrap()
        .into_iter()
        .map(|plugin| {
            (
                plugin.name.to_string(),
                plugin.placement,
                plugin.entry.is_some(),
            )
        })
        .collect();
    assert_eq!(
        listed,
        [
            (
                "sr-dangling".to_owned(),
                Placement::Link {
                    target,
                    dangling: true
                },
                true
            ),
            ("sr-missing".to_owned(), Placement::Missing, true),
            (
                "sr-unrecorded".to_owned(),
                Placement::Link {
                    target: "/nowhere".into(),
                    dangling: true
                },
                false
            ),
        ]
    );
    assert!(matches!(
        home.open_plugin(&name("sr-dangling")),
        Err(OpenError::Dangling { .. })
    ));
    assert!(matches!(
        home.open_plugin(&name("sr-missing")),
        Err(OpenError::NotInstalled { .. })
    ));
    for plugin in ["sr-dangling", "sr-missing", "sr-unrecorded"] {
        home.transaction(|change| change.uninstall(&name(plugin)))
            .unwrap();
    }
    let lock = home.lock().unwrap();
    assert!(home.installed(&lock).unwrap().is_empty());
    assert!(matches!(
        home.transaction(|change| change.uninstall(&name("sr-missing"))),
        Err(HomeError::NotInstalled { .. })
    ));
}

#[test]
fn a_file_at_a_plugins_place_is_no_plugin() {
    let (_person, home) = home();
    install_copy(&home, &name("sr-demo"), &Folder::good()).unwrap();
    fs::write(home.root_path().join("plugins/sr-file"), "x").unwrap();
    assert!(matches!(
        home.open_plugin(&name("sr-file")),
        Err(OpenError::NotAFolder { .. })
    ));
}

#[test]
fn a_home_reached_through_a_link_works_and_stored_paths_do_not_break() {
    let real = TempDir::new().unwrap();
    let links = TempDir::new().unwrap();
    let linked = links.path().join("home");
    symlink(real.path(), &linked).unwrap();
    let home = Home::at(&linked);
    let folder = Folder::good();
    install_link(&home, &name("sr-link"), &folder).unwrap();
    install_copy(&home, &name("sr-copy"), &folder).unwrap();
    for home in [home, Home::at(real.path())] {
        for plugin in ["sr-link", "sr-copy"] {
            let package = Package::read(
                &home.open_plugin(&name(plugin)).unwrap(),
                Strictness::Installed,
            )
            .unwrap();
            assert_eq!(
                Some(package.hash),
                home.lock()
                    .unwrap()
                    .get(&name(plugin))
                    .map(|entry| entry.hash)
            );
        }
    }
    let home = Home::at(&linked);
    home.transaction(|change| change.uninstall(&name("sr-link")))
        .unwrap();
    home.transaction(|change| change.uninstall(&name("sr-copy")))
        .unwrap();
}

#[test]
fn a_source_is_opened_by_its_real_path() {
    let (person, _) = home();
    let folder = Folder::good();
    symlink(folder.path(), person.path().join("alias")).unwrap();
    let (_, real) = Home::open_source(&person.path().join("alias")).unwrap();
    assert_eq!(real, folder.path().canonicalize().unwrap());
    let message = Home::open_source(&person.path().join("none"))
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("none") && message.contains("No such file"),
        "{message}"
    );
    assert!(Home::open_source(&folder.join("component.wasm")).is_err());
}

#[test]
fn when_the_work_fails_nothing_of_it_stays() {
    let (_person, home) = home();
    let kept = Folder::good();
    install_copy(&home, &name("sr-kept"), &kept).unwrap();
    let before = everything_below(home.root_path());
    let lock_before = fs::read(home.lock_path()).unwrap();
    let folder = Folder::good();
    folder.write("more", "x");
    let package = folder.read().unwrap();
    let result: Result<(), HomeError> = home.transaction(|change| {
        change.install(
            &name("sr-one"),
            Placing::Copy(&package),
            copy_entry(&folder, &package),
        )?;
        change.install(
            &name("sr-two"),
            Placing::Link(folder.path()),
            link_entry(&folder, &package),
        )?;
        change.replace(
            &name("sr-kept"),
            Placing::Copy(&package),
            copy_entry(&folder, &package),
        )?;
        change.uninstall(&name("sr-none"))?;
        Ok(())
    });
    assert!(matches!(result, Err(HomeError::NotInstalled { .. })));
    assert_eq!(everything_below(home.root_path()), before);
    assert_eq!(fs::read(home.lock_path()).unwrap(), lock_before);
    let hash = Package::read(
        &home.open_plugin(&name("sr-kept")).unwrap(),
        Strictness::Installed,
    )
    .unwrap()
    .hash;
    assert_eq!(hash, kept.read().unwrap().hash);
}
