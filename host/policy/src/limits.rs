//! The numbers a plugin meets, in one place. Source: the contract of `sr:runtime@0.1.0`.

/// Bytes of a URL. Without it a guest could make every log line and header megabytes long.
pub const URL_BYTES: usize = 8 * 1024;
/// Bytes of a host name (RFC 1035, 2.3.4).
pub const HOST_BYTES: usize = 253;
/// Bytes of one label of a host name (RFC 1035, 2.3.4).
pub const LABEL_BYTES: usize = 63;

/// Headers of a request. Without it a guest could exhaust the server's or our header table.
pub const HEADER_COUNT: usize = 64;
/// Bytes of all header names and values of a request together.
pub const HEADER_BYTES: usize = 32 * 1024;

/// Bytes of a denial's code, and of its rule.
pub const DENIAL_CODE_BYTES: usize = 64;
/// Bytes of a denial's subject.
pub const DENIAL_SUBJECT_BYTES: usize = 255;
/// Bytes of a denial's fix.
pub const DENIAL_FIX_BYTES: usize = 512;
/// Bytes of the message of a coded failure.
pub const MESSAGE_BYTES: usize = 2 * 1024;

/// Commands of a plugin. Without it one plugin could fill the index every start reads.
pub const COMMANDS: usize = 200;
/// Arguments of a command.
pub const ARGS: usize = 64;
/// Columns of a command.
pub const COLUMNS: usize = 64;
/// Other names of a command.
pub const ALIASES: usize = 8;
/// Examples of a command.
pub const EXAMPLES: usize = 16;
/// Bytes of all metadata of a plugin, as JSON.
pub const METADATA_BYTES: usize = 256 * 1024;
/// Bytes of a command, argument or column name.
pub const NAME_BYTES: usize = 64;
/// Milliseconds a command may ask for.
pub const TIMEOUT_MS: u32 = 600_000;
/// Milliseconds of a command that asks for none.
pub const DEFAULT_TIMEOUT_MS: u32 = 60_000;
/// Milliseconds between two runs that a pace may ask for: a day.
pub const PACE_GAP_MS: u32 = 86_400_000;

/// Rows handed over in one `emit`.
pub const ROWS_A_CALL: usize = 1_000;
/// Rows of a run. The host holds all of them until the end.
pub const ROWS_A_RUN: usize = 100_000;
/// Bytes of one cell.
pub const CELL_BYTES: usize = 64 * 1024;
/// Bytes of all cells of a run.
pub const CELLS_BYTES: usize = 16 * 1024 * 1024;
/// Milliseconds since 1970 of the first moment that a `time` cell may be: the start of the year 1.
pub const TIME_FIRST_MS: i64 = -62_135_596_800_000;
/// Milliseconds since 1970 of the last one: the end of the year 9999. RFC 3339 writes no later year.
pub const TIME_LAST_MS: i64 = 253_402_300_799_999;

/// Nesting of a JSON document.
pub const JSON_DEPTH: usize = 64;
/// Bytes of a recording.
pub const RECORDING_BYTES: usize = 64 * 1024 * 1024;
