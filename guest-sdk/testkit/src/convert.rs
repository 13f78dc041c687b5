//! The contract's records as the policy's plain data, and back.

use sr_guest::bindings::exports::sr::runtime::plugin as wit;
use sr_guest::bindings::sr::runtime::types;
use sr_guest::{Cell, CellKind, Failure};
use sr_policy::{command as plain, value};

/// A denial of the policy as the guest sees it.
pub(crate) fn denied(denial: sr_policy::Denial) -> Failure {
    Failure::Denied(types::Denial {
        code: denial.code,
        rule: denial.rule,
        subject: denial.subject,
        fix: denial.fix,
    })
}

pub(crate) fn cell(cell: &Cell) -> value::Cell {
    match cell {
        Cell::Null => value::Cell::Null,
        Cell::Flag(on) => value::Cell::Flag(*on),
        Cell::Int(number) => value::Cell::Int(*number),
        Cell::Float(number) => value::Cell::Float(*number),
        Cell::Text(text) => value::Cell::Text(text.clone()),
        Cell::Time(ms) => value::Cell::Time(*ms),
        Cell::Json(text) => value::Cell::Json(text.clone()),
    }
}

pub(crate) fn from_plain(cell: value::Cell) -> Cell {
    match cell {
        value::Cell::Null => Cell::Null,
        value::Cell::Flag(on) => Cell::Flag(on),
        value::Cell::Int(number) => Cell::Int(number),
        value::Cell::Float(number) => Cell::Float(number),
        value::Cell::Text(text) => Cell::Text(text),
        value::Cell::Time(ms) => Cell::Time(ms),
        value::Cell::Json(text) => Cell::Json(text),
    }
}

fn kind(kind: CellKind) -> value::CellKind {
    match kind {
        CellKind::Flag => value::CellKind::Flag,
        CellKind::Int => value::CellKind::Int,
        CellKind::Float => value::CellKind::Float,
        CellKind::Text => value::CellKind::Text,
        CellKind::Time => value::CellKind::Time,
        CellKind::Url => value::CellKind::Url,
        CellKind::Json => value::CellKind::Json,
    }
}

fn notes(notes: &[types::Note]) -> Vec<value::Note> {
    notes
        .iter()
        .map(|note| value::Note {
            key: note.key.clone(),
            value: note.value.clone(),
        })
        .collect()
}

pub(crate) fn column(column: &wit::Column) -> plain::Column {
    plain::Column {
        name: column.name.clone(),
        kind: kind(column.kind),
        help: column.help.clone(),
        notes: notes(&column.notes),
    }
}

pub(crate) fn arg_kind(kind: &wit::ArgKind) -> plain::ArgKind {
    match kind {
        wit::ArgKind::Flag => plain::ArgKind::Flag,
        wit::ArgKind::Int(span) => plain::ArgKind::Int {
            min: span.min,
            max: span.max,
        },
        wit::ArgKind::Float => plain::ArgKind::Float,
        wit::ArgKind::Text => plain::ArgKind::Text,
        wit::ArgKind::Url => plain::ArgKind::Url,
        wit::ArgKind::Date => plain::ArgKind::Date,
        wit::ArgKind::Json => plain::ArgKind::Json,
        wit::ArgKind::Choice(words) => plain::ArgKind::Choice(words.clone()),
        wit::ArgKind::Content => plain::ArgKind::Content,
    }
}

fn arg(arg: &wit::Arg) -> plain::Arg {
    plain::Arg {
        name: arg.name.clone(),
        kind: arg_kind(&arg.kind),
        short: arg.short.clone(),
        positional: arg.positional,
        required: arg.required,
        many: arg.many,
        default: arg.default.as_ref().map(cell),
        help: arg.help.clone(),
        notes: notes(&arg.notes),
    }
}

pub(crate) fn command(command: &wit::Command) -> plain::Command {
    plain::Command {
        name: command.name.clone(),
        aliases: command.aliases.clone(),
        summary: command.summary.clone(),
        details: command.details.clone(),
        access: match command.access {
            wit::Access::Read => plain::Access::Read,
            wit::Access::Write => plain::Access::Write,
        },
        args: command.args.iter().map(arg).collect(),
        columns: command.columns.iter().map(column).collect(),
        examples: command
            .examples
            .iter()
            .map(|example| plain::Example {
                line: example.line.clone(),
                says: example.says.clone(),
            })
            .collect(),
        domain: command.domain.clone(),
        strategy: match command.strategy {
            wit::Strategy::Public => plain::Strategy::Public,
            wit::Strategy::Local => plain::Strategy::Local,
            wit::Strategy::Cookie => plain::Strategy::Cookie,
            wit::Strategy::Intercept => plain::Strategy::Intercept,
            wit::Strategy::Ui => plain::Strategy::Ui,
        },
        browser: command.browser,
        session: match command.session {
            wit::Session::Ephemeral => plain::Session::Ephemeral,
            wit::Session::Persistent => plain::Session::Persistent,
        },
        navigate_before: command.navigate_before.clone(),
        default_format: command.default_format.clone(),
        timeout_ms: command.timeout_ms,
        pace: command.pace.map(|pace| plain::Pace {
            min_gap_ms: pace.min_gap_ms,
            per_hour: pace.per_hour,
            per_day: pace.per_day,
        }),
        notes: notes(&command.notes),
    }
}

/// A guest's failure as the policy's, for its code and exit code.
pub(crate) fn failure(failure: &Failure) -> sr_policy::Failure {
    use sr_policy::failure::{Gone, Place};
    match failure.clone() {
        Failure::Denied(denial) => sr_policy::Failure::Denied(sr_policy::Denial {
            code: denial.code,
            rule: denial.rule,
            subject: denial.subject,
            fix: denial.fix,
        }),
        Failure::LoginWall(wall) => sr_policy::Failure::LoginWall {
            at: Place {
                origin: wall.at.origin,
                path: wall.at.path,
            },
            evidence: wall.evidence,
        },
        Failure::Empty(what) => sr_policy::Failure::Empty(what),
        Failure::SelectorMiss(miss) => sr_policy::Failure::SelectorMiss {
            selector: miss.selector,
            key: miss.key,
            strategy: miss.strategy,
        },
        Failure::Timeout(expiry) => sr_policy::Failure::Timeout {
            what: expiry.what,
            limit_ms: expiry.limit_ms,
        },
        Failure::Stale(stale) => sr_policy::Failure::Stale {
            why: match stale.why {
                types::Gone::DocumentReplaced => Gone::DocumentReplaced,
                types::Gone::NodeRemoved => Gone::NodeRemoved,
                types::Gone::FrameDetached => Gone::FrameDetached,
                types::Gone::PageClosed => Gone::PageClosed,
            },
            candidates: stale.candidates,
        },
        Failure::Busy(holder) => sr_policy::Failure::Busy(holder),
        Failure::Throttled(throttle) => sr_policy::Failure::Throttled {
            evidence: throttle.evidence,
            retry_after_ms: throttle.retry_after_ms,
        },
        Failure::Invalid(invalid) => sr_policy::Failure::Invalid {
            name: invalid.name,
            reason: invalid.reason,
        },
        Failure::Unavailable(what) => sr_policy::Failure::Unavailable(what),
        Failure::Cancelled => sr_policy::Failure::Cancelled,
        Failure::Other(coded) => sr_policy::Failure::Other {
            code: coded.code,
            message: coded.message,
            hint: coded.hint,
            retryable: coded.retryable,
        },
    }
}
