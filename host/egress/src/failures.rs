//! The failures a transport answers with, each worded in one place.

use sr_policy::Failure;

/// Longest text of a failure in characters. A certificate may list thousands of names, and the
/// library's message repeats them.
const TEXT_CHARS: usize = 1_000;

/// The other side could not be reached or did not speak HTTP. `what` names the host, never a query.
pub(crate) fn unavailable(what: impl Into<String>) -> Failure {
    Failure::Unavailable(what.into().chars().take(TEXT_CHARS).collect())
}

/// A part of the request cannot be sent as it is.
pub(crate) fn invalid(name: &str, reason: impl Into<String>) -> Failure {
    Failure::Invalid {
        name: name.to_owned(),
        reason: reason.into(),
    }
}

/// A failure with a code of its own.
pub(crate) fn coded(code: &str, message: String, hint: Option<&str>) -> Failure {
    Failure::Other {
        code: code.to_owned(),
        message,
        hint: hint.map(str::to_owned),
        retryable: false,
    }
}

/// The body is larger than this request allows.
pub(crate) fn response_too_large(host: &str, limit: usize) -> Failure {
    coded(
        "RESPONSE_TOO_LARGE",
        format!(
            "{host}: the response body is larger than the limit of this request: {limit} bytes"
        ),
        Some("ask for less, or set max-bytes (at most 16 MiB)"),
    )
}
