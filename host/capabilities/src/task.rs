//! `task`: progress, cancellation, time, early rows, and the only way to wait.

use std::time::{Duration, Instant};

use sr_engine::bindings::v0_1::rows as plain_rows;
use sr_engine::bindings::v0_1::sr::runtime::task::Host;
use sr_engine::bindings::v0_1::sr::runtime::types;
use sr_policy::failure::codes;
use sr_policy::limits::ROWS_A_RUN;
use sr_policy::observer::Progress;
use sr_policy::request::Phase;
use sr_policy::{Denial, Failure};

use crate::limits::{EMIT_ROWS, LABEL_CHARS, PAUSE_MS, PROGRESS_GAP_MS};
use crate::state::RunState;

impl Host for RunState {
    async fn progress(&mut self, done: u64, total: Option<u64>, label: String) -> bool {
        if self.policy.phase == Phase::Metadata || self.clock.cancel.is_cancelled() {
            return false;
        }
        let gap = Duration::from_millis(PROGRESS_GAP_MS);
        let due = self.last_progress.is_none_or(|last| last.elapsed() >= gap);
        if let Some(observer) = self.observer.as_ref().filter(|_| due) {
            let label: String = label.chars().take(LABEL_CHARS).collect();
            observer.progress(&Progress {
                done,
                total,
                label: label.into(),
            });
            self.last_progress = Some(Instant::now());
        }
        true
    }

    async fn cancelled(&mut self) -> bool {
        self.clock.cancel.is_cancelled()
    }

    async fn time_left(&mut self) -> u64 {
        let left = self.clock.ends.saturating_duration_since(Instant::now());
        u64::try_from(left.as_millis()).unwrap_or(u64::MAX)
    }

    async fn emit(&mut self, rows: Vec<Vec<types::Cell>>) -> Result<(), types::Failure> {
        let started = self.started();
        let answer = self.keep(rows);
        self.observe("task.emit", "", started, &answer);
        Ok(answer?)
    }

    async fn pause(&mut self, ms: u32) -> Result<(), types::Failure> {
        let started = self.started();
        let answer = match self.admit("task.pause") {
            Err(failure) => Err(failure),
            Ok(()) if ms > PAUSE_MS => Err(Failure::Invalid {
                name: "ms".into(),
                reason: format!("{ms} is over the limit of {PAUSE_MS} for one pause"),
            }),
            Ok(()) => {
                let sleep = tokio::time::sleep(Duration::from_millis(ms.into()));
                Self::wait(&mut self.clock, async {
                    sleep.await;
                    Ok(())
                })
                .await
            }
        };
        self.observe("task.pause", "", started, &answer);
        Ok(answer?)
    }
}

impl RunState {
    fn keep(&mut self, rows: Vec<Vec<types::Cell>>) -> Result<(), Failure> {
        self.admit("task.emit")?;
        let invalid = |reason: String| Failure::Invalid {
            name: "rows".into(),
            reason,
        };
        if rows.len() > EMIT_ROWS {
            return Err(invalid(format!(
                "{} rows in one call, limit {EMIT_ROWS}",
                rows.len()
            )));
        }
        if self.meter.rows() + rows.len() > ROWS_A_RUN {
            return Err(Failure::Denied(Denial::new(
                codes::LIMIT_REACHED,
                "rows-per-run",
                &format!("{ROWS_A_RUN} rows in one run"),
                None,
            )));
        }
        let rows = plain_rows(rows);
        self.meter
            .check(&self.columns, &rows)
            .map_err(|fault| invalid(fault.to_string()))?;
        self.emitted.extend(rows);
        Ok(())
    }
}
