//! The driver of a machine, on a folder that stands for its root: real files, links, pipes and
//! sockets, and none of the machine that runs the tests.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by a panic"
)]

use std::ffi::OsString;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use sr_discovery::native::{RUN, System, run};
use sr_discovery::{Core, Machine, Os, Report, Source, What, explain::Outcome};
use tempfile::TempDir;

/// A machine below a folder.
struct FakeMachine {
    root: TempDir,
    machine: Machine,
}

impl FakeMachine {
    fn new() -> Self {
        let mut machine = Machine::new(Os::Linux);
        machine.home = Some("/home/me".to_owned());
        machine.options.sources = Source::ALL[..4].to_vec();
        Self {
            root: TempDir::new().unwrap(),
            machine,
        }
    }

    fn put(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn run(&self) -> Report {
        let system = System {
            search: OsString::from(self.root.path().join("usr/bin")),
            proc: Some(self.root.path().join("proc")),
            home: None,
            root: self.root.path().canonicalize().unwrap(),
        };
        let core = Core::new(sr_browsers::catalog()).unwrap();
        let start = Instant::now();
        let report = run(&core, &self.machine, &system).unwrap();
        assert!(start.elapsed() < RUN + Duration::from_secs(5));
        report
    }
}

fn ids(report: &Report) -> Vec<&str> {
    report
        .entries
        .iter()
        .map(|entry| entry.id.as_str())
        .collect()
}

fn outcome(report: &Report, place: &str) -> Outcome {
    let note = report.notes.iter().find(|note| note.place == place);
    note.unwrap_or_else(|| panic!("{place}: {:?}", report.notes))
        .outcome
}

/// A peer that does this with each connection.
fn peer(answer: impl Fn(TcpStream) + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            answer(stream);
        }
    });
    port
}

/// A browser with this path of its WebSocket. It answers requests for an address alone.
fn browser(path: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = [0; 4_096];
            let read = stream.read(&mut head).unwrap_or(0);
            let head = String::from_utf8_lossy(&head[..read]).into_owned();
            let is_address = head
                .to_lowercase()
                .contains(&format!("host: 127.0.0.1:{port}\r\n"));
            let body = match head.split(' ').nth(1) {
                Some("/json/version") if is_address => format!(
                    r#"{{"Browser":"Chrome/150.0.1.2","User-Agent":"X Chrome/150.0.0.0","webSocketDebuggerUrl":"ws://127.0.0.1:{port}{path}"}}"#
                ),
                Some("/json/list") if is_address => {
                    r#"[{"id":"A","type":"page","url":"https://example.com/","title":"x"}]"#
                        .to_owned()
                }
                _ => continue,
            };
            let length = body.len();
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}"
            );
        }
    });
    port
}

/// A port that nobody listens on.
fn closed() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

#[test]
fn files_flags_and_processes_lead_to_browsers_and_stale_ones_do_not() {
    let mut machine = FakeMachine::new();
    let live = browser("/devtools/browser/live");
    let chrome = "home/me/.config/google-chrome/DevToolsActivePort";
    machine.put(chrome, format!("{live}\n/devtools/browser/live\n"));
    let seven = "home/me/.config/slicc/seven-profiles";
    machine.put(
        &format!("{seven}/old/DevToolsActivePort"),
        format!("{live}\n/devtools/browser/old"),
    );
    machine.put(
        &format!("{seven}/gone/DevToolsActivePort"),
        format!("{}\n/devtools/x", closed()),
    );
    let started = browser("/devtools/browser/started");
    machine.put(
        "proc/77/cmdline",
        format!(
            "/opt/my chrome/chrome\0--remote-debugging-port={started}\0--user-data-dir=/tmp/a b\0"
        ),
    );
    machine.put("proc/78/cmdline", "/usr/bin/vi\0");
    machine.put("proc/self/cmdline", "x");
    let named = browser("/devtools/browser/named");
    machine.machine.cdp = vec![
        format!("localhost:{named}"),
        format!("127.0.0.1:{}", closed()),
    ];
    machine.machine.options.tabs = true;
    let report = machine.run();
    let mut wanted = [live, started, named].map(|port| format!("cdp:127.0.0.1:{port}"));
    let mut found = ids(&report);
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
    for entry in &report.entries {
        let What::Endpoint(endpoint) = &entry.what else {
            panic!("{entry:?}");
        };
        assert_eq!(endpoint.tabs.as_ref().unwrap().len(), 1);
        match endpoint.source {
            Source::DevtoolsActivePort => assert_eq!(endpoint.browser.as_deref(), Some("chrome")),
            Source::Process => assert_eq!(endpoint.user_data_dir.as_deref(), Some("/tmp/a b")),
            source => assert_eq!(source, Source::Flag),
        }
    }
    for stale in ["old", "gone"] {
        let place = format!("/{seven}/{stale}/DevToolsActivePort");
        assert_eq!(outcome(&report, &place), Outcome::Stale, "{stale}");
    }
}

