//! The run itself: progress, cancellation, time, early rows, and the only way to wait.

use core::time::Duration;

use crate::output::Row;
use crate::{Cell, Result, host};

/// Rows the host takes in one call (WIT limits).
const ROWS_A_CALL: usize = 1000;

/// Tells how far it is; false once the run is cancelled, so that a loop can end politely.
pub fn progress(done: u64, total: impl Into<Option<u64>>, label: &str) -> bool {
    host::progress(done, total.into(), label)
}

/// Whether the run was cancelled.
#[must_use]
pub fn cancelled() -> bool {
    host::cancelled()
}

/// How long until the host ends this run.
#[must_use]
pub fn time_left() -> Duration {
    Duration::from_millis(host::time_left())
}

/// Waits; the host merges it with the site's pace. There is no other way to wait.
///
/// # Errors
/// `cancelled`, or the end of the run's time.
pub fn pause(wait: Duration) -> Result<()> {
    host::pause(milliseconds(wait))
}

/// Hands over rows before the end. They come before the rows that the command returns.
///
/// # Errors
/// `cancelled`, or a limit.
pub fn emit<T: Row>(rows: impl IntoIterator<Item = T>) -> Result<()> {
    let rows: Vec<Vec<Cell>> = rows.into_iter().map(T::into_cells).collect();
    rows.chunks(ROWS_A_CALL).try_for_each(host::emit)
}

/// Whole milliseconds; a wait longer than the contract can say becomes the longest it can.
pub(crate) fn milliseconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}

/// `5.s()` and `250.ms()`.
pub trait Seconds {
    /// So many seconds.
    fn s(self) -> Duration;
    /// So many milliseconds.
    fn ms(self) -> Duration;
}

impl Seconds for u32 {
    fn s(self) -> Duration {
        Duration::from_secs(u64::from(self))
    }

    fn ms(self) -> Duration {
        Duration::from_millis(u64::from(self))
    }
}
