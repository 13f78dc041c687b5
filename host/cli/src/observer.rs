//! What `-v` shows while a command runs.

use std::sync::atomic::{AtomicUsize, Ordering};

use sr_policy::UntrustedText;
use sr_policy::observer::{HostCall, LogLevel, Observer, Outcome, Progress, Tally};

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
            let subject = UntrustedText::from(call.subject).one_line(LINE_CHARS);
            call_line(call, &subject)
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

/// Function, decision and time in columns; what differs in length comes after them.
fn call_line(call: &HostCall<'_>, subject: &str) -> String {
    let rule = call.rule.map(|rule| format!("rule {rule}"));
    let rest = [subject, rule.as_deref().unwrap_or_default()];
    let rest: Vec<&str> = rest.into_iter().filter(|part| !part.is_empty()).collect();
    let line = format!(
        "{:<18} {:<7} {:>9} us  {}",
        call.function,
        call.decision.name(),
        call.micros,
        rest.join("  ")
    );
    line.trim_end().to_owned()
}

/// The last line about a run: how it ended, what it did, where its code came from, how long.
pub(crate) fn summary(outcome: &Outcome, code: &str) -> String {
    let Tally {
        calls,
        denied,
        bytes,
    } = outcome.tally;
    let rule = outcome.rule.as_ref().map(|rule| format!(" rule {rule},"));
    let rows = outcome.rows.map(|rows| format!(", {rows} rows"));
    format!(
        "[run] {},{} exit {}: {calls} calls, {denied} denied, {bytes} bytes{}; code {code}; {}.{:03} ms",
        outcome.code.as_deref().unwrap_or(&outcome.outcome),
        rule.unwrap_or_default(),
        outcome.exit,
        rows.unwrap_or_default(),
        outcome.micros / 1_000,
        outcome.micros % 1_000,
    )
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
    use sr_policy::observer::Decision;

    #[test]
    fn calls_stand_in_columns_with_decision_time_and_rule() {
        let call = |function, decision, rule, micros| HostCall {
            function,
            decision,
            rule,
            subject: "",
            micros,
            bytes: 0,
        };
        let good = call("sitedata.get", Decision::Allowed, None, 7);
        assert_eq!(
            call_line(&good, "/version"),
            "sitedata.get       allowed         7 us  /version"
        );
        let bad = call("fetch.send", Decision::Denied, Some("allowlist"), 12_345);
        assert_eq!(
            call_line(&bad, "GET https://evil.test/"),
            "fetch.send         denied      12345 us  GET https://evil.test/  rule allowlist"
        );
        let bare = call("task.pause", Decision::Failed, None, 1);
        assert_eq!(
            call_line(&bare, ""),
            "task.pause         failed          1 us"
        );
    }

    #[test]
    fn the_summary_counts_calls_and_says_where_the_code_came_from() {
        let mut outcome = Outcome {
            site: "demo".into(),
            command: "cells".into(),
            outcome: "ok".into(),
            code: None,
            rule: None,
            exit: 0,
            micros: 2_048,
            rows: Some(3),
            tally: Tally {
                calls: 4,
                denied: 1,
                bytes: 5_120,
            },
        };
        assert_eq!(
            summary(&outcome, "from the store; compiled 0 times"),
            "[run] ok, exit 0: 4 calls, 1 denied, 5120 bytes, 3 rows; code from the store; compiled 0 times; 2.048 ms"
        );
        outcome.code = Some("DOMAIN_NOT_ALLOWED".into());
        outcome.rule = Some("allowlist".into());
        outcome.rows = None;
        outcome.exit = 68;
        assert!(
            summary(&outcome, "")
                .starts_with("[run] DOMAIN_NOT_ALLOWED, rule allowlist, exit 68: "),
        );
    }

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
