//! Every system call with which a command changes the home, failing once: afterwards the home is
//! as it was or as it should be, nothing lies beside it, and the message says what happened.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use crate::support::faults::{Point, points, with_fault};
use crate::support::{Guest, Package, Run, Sandbox, machine};

/// No wait of these commands is longer than that for the lock.
const BOUND: Duration = Duration::from_secs(15);
/// Open files with which a process starts and cannot install.
const FEW_FILES: usize = 8;
/// The plugin that is there before and after, whatever happens to the other one.
const OTHER: &str = "other";

/// A command that changes the home, and the home before it.
struct Change {
    before: Sandbox,
    words: Vec<String>,
    sources: Vec<PathBuf>,
    _packages: Vec<Package>,
}

impl Change {
    fn new(install: &[&str], words: impl Fn(&Package) -> Vec<String>) -> Self {
        let other = Package::small().named(OTHER);
        let demo = Package::small();
        let before = Sandbox::new();
        before
            .run(&["plugin", "install", &other.url(), "--copy"])
            .exit(0);
        if !install.is_empty() {
            let url = demo.url();
            before
                .run(&[&["plugin", "install", &url], install].concat())
                .exit(0);
            demo.put("notes.txt", "of the next version");
        }
        Self {
            before,
            words: words(&demo),
            sources: vec![demo.path()],
            _packages: vec![other, demo],
        }
    }

    fn arguments(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }

    /// The home as it was before, in a folder of its own.
    fn home(&self) -> Sandbox {
        let home = Sandbox::new();
        let copied = Command::new("cp")
            .arg("-a")
            .arg(self.before.state())
            .arg(home.home())
            .status();
        assert!(copied.unwrap().success());
        home
    }

    /// Tries every fault at every call.
    fn survives(&self, id: &str) {
        if !machine::has("strace") {
            return;
        }
        let arguments = self.arguments();
        let old = state(&self.before);
        let home = self.home();
        let mut folders: Vec<&Path> = self.sources.iter().map(PathBuf::as_path).collect();
        let place = home.home().to_owned();
        folders.push(&place);
        let points = points(&home, &arguments, &folders);
        let new = state(&home);
        assert_ne!(old, new);
        assert!(points.len() > 20, "{} calls", points.len());
        for point in &points {
            for fault in point.faults() {
                self.survives_one(&arguments, point, fault, [&old, &new]);
            }
        }
        home.run(&["plugin", "verify"]).proves(id);
    }

    fn survives_one(
        &self,
        arguments: &[&str],
        point: &Point,
        fault: &str,
        [old, new]: [&State; 2],
    ) {
        let at = format!("{arguments:?}: {fault} at {}", point.text);
        let home = self.home();
        let start = Instant::now();
        let run = with_fault(&home, arguments, point, fault);
        assert!(start.elapsed() < BOUND, "{at}: {:?}", start.elapsed());
        let was_killed = fault.starts_with("signal");
        if was_killed {
            // A killed change is finished or undone by the next one; until then nothing of it
            // may be shown as whole when it is not.
            home.run(&["plugin", "list"]).exit(0);
        } else {
            check(&run, &at);
            let after = state(&home);
            match run.succeeded() {
                true => assert_eq!(&after, new, "{at}"),
                false => assert!(
                    &after == old || &after == new,
                    "{at}: neither old nor new: {after:?}\n{}",
                    run.stderr
                ),
            }
            let left = leftovers(&home);
            assert!(left.is_empty(), "{at}: left: {left:?}");
        }
        // The next change settles what a killed one left; a store's file must be old enough to be
        // nobody's.
        for left in leftovers(&home) {
            let file = fs::File::options().write(true).open(&left);
            file.and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH))
                .ok();
        }
        home.run(&["plugin", "update", OTHER]).exit(0);
        let settled = state(&home);
        assert!(
            &settled == old || &settled == new,
            "{at}: not settled: {settled:?}"
        );
        let left = leftovers(&home);
        assert!(left.is_empty(), "{at}: left for good: {left:?}");
        if &settled == old {
            home.run(arguments).exit(0);
            assert_eq!(&state(&home), new, "{at}: not possible afterwards");
        }
    }
}

/// It said what happened: an error with its code, no panic.
#[track_caller]
fn check(run: &Run, at: &str) {
    assert!(!run.stderr.contains("panicked at"), "{at}: {run:?}");
    if !run.succeeded() {
        assert!(run.stderr.contains("error: "), "{at}: {run:?}");
        assert!(run.exit_code().is_some(), "{at}: {run:?}");
    }
}

/// What `plugin verify` says of the whole home: each plugin with its hash, and the exit code.
type State = (Option<i32>, String);

fn state(home: &Sandbox) -> State {
    let run = home.run(&["plugin", "verify"]);
    (run.exit_code(), run.stdout)
}

/// Files and folders that only a change in progress has.
fn leftovers(home: &Sandbox) -> Vec<String> {
    let state = home.state();
    let folders = [
        state.clone(),
        state.join("plugins"),
        state.join("store"),
        state.join("store/aot"),
    ];
    let entries = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .map(|entry| entry.unwrap());
    entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with('.'))
        .map(|entry| entry.path().display().to_string())
        .collect()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn each_call_of_an_install_as_a_link_may_fail() {
    Change::new(&[], |demo| words(&["plugin", "install", &demo.url()]))
        .survives("fault-install-link");
}

