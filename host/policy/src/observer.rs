//! What a run tells about itself, as plain data.

use std::sync::Arc;

use serde::Serialize;

use crate::untrusted::UntrustedText;

/// How the policy decided about a host call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// It went through.
    Allowed,
    /// The policy said no.
    Denied,
    /// It went through and did not work.
    Failed,
}

impl Decision {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Denied => "denied",
            Self::Failed => "failed",
        }
    }
}

/// One host call of a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostCall<'a> {
    /// Interface and function: `fetch.send`.
    pub function: &'a str,
    /// How it ended.
    pub decision: Decision,
    /// The rule that decided, when it was denied.
    pub rule: Option<&'a str>,
    /// What it was about, redacted: method and URL, a pointer. May be empty.
    pub subject: &'a str,
    /// Microseconds it took.
    pub micros: u64,
    /// Bytes of the reply's body that the component got; 0 for a call without one.
    pub bytes: u64,
}

/// What a run's host calls come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Calls.
    pub calls: u64,
    /// Those the policy refused.
    pub denied: u64,
    /// Bytes of replies' bodies.
    pub bytes: u64,
}

/// Weight of a log line; the order is the contract's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Every step.
    Trace,
    /// For the author.
    Debug,
    /// For the person.
    Info,
    /// Something is odd.
    Warn,
    /// Something failed.
    Error,
}

impl LogLevel {
    /// The level in a log line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// How far a component says it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Units done.
    pub done: u64,
    /// Units in all, when it knows.
    pub total: Option<u64>,
    /// What it is doing.
    pub label: UntrustedText,
}

/// Sees every host call, log line and progress report of a run. Must not block.
pub trait Observer: Send + Sync {
    /// A host call ended.
    fn host_call(&self, call: &HostCall<'_>) {
        let _ = call;
    }

    /// The component logged a line.
    fn log(&self, level: LogLevel, message: &UntrustedText) {
        let _ = (level, message);
    }

    /// Whether a line of this level would be seen.
    fn log_enabled(&self, level: LogLevel) -> bool {
        let _ = level;
        false
    }

    /// The component reported progress.
    fn progress(&self, progress: &Progress) {
        let _ = progress;
    }
}

/// Sees nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// Several who see the same run.
#[derive(Clone)]
pub struct Several(pub Vec<Arc<dyn Observer>>);

impl Observer for Several {
    fn host_call(&self, call: &HostCall<'_>) {
        self.0.iter().for_each(|one| one.host_call(call));
    }

    fn log(&self, level: LogLevel, message: &UntrustedText) {
        self.0.iter().for_each(|one| one.log(level, message));
    }

    fn log_enabled(&self, level: LogLevel) -> bool {
        self.0.iter().any(|one| one.log_enabled(level))
    }

    fn progress(&self, progress: &Progress) {
        self.0.iter().for_each(|one| one.progress(progress));
    }
}

/// How a run ended: what a journal line holds. No argument, URL, row or page text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Name of the plugin.
    pub site: String,
    /// Name of the command.
    pub command: String,
    /// `ok`, or the outcome word of the failure table.
    pub outcome: String,
    /// Code of the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Rule of the denial.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Exit code.
    pub exit: u8,
    /// Microseconds from call to answer.
    pub micros: u64,
    /// Rows returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// Its host calls.
    #[serde(flatten)]
    pub tally: Tally,
}

/// What watched an action in a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Guard {
    /// Every connection of the browser.
    Network,
    /// Every request the browser reported.
    Browser,
    /// Nothing.
    None,
}

/// What was verified about an action in a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// `exact`, `scrolled` or `retargeted`.
    pub how: String,
    /// A covering element, or a dialog that opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// Whether the page went elsewhere.
    pub moved: bool,
    /// What watched it.
    pub guard: Guard,
}
