//! What a fetch may cost, and that nothing of it stays when it ends early.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::git::left_nothing_of_the_fetch;
use crate::support::{Answer, GitHost, Package, Repository, Run, Sandbox, spawn};

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(30);
const MIB: usize = 1024 * 1024;

fn install(sandbox: &Sandbox, source: &str) -> Run {
    sandbox.run(&["plugin", "install", "--cacert", "ca.pem", source])
}

#[track_caller]
fn refused(repository: &Repository, exit: u8, says: &str) {
    let host = GitHost::of(repository);
    let sandbox = host.sandbox();
    install(&sandbox, &host.source(""))
        .exit(exit)
        .stderr_contains(says);
    sandbox.wrote_nothing();
    left_nothing_of_the_fetch(&sandbox);
    no_process_works_in(sandbox.home());
}

/// Processes whose folder is below this one.
fn workers(folder: &Path) -> Vec<String> {
    let folder = folder.canonicalize().unwrap();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter(|process| {
            fs::read_link(process.path().join("cwd")).is_ok_and(|place| {
                place.starts_with(&folder)
                    && fs::read(process.path().join("cmdline"))
                        .is_ok_and(|line| line.starts_with(b"/") || line.starts_with(b"git"))
            })
        })
        .map(|process| process.file_name().to_string_lossy().into_owned())
        .collect()
}

/// None is left, or is soon: a process that was killed ends when the system gets to it.
#[track_caller]
fn no_process_works_in(folder: &Path) {
    let end = Instant::now() + PATIENCE;
    while !workers(folder).is_empty() && Instant::now() < end {
        std::thread::yield_now();
    }
    let workers = workers(folder);
    assert!(workers.is_empty(), "still running: {workers:?}");
}

#[test]
fn a_package_over_its_limits_is_refused_before_its_files_are_read() {
    let package = Package::every_case();
    let repository = Repository::with(&package, "");
    fs::write(repository.work().join("zeros"), vec![0; 17 * MIB]).unwrap();
    repository.commit();
    refused(&repository, 78, "at most 16777216 bytes: zeros");

    let repository = Repository::with(&package, "");
    for name in ["a", "b", "c", "d", "e"] {
        fs::write(
            repository.work().join(name),
            vec![name.as_bytes()[0]; 15 * MIB],
        )
        .unwrap();
    }
    repository.commit();
    refused(&repository, 78, "at most 67108864 bytes in all");

    let repository = Repository::with(&package, "");
    let blob = repository.blob(b"text");
    let mut lines = repository.tree("");
    lines.extend((0..4_096).map(|number| format!("100644 blob {blob}\tf{number}")));
    repository.commit_tree(&lines);
    refused(&repository, 78, "at most 4096 files and folders");

    let repository = Repository::with(&package, "");
    let deep = repository.work().join(["d"; 16].join("/"));
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("file"), "text").unwrap();
    repository.commit();
    refused(&repository, 78, "at most 16 deep");
}

#[test]
fn a_repository_that_is_larger_than_the_bound_is_left_half_way() {
    let repository = Repository::with(&Package::every_case(), "");
    repository.git(&["config", "core.compression", "0"]);
    repository.git(&["config", "core.bigFileThreshold", "1"]);
    // Bytes that no compression makes smaller, by a generator of Marsaglia's (xorshift).
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut bytes = Vec::with_capacity(132 * MIB);
    while bytes.len() < 132 * MIB {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    fs::create_dir(repository.work().join("beside")).unwrap();
    fs::write(repository.work().join("beside/noise"), bytes).unwrap();
    repository.commit();
    refused(&repository, 78, "more than 134217728 bytes on the disk");
}

/// A host that says nothing once it was asked for this, and the event of being asked.
fn silent(repository: &Repository, at: &'static str) -> (GitHost, Receiver<()>) {
    let (asked, event) = channel();
    let host = GitHost::answering(repository, move |path| match path.contains(at) {
        true => {
            let _ = asked.send(());
            Answer::Silence
        }
        false => Answer::Git,
    });
    (host, event)
}

#[test]
fn a_server_that_goes_silent_is_left_in_time() {
    let repository = Repository::with(&Package::every_case(), "");
    let commit = repository.git(&["rev-parse", "HEAD"]);
    for (at, tail) in [
        ("/info/refs", String::new()),
        ("/git-upload-pack", format!("#{commit}")),
    ] {
        let (host, _event) = silent(&repository, at);
        let sandbox = host.sandbox();
        let source = host.source(&tail);
        let start = Instant::now();
        sandbox
            .run(&[
                "plugin",
                "install",
                "--timeout",
                "1",
                "--cacert",
                "ca.pem",
                &source,
            ])
            .exit(75)
            .stderr_contains("took longer than 1 s")
            .stderr_contains("--timeout");
        assert!(start.elapsed() < PATIENCE);
        sandbox.wrote_nothing();
        left_nothing_of_the_fetch(&sandbox);
        no_process_works_in(sandbox.home());
    }
}

#[test]
fn a_time_that_is_no_time_is_refused() {
    for time in ["0", "3601", "-1", "soon"] {
        Sandbox::new()
            .run(&[
                "plugin",
                "install",
                &format!("--timeout={time}"),
                "git+https://x.test/r",
            ])
            .exit(2);
    }
}

/// An install that waits for a server that says nothing.
fn waiting(sandbox: &Sandbox, host: &GitHost, event: &Receiver<()>) -> Child {
    let source = host.source("");
    let child = spawn(&mut sandbox.command(&["plugin", "install", "--cacert", "ca.pem", &source]));
    event.recv_timeout(PATIENCE).unwrap();
    child
}

fn fetch_folders(sandbox: &Sandbox) -> usize {
    let entries = fs::read_dir(sandbox.state()).unwrap();
    entries
        .filter(|entry| {
            entry
                .as_ref()
                .unwrap()
                .file_name()
                .to_string_lossy()
                .starts_with(".fetch")
        })
        .count()
}

#[test]
fn a_signal_that_asks_to_end_during_the_fetch_leaves_nothing() {
    let repository = Repository::with(&Package::every_case(), "");
    let (host, event) = silent(&repository, "/info/refs");
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let sandbox = host.sandbox();
        let mut child = waiting(&sandbox, &host, &event);
        let working = workers(sandbox.home());
        assert!(!working.is_empty(), "git works below the home");
        for process in working {
            let limits = fs::read_to_string(format!("/proc/{process}/limits")).unwrap();
            let bound = limits
                .lines()
                .find(|line| line.starts_with("Max file size"));
            // The program itself stands in the home too.
            assert!(
                process == child.id().to_string()
                    || bound.is_some_and(|line| line.contains("134217728")),
                "{bound:?}"
            );
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal:?}");
        sandbox.wrote_nothing();
        left_nothing_of_the_fetch(&sandbox);
        no_process_works_in(sandbox.home());
    }
}