#[test]
fn each_call_of_an_install_as_a_copy_may_fail() {
    Change::new(&[], |demo| {
        words(&["plugin", "install", &demo.url(), "--copy"])
    })
    .survives("fault-install-copy");
}

#[test]
fn each_call_of_an_update_may_fail() {
    Change::new(&["--copy"], |_| words(&["plugin", "update", Package::NAME]))
        .survives("fault-update");
}

#[test]
fn each_call_of_an_uninstall_may_fail() {
    Change::new(&["--copy"], |_| {
        words(&["plugin", "uninstall", Package::NAME])
    })
    .survives("fault-uninstall");
}

#[test]
fn each_call_that_writes_a_recording_may_fail() {
    if !machine::has("strace") {
        return;
    }
    let sandbox = Sandbox::with(&Package::small());
    let folder = sandbox.home().join("recordings");
    let place = folder.join("recording.json");
    let path = place.display().to_string();
    let arguments = [Package::NAME, Guest::COMMAND, "--record", &path];
    fs::create_dir(&folder).unwrap();
    let points = points(&sandbox, &arguments, &[&folder]);
    let is_new = |text: &str| text.contains("\"exchanges\"");
    assert!(is_new(&fs::read_to_string(&place).unwrap()));
    assert!(points.len() > 3, "{points:?}");
    for point in &points {
        for fault in point.faults() {
            if fault.contains("KILL") {
                continue;
            }
            let at = format!("{fault} at {}", point.text);
            fs::write(&place, "an earlier one").unwrap();
            let run = with_fault(&sandbox, &arguments, point, fault);
            check(&run, &at);
            let text = fs::read_to_string(&place).unwrap();
            match run.succeeded() {
                true => assert!(is_new(&text), "{at}: {text}"),
                false => assert!(text == "an earlier one" || is_new(&text), "{at}: {text}"),
            }
            let left = fs::read_dir(&folder).unwrap().count();
            assert_eq!(left, 1, "{at}");
        }
    }
    let replay = [Package::NAME, Guest::COMMAND, "--replay", &path, "-v"];
    sandbox.run(&arguments).exit(0);
    sandbox.run(&replay).proves("fault-record");
}

#[test]
fn a_process_that_may_open_few_files_says_so_and_changes_nothing() {
    if !machine::has("prlimit") {
        return;
    }
    let change = Change::new(&[], |demo| {
        words(&["plugin", "install", &demo.url(), "--copy"])
    });
    let (old, arguments) = (state(&change.before), change.arguments());
    let mut refused = 0;
    for files in 6..=24 {
        let home = change.home();
        let program = home.command(&arguments);
        let mut limited = Command::new("prlimit");
        limited
            .arg(format!("--nofile={files}:{files}"))
            .arg(program.get_program())
            .args(program.get_args())
            .env("HOME", home.home());
        let run = Run::of(&mut limited);
        let at = format!("{files} files");
        check(&run, &at);
        if !run.succeeded() {
            refused += 1;
            assert_eq!(state(&home), old, "{at}");
        }
        assert!(leftovers(&home).is_empty(), "{at}: {:?}", leftovers(&home));
        if files == FEW_FILES {
            run.proves("few-files");
        }
    }
    assert!(refused > 0, "no limit was too low");
}

#[test]
fn a_file_size_limit_that_cuts_a_write_short_is_an_error_and_changes_nothing() {
    let change = Change::new(&[], |demo| {
        words(&["plugin", "install", &demo.url(), "--copy"])
    });
    let (old, arguments) = (state(&change.before), change.arguments());
    let mut proved = 0;
    for blocks in [0, 1, 2, 4, 8, 16, 32, 64] {
        let home = change.home();
        let program = home.command(&arguments);
        let mut limited = Command::new("sh");
        // Without the signal the write is cut short, and the next one fails.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        limited
            .args(["-c", &script, "sh"])
            .arg(program.get_program())
            .args(program.get_args())
            .env("HOME", home.home());
        let run = Run::of(&mut limited);
        check(&run, &format!("{blocks} blocks"));
        if !run.succeeded() {
            assert!(run.stderr.contains("File too large"), "{run:?}");
            assert_eq!(state(&home), old, "{blocks} blocks");
        }
        assert!(leftovers(&home).is_empty(), "{blocks} blocks");
        // The lowest limits stop the engine before the home is touched.
        if run.exit_code() == Some(1) {
            run.proves("short-write");
            proved += 1;
        }
    }
    assert!(proved > 0, "no limit cut a write of the home");
}

#[test]
fn memory_that_the_system_refuses_leaves_the_home_whole() {
    if !machine::has("strace") {
        return;
    }
    let change = Change::new(&[], |demo| {
        words(&["plugin", "install", &demo.url(), "--copy"])
    });
    let (old, arguments) = (state(&change.before), change.arguments());
    let whole = change.home();
    whole.run(&arguments).exit(0);
    let new = state(&whole);
    // After the loader's own; a refused allocation of Rust's library aborts.
    for nth in (24..80).step_by(4) {
        let home = change.home();
        let run = with_fault(&home, &arguments, &Point::of("mmap", nth), "error=ENOMEM");
        assert!(!run.stderr.contains("panicked at"), "{nth}: {run:?}");
        home.run(&["plugin", "update", OTHER]).exit(0);
        let after = state(&home);
        match run.succeeded() {
            true => assert_eq!(after, new, "{nth}"),
            false => assert!(after == old || after == new, "{nth}: {after:?}"),
        }
    }
}
