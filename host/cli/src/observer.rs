//! What `-v` shows while a command runs.

use std::sync::atomic::{AtomicUsize, Ordering};

use sr_policy::UntrustedText;
use sr_policy::observer::{HostCall, LogLevel, Observer, Progress};

use crate::shell::Shell;

/// Characters of a log line that are shown.
const LINE_CHARS: usize = 4_096;
/// Host calls that are shown; a guest can make millions of the cheap ones.
const CALLS: usize = 2_000;
/// Progress lines that are shown.
const PROGRESS: usize = 1_000;

/// Prints host calls and log lines to stderr.
pub(crate) struct Verbose {
    shell: Shell,
    calls: Allowance,
    progress: Allowance,
}

impl Verbose {
    /// Nothing shown yet.
    pub(crate) fn new(shell: Shell) -> Self {
        Self {
            shell,
            calls: Allowance::new("call", CALLS),
            progress: Allowance::new("progress", PROGRESS),
        }
    }
}

impl Observer for Verbose {
    fn host_call(&self, call: &HostCall<'_>) {
        let line = self.calls.line(|| {
            let rule = call
                .rule
                .map(|rule| format!(" ({rule})"))
                .unwrap_or_default();
            let subject = UntrustedText::from(call.subject).one_line(LINE_CHARS);
            format!(
                "{} {:?}{rule} {subject} {} us",
                call.function, call.decision, call.micros
            )
        });
        if let Some(line) = line {
            self.shell.note(&line);
        }
    }

    fn log(&self, level: LogLevel, message: &UntrustedText) {
        self.shell.note(&format!(
            "[{}] {}",
            level.name(),
            message.one_line(LINE_CHARS)
        ));
    }

    fn log_enabled(&self, _: LogLevel) -> bool {
        true
    }

    fn progress(&self, progress: &Progress) {
        let line = self.progress.line(|| {
            let total = progress
                .total
                .map(|total| format!("/{total}"))
                .unwrap_or_default();
            format!("{}{total} {}", progress.done, progress.label.one_line(200))
        });
        if let Some(line) = line {
            self.shell.note(&line);
        }
    }
}

/// Lines of one kind that are still shown.
struct Allowance {
    kind: &'static str,
    most: usize,
    asked: AtomicUsize,
}

impl Allowance {
    fn new(kind: &'static str, most: usize) -> Self {
        Self {
            kind,
            most,
            asked: AtomicUsize::new(0),
        }
    }

    /// The line to show; the first one too many says that there are more.
    fn line(&self, made: impl FnOnce() -> String) -> Option<String> {
        let before = self.asked.fetch_add(1, Ordering::Relaxed);
        if before < self.most {
            Some(format!("[{}] {}", self.kind, made()))
        } else if before == self.most {
            Some(format!(
                "[{}] more than {} lines: the rest is left out",
                self.kind, self.most
            ))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_over_the_allowance_are_one_line_that_says_so() {
        let allowance = Allowance::new("call", 2);
        let shown: Vec<String> = (0..1_000)
            .filter_map(|number| allowance.line(|| number.to_string()))
            .collect();
        assert_eq!(
            shown,
            [
                "[call] 0",
                "[call] 1",
                "[call] more than 2 lines: the rest is left out"
            ]
        );
    }
}