#[test]
fn a_killed_fetch_is_swept_by_the_next_change_and_a_living_one_is_not() {
    let package = Package::every_case();
    let repository = Repository::with(&package, "");
    let (host, event) = silent(&repository, "/info/refs");
    let sandbox = host.sandbox();
    let mut child = waiting(&sandbox, &host, &event);
    sandbox.install(&package).exit(0);
    assert_eq!(
        fetch_folders(&sandbox),
        1,
        "another writer leaves a living fetch alone"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(
        fetch_folders(&sandbox),
        1,
        "a killed process cannot clean up"
    );
    sandbox.run(&["plugin", "uninstall", Package::NAME]).exit(0);
    left_nothing_of_the_fetch(&sandbox);
    // The server goes away, and with it what still waited for it.
    drop(host);
    no_process_works_in(sandbox.home());
}

/// A pack of one blob that never ends, in pieces of 4 KiB and at some 40 KiB a second: too fast to
/// count as silent, too slow for the disk to be noticed.
fn trickle(out: &mut dyn Write) -> io::Result<()> {
    fn packet(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
        write!(out, "{:04x}", bytes.len() + 4)?;
        out.write_all(bytes)?;
        out.flush()
    }
    out.write_all(
        b"HTTP/1.1 200 Reply\r\nconnection: close\r\ncontent-type: application/x-git-upload-pack-result\r\n\r\n",
    )?;
    packet(out, b"packfile\n")?;
    // One object; a blob of 2 GiB; zlib with stored blocks (RFC 1950, RFC 1951 3.2.4).
    packet(
        out,
        b"\x01PACK\0\0\0\x02\0\0\0\x01\xb0\x80\x80\x80\x80\x01\x78\x01",
    )?;
    let mut piece = b"\x01\0\0\x10\xff\xef".to_vec();
    piece.resize(6 + 4_096, b'x');
    // The pace is the attack. It ends when the client is gone.
    let (_never, pace) = channel::<()>();
    loop {
        packet(out, &piece)?;
        let _ = pace.recv_timeout(Duration::from_millis(100));
    }
}

#[test]
fn a_server_that_trickles_is_left_in_time() {
    let repository = Repository::with(&Package::every_case(), "");
    let commit = repository.git(&["rev-parse", "HEAD"]);
    let (asked, event) = channel();
    let host = GitHost::answering(&repository, move |path| match path {
        "/demo.git/git-upload-pack" => {
            let _ = asked.send(());
            Answer::Stream(trickle)
        }
        _ => Answer::Git,
    });
    let sandbox = host.sandbox();
    let source = host.source(&format!("#{commit}"));
    sandbox
        .run(&[
            "plugin",
            "install",
            "--timeout",
            "2",
            "--cacert",
            "ca.pem",
            &source,
        ])
        .exit(75)
        .stderr_contains("took longer than 2 s");
    event.try_recv().unwrap();
    sandbox.wrote_nothing();
    left_nothing_of_the_fetch(&sandbox);
    no_process_works_in(sandbox.home());
}
