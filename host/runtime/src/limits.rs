//! The limits a run of any plugin is under, for whoever wants to know them.

use sr_capabilities::limits::{LOG_LINES, REQUESTS, SEND_ALL};
use sr_engine::constants::{
    COMPONENT_BYTES, COMPUTE_MS, HOSTCALL_BYTES, MEMORY_BYTES, METADATA_MS, RUN_MS, RUN_MS_MAX,
    TABLE_ENTRIES, WASM_STACK_BYTES,
};
use sr_policy::limits::{CELL_BYTES, CELLS_BYTES, ROWS_A_RUN};

/// One limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Of what.
    pub name: &'static str,
    /// How much.
    pub most: u64,
    /// Of which unit.
    pub unit: &'static str,
}

/// The limits that matter to an author, most asked for first. A command may name another time.
#[must_use]
pub fn limits() -> Vec<Limit> {
    let limit = |name, most, unit| Limit { name, most, unit };
    vec![
        limit("run", u64::from(RUN_MS), "ms"),
        limit("run a command may ask for", u64::from(RUN_MS_MAX), "ms"),
        limit("computing without a wait", COMPUTE_MS, "ms"),
        limit("listing its commands", METADATA_MS, "ms"),
        limit("memory", MEMORY_BYTES as u64, "bytes"),
        limit("call stack", WASM_STACK_BYTES as u64, "bytes"),
        limit("table", TABLE_ENTRIES as u64, "entries"),
        limit("component", COMPONENT_BYTES as u64, "bytes"),
        limit("one host call", HOSTCALL_BYTES as u64, "bytes"),
        limit("requests", u64::from(REQUESTS), "a run"),
        limit("requests of one call", SEND_ALL as u64, "a call"),
        limit("log lines", u64::from(LOG_LINES), "a run"),
        limit("rows", ROWS_A_RUN as u64, "a run"),
        limit("one cell", CELL_BYTES as u64, "bytes"),
        limit("all cells", CELLS_BYTES as u64, "bytes"),
    ]
}
