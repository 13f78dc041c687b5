//! What the host does about each failure: who retries, the exit code, the journal word, and
//! whether a person or agent may take over.

use std::fmt::Write as _;

use crate::exit;
use crate::failure::Failure;

/// One line of the failure table.
#[derive(Debug, Clone, Copy)]
pub struct FailureRow {
    /// The case of `types.failure`, with a remark where one case has several lines.
    pub failure: &'static str,
    /// What happens in a read command.
    pub read: &'static str,
    /// What happens in a write command before `commit`.
    pub write: &'static str,
    /// The exit code.
    pub exit: u8,
    /// The outcome word of the journal.
    pub outcome: &'static str,
    /// Who may take over where the command stopped.
    pub hand_over: &'static str,
}

const LAYOUT: &str = "layout-shaped: next strategy, at most three";
const NO_SWITCH: &str = "ends, never switches";

/// Every failure, in the order of the contract.
pub static FAILURE_TABLE: &[FailureRow] = &[
    row(
        "denied (site, address, header)",
        ["ends", "ends"],
        exit::DOMAIN_REFUSED,
        "env",
        "stop",
    ),
    row(
        "denied (capability, method, phase)",
        ["ends", "ends"],
        exit::AUTH,
        "env",
        "stop",
    ),
    row(
        "denied (limit)",
        ["ends", "ends"],
        exit::TRAPPED,
        "env",
        "stop",
    ),
    row(
        "login-wall",
        [
            "once confirmed: log in or ask a person, run once more",
            "before the first action: log in, go on; later: 75 AUTH_RESTORED",
        ],
        exit::AUTH,
        "auth",
        "a person",
    ),
    row("empty", [LAYOUT, NO_SWITCH], exit::EMPTY, "empty", "agent"),
    row(
        "selector-miss",
        [LAYOUT, NO_SWITCH],
        exit::GENERIC,
        "selector_miss",
        "agent",
    ),
    row(
        "timeout",
        [LAYOUT, NO_SWITCH],
        exit::TEMPORARY,
        "timeout",
        "agent",
    ),
    row(
        "stale",
        [LAYOUT, NO_SWITCH],
        exit::GENERIC,
        "crash",
        "agent",
    ),
    row(
        "busy",
        ["once more on an isolated tab, then 65", "ends at once"],
        exit::TEMPORARY,
        "env",
        "stop",
    ),
    row(
        "throttled",
        ["never retried", "never retried"],
        exit::TEMPORARY,
        "env",
        "never",
    ),
    row("invalid", ["ends", "ends"], exit::USAGE, "arg", "stop"),
    row(
        "unavailable",
        ["ends", "ends"],
        exit::UNAVAILABLE,
        "env",
        "stop",
    ),
    row(
        "cancelled",
        ["ends", "ends"],
        exit::INTERRUPTED,
        "env",
        "stop",
    ),
    row(
        "other (retryable)",
        [LAYOUT, NO_SWITCH],
        exit::GENERIC,
        "crash",
        "agent",
    ),
    row("other", ["ends", "ends"], exit::GENERIC, "crash", "agent"),
    row(
        "other (REPLAY_MISS)",
        ["ends", "ends"],
        exit::EMPTY,
        "env",
        "stop",
    ),
    row(
        "trap or limit of the engine",
        ["ends", "ends"],
        exit::TRAPPED,
        "crash",
        "stop",
    ),
    row(
        "any, once commit was entered",
        ["does not occur", "never retried: verify first"],
        exit::VERIFY_BEFORE_RETRY,
        "as above",
        "verify first",
    ),
];

const fn row(
    failure: &'static str,
    [read, write]: [&'static str; 2],
    exit: u8,
    outcome: &'static str,
    hand_over: &'static str,
) -> FailureRow {
    FailureRow {
        failure,
        read,
        write,
        exit,
        outcome,
        hand_over,
    }
}

/// The line of [`FAILURE_TABLE`] for a failure, by its name there.
#[must_use]
pub fn row_name(failure: &Failure) -> &'static str {
    match failure {
        Failure::Denied(_) => match exit::for_failure(failure) {
            exit::AUTH => "denied (capability, method, phase)",
            exit::TRAPPED => "denied (limit)",
            _ => "denied (site, address, header)",
        },
        Failure::LoginWall { .. } => "login-wall",
        Failure::Empty(_) => "empty",
        Failure::SelectorMiss { .. } => "selector-miss",
        Failure::Timeout { .. } => "timeout",
        Failure::Stale { .. } => "stale",
        Failure::Busy(_) => "busy",
        Failure::Throttled { .. } => "throttled",
        Failure::Invalid { .. } => "invalid",
        Failure::Unavailable(_) => "unavailable",
        Failure::Cancelled => "cancelled",
        Failure::Other { code, .. } if code == exit::REPLAY_MISS => "other (REPLAY_MISS)",
        Failure::Other {
            retryable: true, ..
        } => "other (retryable)",
        Failure::Other { .. } => "other",
    }
}

/// The code of a failure, for a program that reads errors. A coded failure has its own.
#[must_use]
pub fn code_for(failure: &Failure) -> &str {
    match failure {
        Failure::Denied(denial) => &denial.code,
        Failure::LoginWall { .. } => "LOGIN_WALL",
        Failure::Empty(_) => "EMPTY_RESULT",
        Failure::SelectorMiss { .. } => "SELECTOR",
        Failure::Timeout { .. } => "TIMEOUT",
        Failure::Stale { .. } => "STALE",
        Failure::Busy(_) => "SESSION_BUSY",
        Failure::Throttled { .. } => "THROTTLED",
        Failure::Invalid { .. } => "ARGUMENT",
        Failure::Unavailable(_) => "UNAVAILABLE",
        Failure::Cancelled => "CANCELLED",
        Failure::Other { code, .. } => code,
    }
}

/// The journal's outcome word for a failure.
#[must_use]
pub fn outcome_for(failure: &Failure) -> &'static str {
    let name = row_name(failure);
    FAILURE_TABLE
        .iter()
        .find(|row| row.failure == name)
        .map_or("crash", |row| row.outcome)
}

/// The failure table as markdown, for the docs.
#[must_use]
pub fn markdown_failures() -> String {
    let mut text = String::from(
        "| failure | read command | write command | exit | journal | hand-over |\n|---|---|---|---|---|---|\n",
    );
    for row in FAILURE_TABLE {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            row.failure, row.read, row.write, row.exit, row.outcome, row.hand_over
        );
    }
    text
}
