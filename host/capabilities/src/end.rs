//! How a run ended, as plain data.

use std::io;

use sr_engine::CapturedOutput;
use sr_engine::constants::{COMPONENT_HANDLES, HOST_RESOURCES, HOSTCALL_BYTES};
use sr_engine::wasmtime::component::ResourceTableError;
use sr_engine::wasmtime::{Error, Trap};
use sr_engine::wasmtime_wasi::I32Exit;
use sr_policy::command::{Output, Plan};
use sr_policy::failure::Place;
use sr_policy::{Denial, Failure};

use crate::limits::{CANDIDATES, MESSAGE_BYTES};
use crate::state::{Interrupted, RunState};

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEnd {
    /// Rows came back; early rows come first.
    Finished(Output),
    /// A dry run of a write: what it would do.
    Planned(Plan),
    /// A host call or the command itself failed.
    Failed(Failure),
    /// The component trapped, or broke a promise of its world.
    Trapped {
        /// What happened, in words.
        reason: String,
        /// The component's own last words, from its stderr; untrusted.
        guest: Option<String>,
    },
    /// The component hit a limit that ends a run.
    Limit {
        /// Which, with its number.
        what: String,
    },
    /// The wall limit passed.
    TimedOut {
        /// The limit in milliseconds.
        limit_ms: u32,
    },
    /// The run was cancelled from outside.
    Cancelled,
}

impl RunEnd {
    /// Why a guest call ended with an error instead of an answer.
    pub(crate) fn from_error(error: &Error, state: &RunState, output: &CapturedOutput) -> Self {
        if let Some(interrupted) = error.downcast_ref::<Interrupted>() {
            return match *interrupted {
                Interrupted::Cancelled => Self::Cancelled,
                Interrupted::Overdue(limit_ms) => Self::TimedOut { limit_ms },
                // It was computing, not waiting: the plugin's fault, not the site's.
                Interrupted::Compute(_) | Interrupted::Wall(_) => Self::Limit {
                    what: interrupted.to_string(),
                },
            };
        }
        let guest = last_words(&output.stderr());
        if let Some(hit) = state.limiter.hit() {
            return Self::Limit {
                what: hit.to_owned(),
            };
        }
        if let Some(exit) = error.downcast_ref::<I32Exit>() {
            return Self::Trapped {
                reason: format!("it called exit({})", exit.0),
                guest,
            };
        }
        if let Some(ResourceTableError::Full) = error.downcast_ref() {
            return Self::Limit {
                what: format!("handle limit: {HOST_RESOURCES} open streams and pollables"),
            };
        }
        let reason = match error.downcast_ref::<Trap>() {
            Some(Trap::StackOverflow) => {
                return Self::Limit {
                    what: "call stack exhausted".into(),
                };
            }
            Some(Trap::UnreachableCodeReached) if guest.is_some() => "it panicked".to_owned(),
            Some(trap) => trap.to_string(),
            None => error.root_cause().to_string(),
        };
        // wasmtime has no type for these two; a test holds the texts against its own.
        if reason.contains("fuel allocated for hostcalls") {
            let what = format!("call limit: more than {HOSTCALL_BYTES} bytes in one host call");
            return Self::Limit { what };
        }
        if reason.contains("store handle limit exceeded") {
            let what = format!("handle limit: {COMPONENT_HANDLES} live handles");
            return Self::Limit { what };
        }
        Self::Trapped { reason, guest }
    }
}

/// The system's own refusal, when that is what ended a call: no trap and no limit of the host ends
/// with one.
pub(crate) fn of_the_system(error: &Error) -> Option<io::Error> {
    let refused = error.root_cause().downcast_ref::<io::Error>()?;
    refused.raw_os_error().map(io::Error::from_raw_os_error)
}

/// A guest's failure with every text cut to its limit.
pub(crate) fn bounded(failure: Failure) -> Failure {
    let cut = |mut text: String| {
        text.truncate(text.floor_char_boundary(MESSAGE_BYTES));
        text
    };
    match failure {
        Failure::Denied(denial) => Failure::Denied(Denial::new(
            &denial.code,
            &denial.rule,
            &denial.subject,
            denial.fix,
        )),
        Failure::LoginWall { at, evidence } => Failure::LoginWall {
            at: Place {
                origin: cut(at.origin),
                path: cut(at.path),
            },
            evidence: cut(evidence),
        },
        Failure::Empty(what) => Failure::Empty(cut(what)),
        Failure::SelectorMiss {
            selector,
            key,
            strategy,
        } => Failure::SelectorMiss {
            selector: cut(selector),
            key: key.map(cut),
            strategy: cut(strategy),
        },
        Failure::Timeout { what, limit_ms } => Failure::Timeout {
            what: cut(what),
            limit_ms,
        },
        Failure::Stale { why, candidates } => Failure::Stale {
            why,
            candidates: candidates.into_iter().take(CANDIDATES).map(cut).collect(),
        },
        Failure::Busy(holder) => Failure::Busy(cut(holder)),
        Failure::Throttled {
            evidence,
            retry_after_ms,
        } => Failure::Throttled {
            evidence: cut(evidence),
            retry_after_ms,
        },
        Failure::Invalid { name, reason } => Failure::Invalid {
            name: cut(name),
            reason: cut(reason),
        },
        Failure::Unavailable(what) => Failure::Unavailable(cut(what)),
        Failure::Cancelled => Failure::Cancelled,
        Failure::Other {
            code,
            message,
            hint,
            retryable,
        } => Failure::Other {
            code: cut(code),
            message: cut(message),
            hint: hint.map(cut),
            retryable,
        },
    }
}

/// The message of a panic, else the last line written to stderr.
fn last_words(stderr: &str) -> Option<String> {
    let panic = stderr.find("panicked at").and_then(|at| stderr.get(at..));
    let words = match panic {
        Some(panic) => panic
            .lines()
            .take_while(|line| !line.starts_with("note: run with"))
            .collect::<Vec<_>>()
            .join(" "),
        None => stderr
            .lines()
            .rev()
            .find(|line| !line.trim().is_empty())?
            .to_owned(),
    };
    let end = words.floor_char_boundary(MESSAGE_BYTES);
    words
        .get(..end)
        .map(str::to_owned)
        .filter(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_message_is_found_among_other_lines() {
        let stderr = "hello\n\nthread '<unnamed>' panicked at src/lib.rs:3:5:\nno such thing\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
        assert_eq!(
            last_words(stderr).as_deref(),
            Some("panicked at src/lib.rs:3:5: no such thing")
        );
        assert_eq!(last_words("one\ntwo\n\n").as_deref(), Some("two"));
        assert_eq!(last_words(""), None);
    }

    #[test]
    fn a_failure_keeps_its_case_and_loses_its_length() {
        let long = "é".repeat(MESSAGE_BYTES);
        let failure = Failure::Stale {
            why: sr_policy::failure::Gone::NodeRemoved,
            candidates: vec![long.clone(); 100],
        };
        let Failure::Stale { candidates, .. } = bounded(failure) else {
            panic!("another case");
        };
        assert_eq!(candidates.len(), CANDIDATES);
        assert!(candidates.iter().all(|hint| hint.len() <= MESSAGE_BYTES));
        let other = bounded(Failure::Other {
            code: "X".into(),
            message: long,
            hint: None,
            retryable: true,
        });
        assert!(
            matches!(&other, Failure::Other { code, message, retryable: true, .. }
                if code == "X" && message.len() == MESSAGE_BYTES),
        );
    }
}
