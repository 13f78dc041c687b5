//! Every failure case with values a test can recognise.

use sr_guest::bindings::sr::runtime::types::{
    Coded, Denial, Expiry, Gone, Invalid, Miss, Place, Stale, Throttle, Wall,
};
use sr_guest::prelude::*;

/// The cases of the contract's `failure`, and both kinds of `other`.
#[derive(Choice)]
pub(crate) enum Case {
    Denied,
    LoginWall,
    Empty,
    SelectorMiss,
    Timeout,
    Stale,
    Busy,
    Throttled,
    Invalid,
    Unavailable,
    Cancelled,
    Other,
    OtherRetryable,
    /// Values with none in every option.
    DeniedBare,
    ThrottledBare,
    OtherBare,
    Panic,
}

/// Ends with the failure that is asked for.
#[command(read, name = "fail", example = "fail denied")]
pub(crate) fn fail_with(
    /// Which
    #[arg(positional)]
    case: Case,
) -> Result<()> {
    Err(failure(&case))
}

fn failure(case: &Case) -> Failure {
    match case {
        Case::Denied => Failure::Denied(Denial {
            code: "DOMAIN_NOT_ALLOWED".to_owned(),
            rule: "guest-rule".to_owned(),
            subject: "guest-subject.example".to_owned(),
            fix: Some("\"domains\": [\"guest-subject.example\"]".to_owned()),
        }),
        Case::DeniedBare => Failure::Denied(Denial {
            code: "CAPABILITY_NOT_GRANTED".to_owned(),
            rule: "guest-rule".to_owned(),
            subject: "fetch".to_owned(),
            fix: None,
        }),
        Case::LoginWall => Failure::LoginWall(Wall {
            at: Place {
                origin: "https://guest.example".to_owned(),
                path: "/login".to_owned(),
            },
            evidence: "guest evidence".to_owned(),
        }),
        Case::Empty => Failure::Empty("guest found nothing".to_owned()),
        Case::SelectorMiss => Failure::SelectorMiss(Miss {
            selector: "div.guest".to_owned(),
            key: Some("guest-key".to_owned()),
            strategy: "s1".to_owned(),
        }),
        Case::Timeout => Failure::Timeout(Expiry {
            what: "guest wait".to_owned(),
            limit_ms: 4321,
        }),
        Case::Stale => Failure::Stale(Stale {
            why: Gone::FrameDetached,
            candidates: vec!["guest candidate one".to_owned(), "two".to_owned()],
        }),
        Case::Busy => Failure::Busy("guest session".to_owned()),
        Case::Throttled => Failure::Throttled(Throttle {
            evidence: "guest throttle".to_owned(),
            retry_after_ms: Some(120_000),
        }),
        Case::ThrottledBare => Failure::Throttled(Throttle {
            evidence: "guest throttle".to_owned(),
            retry_after_ms: None,
        }),
        Case::Invalid => Failure::Invalid(Invalid {
            name: "guest-name".to_owned(),
            reason: "guest reason".to_owned(),
        }),
        Case::Unavailable => Failure::Unavailable("guest unavailable".to_owned()),
        Case::Cancelled => Failure::Cancelled,
        Case::Other => other(Some("guest hint"), false),
        Case::OtherRetryable => other(Some("guest hint"), true),
        Case::OtherBare => other(None, false),
        #[expect(clippy::panic, reason = "a guest that panics is one of the cases")]
        Case::Panic => panic!("guest panic message"),
    }
}

fn other(hint: Option<&str>, retryable: bool) -> Failure {
    Failure::Other(Coded {
        code: "GUEST_CODE".to_owned(),
        message: "guest message".to_owned(),
        hint: hint.map(str::to_owned),
        retryable,
    })
}
