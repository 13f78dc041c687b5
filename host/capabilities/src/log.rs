//! `log`: lines for the person. Never suspends.

use sr_engine::bindings::v0_1::sr::runtime::log::{Host, Level};
use sr_policy::observer::LogLevel;
use sr_policy::request::Phase;

use crate::limits::{LOG_LINE_BYTES, LOG_LINES};
use crate::state::RunState;

impl Host for RunState {
    fn write(&mut self, level: Level, message: String) {
        let Some(observer) = &self.observer else {
            return;
        };
        if self.policy.phase == Phase::Metadata {
            return;
        }
        self.log_lines = self.log_lines.saturating_add(1);
        match self.log_lines {
            lines if lines <= LOG_LINES => {
                let end = message.floor_char_boundary(LOG_LINE_BYTES);
                observer.log(plain(level), &message.get(..end).unwrap_or_default().into());
            }
            lines if lines == LOG_LINES + 1 => {
                observer.log(
                    LogLevel::Warn,
                    &"more log lines than a run may write; the rest is dropped".into(),
                );
            }
            _ => {}
        }
    }

    fn enabled(&mut self, level: Level) -> bool {
        let phase = self.policy.phase;
        self.observer
            .as_ref()
            .is_some_and(|observer| phase != Phase::Metadata && observer.log_enabled(plain(level)))
    }
}

fn plain(level: Level) -> LogLevel {
    match level {
        Level::Trace => LogLevel::Trace,
        Level::Debug => LogLevel::Debug,
        Level::Info => LogLevel::Info,
        Level::Warn => LogLevel::Warn,
        Level::Error => LogLevel::Error,
    }
}