#[test]
fn peers_that_are_silent_close_or_speak_something_else_cost_their_time_once() {
    let mut machine = FakeMachine::new();
    let silent = |stream: TcpStream| {
        thread::sleep(Duration::from_secs(20));
        drop(stream);
    };
    let silent: Vec<u16> = (0..20).map(|_| peer(silent)).collect();
    let closing = peer(drop);
    let garbage = peer(|mut stream: TcpStream| {
        let _ = stream.write_all(b"SSH-2.0-x\r\n");
    });
    let file = |port: u16| format!("{port}\n/devtools/browser/x\n");
    machine.put(
        "home/me/.config/google-chrome/DevToolsActivePort",
        file(silent[0]),
    );
    machine.put("home/me/.config/chromium/DevToolsActivePort", file(closing));
    machine.put(
        "home/me/.config/microsoft-edge/DevToolsActivePort",
        file(garbage),
    );
    machine.machine.cdp = silent[1..].iter().map(ToString::to_string).collect();
    let start = Instant::now();
    let report = machine.run();
    assert!(start.elapsed() >= Duration::from_millis(900));
    // One after the other they would take 20 s.
    assert!(
        start.elapsed() < Duration::from_secs(8),
        "{:?}",
        start.elapsed()
    );
    let ws_only = report
        .entries
        .iter()
        .filter(|entry| matches!(&entry.what, What::Endpoint(endpoint) if endpoint.ws_only));
    assert_eq!(ws_only.count(), 3, "{:?}", report.entries);
    assert_eq!(report.entries.len(), 3);
    for port in &silent[1..] {
        assert_eq!(outcome(&report, &port.to_string()), Outcome::NotABrowser);
    }
}

#[test]
fn what_is_no_file_is_not_waited_for_and_links_lead_to_six() {
    let machine = FakeMachine::new();
    let root = machine.root.path();
    let pipe = root.join("home/me/.config/google-chrome");
    fs::create_dir_all(&pipe).unwrap();
    let pipe = pipe.join("DevToolsActivePort");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
    fs::create_dir_all(root.join("home/me/.config/chromium/DevToolsActivePort")).unwrap();
    let own = browser("/devtools/browser/six");
    let six = "home/me/.local/state/slicc/profiles/browser-coding-agent-chrome";
    machine.put(&format!("{six}/DevToolsActivePort"), "1\n/x");
    let seven = root.join("home/me/.config/slicc/seven-profiles");
    fs::create_dir_all(&seven).unwrap();
    symlink(root.join(six), seven.join("friend")).unwrap();
    machine.put(
        &format!("{six}/DevToolsActivePort"),
        format!("{own}\n/devtools/browser/six\n"),
    );
    let report = machine.run();
    assert_eq!(ids(&report), [format!("cdp:127.0.0.1:{own}")]);
    assert!(report.entries[0].is_six(), "{:?}", report.entries);
    assert!(report.auto().is_none());
    let place = "/home/me/.config/google-chrome/DevToolsActivePort";
    assert_eq!(outcome(&report, place), Outcome::Denied);
}

#[test]
fn installed_browsers_are_found_with_their_versions() {
    let mut machine = FakeMachine::new();
    machine.machine.options.sources = vec![Source::Installed];
    let program = |path: &str| {
        machine.put(path, "#!/bin/sh\n");
        let path = machine.root.path().join(path);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    program("opt/google/chrome/chrome");
    fs::create_dir_all(machine.root.path().join("usr/bin")).unwrap();
    let link = machine.root.path().join("usr/bin/google-chrome-stable");
    symlink(machine.root.path().join("opt/google/chrome/chrome"), &link).unwrap();
    machine.put("var/lib/dpkg/info/google-chrome-stable.list", "/.\n");
    machine.put(
        "var/lib/dpkg/status",
        "Package: google-chrome-stable\nStatus: install ok installed\nVersion: 1:150.0.1.2-1\n\n",
    );
    machine.put(
        "snap/chromium/current/meta/snap.yaml",
        "name: chromium\nversion: '149.0'\n",
    );
    let report = machine.run();
    let found: Vec<(&str, Option<&str>)> = report
        .entries
        .iter()
        .map(|entry| (entry.id.as_str(), entry.version.as_deref()))
        .collect();
    assert_eq!(
        found,
        [("chrome", Some("150.0.1.2")), ("chromium", Some("149.0"))]
    );
    let What::Installed(chrome) = &report.entries[0].what else {
        panic!("{:?}", report.entries[0]);
    };
    assert_eq!(chrome.executable, "/usr/bin/google-chrome-stable");
    assert_eq!(chrome.path, "/opt/google/chrome/chrome");
}
