//! How a run ended, in the words of the journal.

use sr_capabilities::RunEnd;
use sr_policy::exit;
use sr_policy::failure::Failure;
use sr_policy::observer::{Outcome, Tally};

/// What an outcome is made of.
pub(crate) struct Facts<'a> {
    pub(crate) site: &'a str,
    pub(crate) command: &'a str,
    pub(crate) end: &'a RunEnd,
    /// Whether `commit` was entered.
    pub(crate) committed: bool,
    /// Whether the replay lacked an answer.
    pub(crate) missed: bool,
    /// Whether the recording is not there.
    pub(crate) recording_lost: bool,
    pub(crate) micros: u64,
    pub(crate) tally: Tally,
}

/// One line about the run. Its exit code is the one the program ends with, unless the rows or
/// this very line cannot be written.
pub(crate) fn outcome(facts: &Facts<'_>) -> Outcome {
    let miss = facts.missed && !facts.committed;
    let (word, code, exit) = match facts.end {
        _ if miss => ("env", Some(exit::REPLAY_MISS), exit::EMPTY),
        RunEnd::Finished(_) | RunEnd::Planned(_) if facts.recording_lost => {
            ("env", Some("RECORDING"), exit::DATA)
        }
        RunEnd::Finished(_) | RunEnd::Planned(_) => ("ok", None, exit::OK),
        RunEnd::Failed(failure) => (
            exit::outcome_for(failure),
            Some(exit::code_for(failure)),
            exit::for_failure(failure),
        ),
        RunEnd::Trapped { .. } => ("crash", Some("PLUGIN_TRAPPED"), exit::TRAPPED),
        RunEnd::Limit { .. } => ("crash", Some("PLUGIN_LIMIT"), exit::TRAPPED),
        RunEnd::TimedOut { .. } => ("timeout", Some("TIMEOUT"), exit::TEMPORARY),
        RunEnd::Cancelled => ("env", Some("CANCELLED"), exit::INTERRUPTED),
    };
    let exit = match facts.committed && exit != exit::OK {
        true => exit::VERIFY_BEFORE_RETRY,
        false => exit,
    };
    Outcome {
        site: facts.site.to_owned(),
        command: facts.command.to_owned(),
        outcome: word.to_owned(),
        code: code.map(str::to_owned),
        rule: match facts.end {
            RunEnd::Failed(Failure::Denied(denial)) if !miss => Some(denial.rule.clone()),
            _ => None,
        },
        exit,
        micros: facts.micros,
        rows: match facts.end {
            RunEnd::Finished(output) => Some(output.rows.len()),
            _ => None,
        },
        tally: facts.tally,
    }
}

/// The outcome of a run that the host could not do.
pub(crate) fn host_failed(site: &str, command: &str, micros: u64) -> Outcome {
    Outcome {
        site: site.to_owned(),
        command: command.to_owned(),
        outcome: "crash".to_owned(),
        code: Some("RUNTIME".to_owned()),
        rule: None,
        exit: exit::GENERIC,
        micros,
        rows: None,
        tally: Tally::default(),
    }
}
