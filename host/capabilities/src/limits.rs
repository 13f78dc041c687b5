//! What one run may ask of the host. Each number says what a guest could do without it.

/// Requests a run: without it a loop turns the plugin into a load generator.
pub const REQUESTS: u32 = 500;
/// Requests of one `send-all`.
pub const SEND_ALL: usize = 32;
/// Bytes of all replies of one `send-all`, plus those in flight: 32 replies of the largest size
/// would take half a gigabyte of the host before the guest's own limit ends it.
pub const SEND_ALL_BYTES: usize = 64 * 1024 * 1024;
/// Requests of one `send-all` in flight.
pub const AT_ONCE: u8 = 8;
/// Bytes of one log line; longer ones are cut.
pub const LOG_LINE_BYTES: usize = 4 * 1024;
/// Log lines a run; more are counted and not kept.
pub const LOG_LINES: u32 = 1_000;
/// Rows of one `emit`.
pub const EMIT_ROWS: usize = 1_000;
/// Milliseconds one `pause` may take.
pub const PAUSE_MS: u32 = 60_000;
/// Bytes of a sitedata value.
pub const VALUE_BYTES: usize = 64 * 1024;
/// Characters of a progress label that are shown.
pub const LABEL_CHARS: usize = 200;
/// Milliseconds between two progress lines that are shown.
pub const PROGRESS_GAP_MS: u64 = 100;
/// Bytes of each text of a guest's failure; longer ones are cut before they are kept. Without it
/// a failure of 20 MiB is printed line by line.
pub const MESSAGE_BYTES: usize = 2 * 1024;
/// Hints of a guest's `stale` failure.
pub const CANDIDATES: usize = 5;
