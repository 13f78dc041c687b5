//! Generated types to and from the plain data of `sr_policy`. No logic.

use sr_policy::command as plain;
use sr_policy::failure as plain_failure;
use sr_policy::value as plain_value;

use super::exports::sr::runtime::plugin as wit;
use super::sr::runtime::types as wit_types;

impl From<wit_types::Cell> for plain_value::Cell {
    fn from(cell: wit_types::Cell) -> Self {
        match cell {
            wit_types::Cell::Null => Self::Null,
            wit_types::Cell::Flag(value) => Self::Flag(value),
            wit_types::Cell::Int(value) => Self::Int(value),
            wit_types::Cell::Float(value) => Self::Float(value),
            wit_types::Cell::Text(value) => Self::Text(value),
            wit_types::Cell::Time(value) => Self::Time(value),
            wit_types::Cell::Json(value) => Self::Json(value),
        }
    }
}

impl From<plain_value::Cell> for wit_types::Cell {
    fn from(cell: plain_value::Cell) -> Self {
        match cell {
            plain_value::Cell::Null => Self::Null,
            plain_value::Cell::Flag(value) => Self::Flag(value),
            plain_value::Cell::Int(value) => Self::Int(value),
            plain_value::Cell::Float(value) => Self::Float(value),
            plain_value::Cell::Text(value) => Self::Text(value),
            plain_value::Cell::Time(value) => Self::Time(value),
            plain_value::Cell::Json(value) => Self::Json(value),
        }
    }
}

impl From<wit_types::CellKind> for plain_value::CellKind {
    fn from(kind: wit_types::CellKind) -> Self {
        match kind {
            wit_types::CellKind::Flag => Self::Flag,
            wit_types::CellKind::Int => Self::Int,
            wit_types::CellKind::Float => Self::Float,
            wit_types::CellKind::Text => Self::Text,
            wit_types::CellKind::Time => Self::Time,
            wit_types::CellKind::Url => Self::Url,
            wit_types::CellKind::Json => Self::Json,
        }
    }
}

impl From<wit_types::Note> for plain_value::Note {
    fn from(note: wit_types::Note) -> Self {
        Self {
            key: note.key,
            value: note.value,
        }
    }
}

impl From<wit_types::Named> for plain_value::Named {
    fn from(named: wit_types::Named) -> Self {
        Self {
            name: named.name,
            value: named.value.into(),
        }
    }
}

impl From<plain_value::Named> for wit_types::Named {
    fn from(named: plain_value::Named) -> Self {
        Self {
            name: named.name,
            value: named.value.into(),
        }
    }
}

fn all<From, To: std::convert::From<From>>(items: Vec<From>) -> Vec<To> {
    items.into_iter().map(To::from).collect()
}

/// Rows as plain data.
#[must_use]
pub fn rows(rows: Vec<Vec<wit_types::Cell>>) -> Vec<plain_value::Row> {
    rows.into_iter().map(all).collect()
}

impl From<wit_types::Failure> for plain_failure::Failure {
    fn from(failure: wit_types::Failure) -> Self {
        use wit_types::Failure as From;
        match failure {
            From::Denied(denial) => Self::Denied(plain_failure::Denial {
                code: denial.code,
                rule: denial.rule,
                subject: denial.subject,
                fix: denial.fix,
            }),
            From::LoginWall(wall) => Self::LoginWall {
                at: plain_failure::Place {
                    origin: wall.at.origin,
                    path: wall.at.path,
                },
                evidence: wall.evidence,
            },
            From::Empty(what) => Self::Empty(what),
            From::SelectorMiss(miss) => Self::SelectorMiss {
                selector: miss.selector,
                key: miss.key,
                strategy: miss.strategy,
            },
            From::Timeout(expiry) => Self::Timeout {
                what: expiry.what,
                limit_ms: expiry.limit_ms,
            },
            From::Stale(stale) => Self::Stale {
                why: match stale.why {
                    wit_types::Gone::DocumentReplaced => plain_failure::Gone::DocumentReplaced,
                    wit_types::Gone::NodeRemoved => plain_failure::Gone::NodeRemoved,
                    wit_types::Gone::FrameDetached => plain_failure::Gone::FrameDetached,
                    wit_types::Gone::PageClosed => plain_failure::Gone::PageClosed,
                },
                candidates: stale.candidates,
            },
            From::Busy(holder) => Self::Busy(holder),
            From::Throttled(throttle) => Self::Throttled {
                evidence: throttle.evidence,
                retry_after_ms: throttle.retry_after_ms,
            },
            From::Invalid(invalid) => Self::Invalid {
                name: invalid.name,
                reason: invalid.reason,
            },
            From::Unavailable(what) => Self::Unavailable(what),
            From::Cancelled => Self::Cancelled,
            From::Other(coded) => Self::Other {
                code: coded.code,
                message: coded.message,
                hint: coded.hint,
                retryable: coded.retryable,
            },
        }
    }
}

