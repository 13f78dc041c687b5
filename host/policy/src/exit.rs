//! Exit codes of the program: sysexits where they fit. Never given a second meaning.

use std::fmt::Write as _;

use crate::failure::{Denial, Failure, codes};
pub use crate::failure_table::{
    FAILURE_TABLE, FailureRow, code_for, markdown_failures, outcome_for, row_name,
};

/// Done.
pub const OK: u8 = 0;
/// Failed, and no other code says it better.
pub const GENERIC: u8 = 1;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// The data is wrong.
pub const DATA: u8 = 65;
/// Nothing found.
pub const EMPTY: u8 = 66;
/// A site outside the allowlist.
pub const DOMAIN_REFUSED: u8 = 68;
/// The other side cannot be reached.
pub const UNAVAILABLE: u8 = 69;
/// The plugin trapped.
pub const TRAPPED: u8 = 70;
/// Try later.
pub const TEMPORARY: u8 = 75;
/// A write may have happened; same code as [`TEMPORARY`].
pub const VERIFY_BEFORE_RETRY: u8 = 75;
/// Files are not what the lock says.
pub const INTEGRITY: u8 = 76;
/// A login, grant or capability is missing.
pub const AUTH: u8 = 77;
/// The settings or a package are wrong.
pub const CONFIG: u8 = 78;
/// Interrupted by the person.
pub const INTERRUPTED: u8 = 130;

/// One exit code.
#[derive(Debug, Clone, Copy)]
pub struct ExitCode {
    /// The number.
    pub code: u8,
    /// Its short name.
    pub name: &'static str,
    /// When the program ends with it.
    pub meaning: &'static str,
}

/// Every exit code, in order.
pub static EXIT_CODES: &[ExitCode] = &[
    row(OK, "ok", "done"),
    row(
        GENERIC,
        "failed",
        "a stale reference, a selector that found nothing, lint errors, anything without a code of its own",
    ),
    row(
        USAGE,
        "usage",
        "the command line or an argument is not acceptable",
    ),
    row(
        DATA,
        "data",
        "unusable data; a read that lost its session twice",
    ),
    row(
        EMPTY,
        "empty",
        "nothing found; a request that a replay file does not have",
    ),
    row(
        DOMAIN_REFUSED,
        "domain-refused",
        "a request to a site, address, port or with a header the policy refuses",
    ),
    row(
        UNAVAILABLE,
        "unavailable",
        "the other side cannot be reached; the doctor found something broken",
    ),
    row(TRAPPED, "trapped", "the plugin trapped or hit a limit"),
    row(
        TEMPORARY,
        "temporary",
        "busy, timeout, throttled, a dialog is open; after a write: verify before retrying",
    ),
    row(
        INTEGRITY,
        "integrity",
        "files differ from the lock, or the lock cannot be read",
    ),
    row(AUTH, "auth", "a login, grant or capability is missing"),
    row(CONFIG, "config", "a setting, manifest or package is wrong"),
    row(INTERRUPTED, "interrupted", "interrupted by the person"),
];

const fn row(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    ExitCode {
        code,
        name,
        meaning,
    }
}

/// The exit code for a failure that ends a command.
///
/// A write whose `commit` was entered ends with [`VERIFY_BEFORE_RETRY`] instead, whatever failed.
/// A read that is `busy` a second time, on its own tab, ends with [`DATA`].
#[must_use]
pub fn for_failure(failure: &Failure) -> u8 {
    match failure {
        Failure::Denied(denial) => for_denial(denial),
        Failure::LoginWall { .. } => AUTH,
        Failure::Empty(_) => EMPTY,
        Failure::Timeout { .. } | Failure::Busy(_) | Failure::Throttled { .. } => TEMPORARY,
        Failure::Invalid { .. } => USAGE,
        Failure::Unavailable(_) => UNAVAILABLE,
        Failure::Cancelled => INTERRUPTED,
        Failure::Other { code, .. } if code == REPLAY_MISS => EMPTY,
        Failure::SelectorMiss { .. } | Failure::Stale { .. } | Failure::Other { .. } => GENERIC,
    }
}

/// Code of the failure for a request that a replay file does not have.
pub const REPLAY_MISS: &str = "REPLAY_MISS";

/// A denial that another grant or phase would lift is 77, a used-up limit 70, the rest 68.
fn for_denial(denial: &Denial) -> u8 {
    match denial.code.as_str() {
        codes::CAPABILITY_NOT_GRANTED
        | codes::METHOD_NOT_ALLOWED
        | codes::NOT_DURING_PREPARE
        | codes::NOT_DURING_METADATA => AUTH,
        codes::LIMIT_REACHED => TRAPPED,
        _ => DOMAIN_REFUSED,
    }
}

/// The exit codes as markdown, for the docs.
#[must_use]
pub fn markdown_exit_codes() -> String {
    let mut text = String::from("| code | name | when |\n|---|---|---|\n");
    for row in EXIT_CODES {
        let _ = writeln!(text, "| {} | {} | {} |", row.code, row.name, row.meaning);
    }
    text
}
