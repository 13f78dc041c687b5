//! What `-v` shows while a command runs.

use sr_policy::UntrustedText;
use sr_policy::observer::{HostCall, LogLevel, Observer, Progress};

use crate::shell::Shell;

/// Characters of a log line that are shown.
const LINE_CHARS: usize = 4_096;

/// Prints host calls and log lines to stderr.
pub(crate) struct Verbose(pub(crate) Shell);

impl Observer for Verbose {
    fn host_call(&self, call: &HostCall<'_>) {
        let rule = call
            .rule
            .map(|rule| format!(" ({rule})"))
            .unwrap_or_default();
        let subject = UntrustedText::from(call.subject).one_line(LINE_CHARS);
        self.0.note(&format!(
            "[call] {} {:?}{rule} {subject} {} us",
            call.function, call.decision, call.micros
        ));
    }

    fn log(&self, level: LogLevel, message: &UntrustedText) {
        self.0.note(&format!(
            "[{}] {}",
            level.name(),
            message.one_line(LINE_CHARS)
        ));
    }

    fn log_enabled(&self, _: LogLevel) -> bool {
        true
    }

    fn progress(&self, progress: &Progress) {
        let total = progress
            .total
            .map(|total| format!("/{total}"))
            .unwrap_or_default();
        let label = progress.label.one_line(200);
        self.0
            .note(&format!("[progress] {}{total} {label}", progress.done));
    }
}
