//! Making failures, and making `?` work.

use crate::bindings::sr::runtime::types::{Coded, Failure, Invalid, Throttle};
use crate::text::joined;

/// The answer of a command or a host call.
pub type Result<T, E = Failure> = core::result::Result<T, E>;

/// Code of a reply that does not look as it should.
pub const UNEXPECTED_REPLY: &str = "UNEXPECTED_REPLY";

/// Code of a status of 400 or more where a body was wanted.
pub const HTTP_STATUS: &str = "HTTP_STATUS";

/// `other`: a code, what happened, and what to do.
#[must_use]
pub fn coded(code: &str, message: impl Into<String>, hint: Option<String>) -> Failure {
    Failure::Other(Coded {
        code: code.to_owned(),
        message: message.into(),
        hint,
        retryable: false,
    })
}

/// `invalid`: which argument, and why.
#[must_use]
pub fn invalid(name: &str, reason: impl Into<String>) -> Failure {
    Failure::Invalid(Invalid {
        name: name.to_owned(),
        reason: reason.into(),
    })
}

/// `other` with code [`UNEXPECTED_REPLY`]: the site answered something else than it used to.
#[must_use]
pub fn unexpected(message: impl Into<String>) -> Failure {
    coded(UNEXPECTED_REPLY, message, None)
}

/// `empty`: nothing matched, and that is an answer.
#[must_use]
pub fn empty(message: impl Into<String>) -> Failure {
    Failure::Empty(message.into())
}

/// `throttled`: the site asked to slow down.
#[must_use]
pub fn throttled(evidence: impl Into<String>, retry_after_ms: Option<u64>) -> Failure {
    Failure::Throttled(Throttle {
        evidence: evidence.into(),
        retry_after_ms,
    })
}

/// Ends the command: `fail!(NOT_A_PAPER, "no such paper: {id}", hint: "try search")`.
///
/// The code is SCREAMING_SNAKE and checked while compiling; the hint may be left out. The message
/// may be any expression that becomes a `String`.
#[macro_export]
macro_rules! fail {
    ($code:ident, $message:literal $(, hint: $hint:expr)? $(,)?) => {
        $crate::fail!(@ $code, ::std::format!($message) $(, $hint)?)
    };
    ($code:ident, $message:expr $(, hint: $hint:expr)? $(,)?) => {
        $crate::fail!(@ $code, $message $(, $hint)?)
    };
    (@ $code:ident, $message:expr) => {
        $crate::fail!(@@ $code, $message, ::core::option::Option::None)
    };
    (@ $code:ident, $message:expr, $hint:expr) => {
        $crate::fail!(@@ $code, $message, ::core::option::Option::Some(::std::string::String::from($hint)))
    };
    (@@ $code:ident, $message:expr, $hint:expr) => {{
        const _: () = assert!(
            $crate::failure::is_code(::core::stringify!($code)),
            "a failure code is SCREAMING_SNAKE: letters, digits and _, at most 64"
        );
        return ::core::result::Result::Err($crate::failure::coded(
            ::core::stringify!($code),
            $message,
            $hint,
        ))
    }};
}

/// Whether a text is a code: SCREAMING_SNAKE, at most 64 bytes.
#[must_use]
pub const fn is_code(code: &str) -> bool {
    let mut rest = code.as_bytes();
    if rest.len() > 64 {
        return false;
    }
    let mut first = true;
    while let Some((byte, tail)) = rest.split_first() {
        let letter = byte.is_ascii_uppercase();
        if !letter && (first || !(byte.is_ascii_digit() || *byte == b'_')) {
            return false;
        }
        first = false;
        rest = tail;
    }
    !first
}

/// "There is nothing" as the answer of the command.
pub trait OrEmpty: Sized {
    /// What is there when something is.
    type Found;

    /// The value, or the failure `empty`.
    ///
    /// # Errors
    /// `empty` with this text when there is no value, or a list has no entries.
    fn or_empty(self, message: &str) -> Result<Self::Found>;
}

impl<T> OrEmpty for Option<T> {
    type Found = T;

    fn or_empty(self, message: &str) -> Result<T> {
        self.ok_or_else(|| empty(message))
    }
}

impl<T> OrEmpty for Vec<T> {
    type Found = Self;

    fn or_empty(self, message: &str) -> Result<Self> {
        if self.is_empty() {
            Err(empty(message))
        } else {
            Ok(self)
        }
    }
}

/// Saying what was being done when something failed.
pub trait Context<T> {
    /// Puts the text before the message of an `other`, `invalid` or `unavailable`; a denial, a
    /// wall or a throttle keeps its own words, which the host acts on.
    ///
    /// # Errors
    /// The failure of `self`.
    fn context(self, what: &str) -> Result<T>;
}

impl<T, E: Into<Failure>> Context<T> for Result<T, E> {
    fn context(self, what: &str) -> Result<T> {
        self.map_err(|error| {
            let mut failure = error.into();
            match &mut failure {
                Failure::Other(Coded { message: text, .. })
                | Failure::Invalid(Invalid { reason: text, .. })
                | Failure::Unavailable(text) => *text = joined(&[what, ": ", text]),
                _ => {}
            }
            failure
        })
    }
}

/// Turning the errors of other crates, and values that are not there, into a failure.
///
/// ```
/// use sr_guest::prelude::*;
///
/// let time = Time::parse("2017-06-12").or_unexpected("published")?;
/// assert!(Time::parse("soon").or_unexpected("published").is_err());
/// # Ok::<(), Failure>(())
/// ```
pub trait OrUnexpected<T> {
    /// The value, or an `other` with code [`UNEXPECTED_REPLY`] that names what was being read.
    ///
    /// # Errors
    /// The error of `self` as text, after `what`.
    fn or_unexpected(self, what: &str) -> Result<T>;
}

impl<T, E: core::fmt::Display> OrUnexpected<T> for Result<T, E> {
    fn or_unexpected(self, what: &str) -> Result<T> {
        self.map_err(|error| unexpected(joined(&[what, ": ", &error.to_string()])))
    }
}

impl<T> OrUnexpected<T> for Option<T> {
    fn or_unexpected(self, what: &str) -> Result<T> {
        self.ok_or_else(|| unexpected(joined(&[what, ": no such value"])))
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        unexpected(message)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        unexpected(message)
    }
}

macro_rules! parse_errors {
    ($($error:ty: $says:literal;)*) => {$(
        impl From<$error> for Failure {
            fn from(_: $error) -> Self {
                unexpected($says)
            }
        }
    )*};
}

// Fixed texts: the errors' own need the formatting machinery.
parse_errors! {
    core::num::ParseIntError: "not a whole number that fits";
    core::num::ParseFloatError: "not a number";
    core::num::TryFromIntError: "a number out of range";
    core::str::ParseBoolError: "neither true nor false";
    core::str::Utf8Error: "not UTF-8";
    std::string::FromUtf8Error: "not UTF-8";
}

#[cfg(feature = "serde_json")]
impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        unexpected(error.to_string())
    }
}
