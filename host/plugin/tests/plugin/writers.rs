//! Several writers at once.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use sr_plugin::{Home, HomeError};
use tempfile::TempDir;

use crate::support::{Folder, install_copy, name};

#[test]
fn writers_at_once_lose_nothing() {
    let person = TempDir::new().unwrap();
    let folder = Folder::good();
    thread::scope(|scope| {
        for writer in 0..4 {
            let (person, folder) = (&person, &folder);
            scope.spawn(move || {
                for number in 0..5 {
                    install_copy(
                        &Home::at(person.path()),
                        &name(&format!("sr-{writer}-{number}")),
                        folder,
                    )
                    .unwrap();
                }
            });
        }
    });
    let home = Home::at(person.path());
    let lock = home.lock().unwrap();
    assert_eq!(lock.len(), 20);
    assert!(
        home.installed(&lock)
            .unwrap()
            .iter()
            .all(|plugin| plugin.entry.is_some())
    );
}

#[test]
fn of_two_installs_of_one_name_one_wins_and_one_is_told() {
    let person = TempDir::new().unwrap();
    let folder = Folder::good();
    let results: Vec<_> = thread::scope(|scope| {
        let install = || install_copy(&Home::at(person.path()), &name("sr-demo"), &folder);
        let writers: Vec<_> = (0..4).map(|_| scope.spawn(install)).collect();
        writers
            .into_iter()
            .map(|writer| writer.join().unwrap())
            .collect()
    });
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    let told = results
        .iter()
        .filter(|result| matches!(result, Err(HomeError::AlreadyInstalled { .. })));
    assert_eq!(told.count(), 3);
}

#[test]
fn the_wait_for_another_writer_is_bounded_and_reading_does_not_wait() {
    let person = TempDir::new().unwrap();
    let home = Home::at(person.path());
    install_copy(&home, &name("sr-demo"), &Folder::good()).unwrap();
    let (entered, is_in) = mpsc::channel();
    let (let_go, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let holder = home.clone();
        scope.spawn(move || {
            holder.transaction(|_| {
                entered.send(()).unwrap();
                wait.recv().unwrap();
                Ok::<_, HomeError>(())
            })
        });
        is_in.recv().unwrap();
        let start = Instant::now();
        let impatient = home.clone().with_lock_wait(Duration::from_millis(100));
        let error = impatient
            .transaction(|_| Ok::<_, HomeError>(()))
            .unwrap_err();
        assert!(start.elapsed() < Duration::from_secs(2));
        assert!(
            error
                .to_string()
                .contains("another sr-runtime is changing plugins, waited 100 ms"),
            "{error}"
        );
        assert_eq!(home.lock().unwrap().len(), 1);
        let_go.send(()).unwrap();
    });
    home.transaction(|_| Ok::<_, HomeError>(())).unwrap();
}
