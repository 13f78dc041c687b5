//! A finished run of the program, and what can be asserted about it.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use testsuite::cases;
use wait4::Wait4 as _;

use super::read_yaml;

/// No run of the program may take longer; the slowest wait in it is far shorter.
const LONGEST: Duration = Duration::from_secs(90);

/// How a run ended and what it said.
#[derive(Debug)]
pub(crate) struct Run {
    line: String,
    code: Option<i32>,
    peak: u64,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Runs to the end, or kills it and fails.
    pub(crate) fn of(command: &mut Command) -> Self {
        Self::within(LONGEST, command)
    }

    /// The same for a run that may take longer.
    pub(crate) fn within(longest: Duration, command: &mut Command) -> Self {
        let line = format!("{command:?}");
        let mut child = spawn(command);
        let stdout = read_to_end(child.stdout.take().unwrap());
        let stderr = read_to_end(child.stderr.take().unwrap());
        let streams = stdout
            .recv_timeout(longest)
            .and_then(|stdout| Ok((stdout, stderr.recv_timeout(longest)?)));
        let Ok((stdout, stderr)) = streams else {
            let _ = child.kill();
            panic!("still running after {longest:?}: {line}");
        };
        let ended = child.wait4().unwrap();
        Self {
            line,
            code: ended.status.code(),
            peak: ended.rusage.maxrss,
            stdout,
            stderr,
        }
    }

    /// A run that a test started itself.
    pub(crate) fn ended(arguments: &[&str], output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            line: arguments.join(" "),
            code: output.status.code(),
            peak: 0,
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// A run that a test started and waited for by itself.
    pub(crate) fn waited(status: ExitStatus, stderr: &str) -> Self {
        Self {
            line: "a run of its own".to_owned(),
            code: status.code(),
            peak: 0,
            stdout: String::new(),
            stderr: stderr.to_owned(),
        }
    }

    /// Ended with this code.
    #[track_caller]
    pub(crate) fn exit(self, wanted: u8) -> Self {
        assert_eq!(self.code, Some(i32::from(wanted)), "{}", self.told());
        self
    }

    /// Ended with another code than 0, and not by a signal or a panic.
    #[track_caller]
    pub(crate) fn refused(self) -> Self {
        assert!(
            self.code.is_some_and(|code| code != 0 && code != 101),
            "{}",
            self.told()
        );
        self
    }

    pub(crate) fn ended_with(&self, code: i32) -> bool {
        self.code == Some(code)
    }

    /// Neither it nor a process it waited for ever held more memory than this many bytes.
    #[track_caller]
    pub(crate) fn peak_below(self, bytes: u64) -> Self {
        assert!(
            self.peak < bytes,
            "{} bytes, limit {bytes}: {}",
            self.peak,
            self.told()
        );
        self
    }

    /// The exit code; none when a signal ended it.
    pub(crate) fn exit_code(&self) -> Option<i32> {
        self.code
    }

    /// Whether it ended with 0.
    pub(crate) fn succeeded(&self) -> bool {
        self.code == Some(0)
    }

    /// Ended with the exit code and showed the text that the table of cases demands for this id.
    #[track_caller]
    pub(crate) fn proves(self, id: &str) -> Self {
        let case = cases::case(id).unwrap_or_else(|| panic!("no case {id} in documents/cases"));
        let wanted = case
            .exit
            .unwrap_or_else(|| panic!("{id} is proved by a library test"));
        assert_eq!(self.code, Some(i32::from(wanted)), "{id}: {}", self.told());
        let shown = self.stdout.contains(case.text) || self.stderr.contains(case.text);
        assert!(shown, "{id}: {:?} is not shown: {}", case.text, self.told());
        self
    }

    #[track_caller]
    pub(crate) fn stdout_contains(self, text: &str) -> Self {
        assert!(
            self.stdout.contains(text),
            "no {text:?} on stdout: {}",
            self.told()
        );
        self
    }

    #[track_caller]
    pub(crate) fn stderr_contains(self, text: &str) -> Self {
        assert!(
            self.stderr.contains(text),
            "no {text:?} on stderr: {}",
            self.told()
        );
        self
    }

    /// In neither stream.
    #[track_caller]
    pub(crate) fn lacks(self, text: &str) -> Self {
        let shown = self.stdout.contains(text) || self.stderr.contains(text);
        assert!(!shown, "{text:?} is shown: {}", self.told());
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("stdout is not JSON: {error}: {}", self.told()))
    }

    /// Standard output as one YAML document.
    #[track_caller]
    pub(crate) fn yaml(&self) -> Value {
        let mut documents = read_yaml(&self.stdout);
        assert_eq!(documents.len(), 1, "{}", self.told());
        documents.remove(0)
    }

    /// The `error` object of a run with `-f json`.
    #[track_caller]
    pub(crate) fn error(&self) -> Value {
        // Warnings before it are objects on one line each.
        let start = if self.stderr.starts_with("{\n") {
            Some(0)
        } else {
            self.stderr.find("\n{\n").map(|place| place + 1)
        };
        let text = start.map_or("", |start| &self.stderr[start..]);
        let value: Value = serde_json::from_str(text)
            .unwrap_or_else(|error| panic!("no JSON error on stderr: {error}: {}", self.told()));
        assert_eq!(value["ok"], false, "{}", self.told());
        assert_eq!(
            value["error"]["exit"].as_i64(),
            self.code.map(i64::from),
            "the error names another exit code: {}",
            self.told()
        );
        value["error"].clone()
    }

    fn told(&self) -> String {
        format!(
            "{}\nexit {:?}\n-- stdout\n{}\n-- stderr\n{}",
            self.line, self.code, self.stdout, self.stderr
        )
    }
}

/// Starts the program with both streams piped and nothing to read.
pub(crate) fn spawn(command: &mut Command) -> Child {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    match command.spawn() {
        Ok(child) => child,
        Err(error) => panic!("cannot start {command:?}: {error}"),
    }
}

fn read_to_end(mut stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}