impl From<plain_failure::Failure> for wit_types::Failure {
    fn from(failure: plain_failure::Failure) -> Self {
        use plain_failure::Failure as From;
        match failure {
            From::Denied(denial) => Self::Denied(wit_types::Denial {
                code: denial.code,
                rule: denial.rule,
                subject: denial.subject,
                fix: denial.fix,
            }),
            From::LoginWall { at, evidence } => Self::LoginWall(wit_types::Wall {
                at: wit_types::Place {
                    origin: at.origin,
                    path: at.path,
                },
                evidence,
            }),
            From::Empty(what) => Self::Empty(what),
            From::SelectorMiss {
                selector,
                key,
                strategy,
            } => Self::SelectorMiss(wit_types::Miss {
                selector,
                key,
                strategy,
            }),
            From::Timeout { what, limit_ms } => Self::Timeout(wit_types::Expiry { what, limit_ms }),
            From::Stale { why, candidates } => Self::Stale(wit_types::Stale {
                why: match why {
                    plain_failure::Gone::DocumentReplaced => wit_types::Gone::DocumentReplaced,
                    plain_failure::Gone::NodeRemoved => wit_types::Gone::NodeRemoved,
                    plain_failure::Gone::FrameDetached => wit_types::Gone::FrameDetached,
                    plain_failure::Gone::PageClosed => wit_types::Gone::PageClosed,
                },
                candidates,
            }),
            From::Busy(holder) => Self::Busy(holder),
            From::Throttled {
                evidence,
                retry_after_ms,
            } => Self::Throttled(wit_types::Throttle {
                evidence,
                retry_after_ms,
            }),
            From::Invalid { name, reason } => Self::Invalid(wit_types::Invalid { name, reason }),
            From::Unavailable(what) => Self::Unavailable(what),
            From::Cancelled => Self::Cancelled,
            From::Other {
                code,
                message,
                hint,
                retryable,
            } => Self::Other(wit_types::Coded {
                code,
                message,
                hint,
                retryable,
            }),
        }
    }
}

impl From<wit::ArgKind> for plain::ArgKind {
    fn from(kind: wit::ArgKind) -> Self {
        match kind {
            wit::ArgKind::Flag => Self::Flag,
            wit::ArgKind::Int(span) => Self::Int {
                min: span.min,
                max: span.max,
            },
            wit::ArgKind::Float => Self::Float,
            wit::ArgKind::Text => Self::Text,
            wit::ArgKind::Url => Self::Url,
            wit::ArgKind::Date => Self::Date,
            wit::ArgKind::Json => Self::Json,
            wit::ArgKind::Choice(words) => Self::Choice(words),
            wit::ArgKind::Content => Self::Content,
        }
    }
}

impl From<wit::Arg> for plain::Arg {
    fn from(arg: wit::Arg) -> Self {
        Self {
            name: arg.name,
            kind: arg.kind.into(),
            short: arg.short,
            positional: arg.positional,
            required: arg.required,
            many: arg.many,
            default: arg.default.map(Into::into),
            help: arg.help,
            notes: all(arg.notes),
        }
    }
}

impl From<wit::Column> for plain::Column {
    fn from(column: wit::Column) -> Self {
        Self {
            name: column.name,
            kind: column.kind.into(),
            help: column.help,
            notes: all(column.notes),
        }
    }
}

impl From<wit::Example> for plain::Example {
    fn from(example: wit::Example) -> Self {
        Self {
            line: example.line,
            says: example.says,
        }
    }
}

impl From<wit::Pace> for plain::Pace {
    fn from(pace: wit::Pace) -> Self {
        Self {
            min_gap_ms: pace.min_gap_ms,
            per_hour: pace.per_hour,
            per_day: pace.per_day,
        }
    }
}

impl From<wit::Command> for plain::Command {
    fn from(command: wit::Command) -> Self {
        Self {
            name: command.name,
            aliases: command.aliases,
            summary: command.summary,
            details: command.details,
            access: match command.access {
                wit::Access::Read => plain::Access::Read,
                wit::Access::Write => plain::Access::Write,
            },
            args: all(command.args),
            columns: all(command.columns),
            examples: all(command.examples),
            domain: command.domain,
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
            navigate_before: command.navigate_before,
            default_format: command.default_format,
            timeout_ms: command.timeout_ms,
            pace: command.pace.map(Into::into),
            notes: all(command.notes),
        }
    }
}

impl From<plain::Call> for wit::Call {
    fn from(call: plain::Call) -> Self {
        Self {
            command: call.command,
            args: all(call.args),
            given: call.given,
            notes: vec![],
        }
    }
}

impl From<wit::Output> for plain::Output {
    fn from(output: wit::Output) -> Self {
        Self {
            rows: rows(output.rows),
            footer: output.footer,
            notes: all(output.notes),
        }
    }
}

impl From<wit::Plan> for plain::Plan {
    fn from(plan: wit::Plan) -> Self {
        Self {
            summary: plan.summary,
            checks: all(plan.checks),
            will_send: all(plan.will_send),
            notes: all(plan.notes),
        }
    }
}
