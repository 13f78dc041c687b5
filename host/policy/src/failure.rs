//! How a host call or a command fails. A denial is data: never a trap, never a prompt.

use serde::{Deserialize, Serialize};

/// The policy said no.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Denial {
    /// Stable code, see [`codes`].
    pub code: String,
    /// The rule that decided.
    pub rule: String,
    /// What was refused, ASCII.
    pub subject: String,
    /// The manifest line that would allow it; none when nothing would.
    pub fix: Option<String>,
}

/// Stable denial codes. Never reused.
pub mod codes {
    /// The host is not on the allowlist.
    pub const DOMAIN_NOT_ALLOWED: &str = "DOMAIN_NOT_ALLOWED";
    /// The port is not the scheme's own.
    pub const PORT_NOT_ALLOWED: &str = "PORT_NOT_ALLOWED";
    /// The scheme is not http or https.
    pub const SCHEME_NOT_ALLOWED: &str = "SCHEME_NOT_ALLOWED";
    /// The URL carries a user name or password.
    pub const USERINFO_NOT_ALLOWED: &str = "USERINFO_NOT_ALLOWED";
    /// The URL does not parse, or its host is not a name the runtime accepts.
    pub const URL_NOT_ACCEPTED: &str = "URL_NOT_ACCEPTED";
    /// The address is loopback, private or special.
    pub const ADDRESS_NOT_ALLOWED: &str = "ADDRESS_NOT_ALLOWED";
    /// A header belongs to the host.
    pub const HEADER_NOT_ALLOWED: &str = "HEADER_NOT_ALLOWED";
    /// A read command sent something else than GET or HEAD.
    pub const METHOD_NOT_ALLOWED: &str = "METHOD_NOT_ALLOWED";
    /// Something other than a read while a write was only being prepared.
    pub const NOT_DURING_PREPARE: &str = "NOT_DURING_PREPARE";
    /// A host call while `commands` was read.
    pub const NOT_DURING_METADATA: &str = "NOT_DURING_METADATA";
    /// The manifest does not ask for the capability, or the lock does not grant it.
    pub const CAPABILITY_NOT_GRANTED: &str = "CAPABILITY_NOT_GRANTED";
    /// The site is one no plugin may touch.
    pub const PROTECTED_ORIGIN: &str = "PROTECTED_ORIGIN";
    /// A limit of the run is used up.
    pub const LIMIT_REACHED: &str = "LIMIT_REACHED";
}

/// Where a page is, without its query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Scheme, host and port.
    pub origin: String,
    /// Path without query.
    pub path: String,
}

/// Why a reference to a page's node no longer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gone {
    /// Another document took its place.
    DocumentReplaced,
    /// The node was removed.
    NodeRemoved,
    /// Its frame went away.
    FrameDetached,
    /// Its page was closed.
    PageClosed,
}

/// Why a host call or a command failed; the mirror of `types.failure` in the WIT.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// The policy said no.
    Denied(Denial),
    /// A login wall.
    LoginWall {
        /// Where.
        at: Place,
        /// The text or selector that shows it.
        evidence: String,
    },
    /// Nothing matched, and that is an answer.
    Empty(String),
    /// A selector found nothing.
    SelectorMiss {
        /// The CSS that was tried.
        selector: String,
        /// The sitedata entry to repair.
        key: Option<String>,
        /// The strategy of this run.
        strategy: String,
    },
    /// A wait ended.
    Timeout {
        /// What was waited for.
        what: String,
        /// The limit in milliseconds.
        limit_ms: u32,
    },
    /// A reference outlived its node.
    Stale {
        /// Why.
        why: Gone,
        /// One-line hints.
        candidates: Vec<String>,
    },
    /// Somebody else holds the session.
    Busy(String),
    /// The site asked to slow down.
    Throttled {
        /// What shows it.
        evidence: String,
        /// When to come back.
        retry_after_ms: Option<u64>,
    },
    /// An argument or request is not acceptable.
    Invalid {
        /// Which.
        name: String,
        /// Why.
        reason: String,
    },
    /// The other side could not be reached.
    Unavailable(String),
    /// The run was cancelled.
    Cancelled,
    /// Everything else.
    Other {
        /// Stable SCREAMING_SNAKE code of the plugin.
        code: String,
        /// One line.
        message: String,
        /// What to do.
        hint: Option<String>,
        /// Layout-shaped: another strategy may help.
        retryable: bool,
    },
}
