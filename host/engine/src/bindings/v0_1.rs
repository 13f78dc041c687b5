//! `sr:runtime@0.1`, generated from the newest text, and its conversions to plain data.

#[expect(missing_docs, reason = "generated; the WIT documents each item")]
mod generated {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "adapter",
        // What never waits is called without the cost of a future.
        imports: { "sr:runtime/fetch": async, "sr:runtime/task": async },
        exports: { default: async },
    });
}

pub use generated::{Adapter, exports, sr};

/// The version this host offers.
pub const VERSION: &str = "0.1.0";

/// Each interface a component may import, with its functions. A test compares it with `wit/`.
pub const OFFERED: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("log", &["write", "enabled"]),
    (
        "task",
        &["progress", "cancelled", "time-left", "emit", "pause"],
    ),
    ("fetch", &["send", "send-all", "get-text"]),
    (
        "sitedata",
        &["strategy", "version", "get", "selectors", "text"],
    ),
];

/// Whether a component built for this version links here: any `0.1.n`.
#[must_use]
pub fn compatible(version: &str) -> bool {
    version
        .strip_prefix("0.1.")
        .is_some_and(|patch| !patch.is_empty() && patch.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether this host has the interface.
#[must_use]
pub fn has_interface(interface: &str) -> bool {
    OFFERED.iter().any(|(name, _)| *name == interface)
}

/// Whether this host has the function.
#[must_use]
pub fn offers(interface: &str, function: &str) -> bool {
    OFFERED
        .iter()
        .any(|(name, functions)| *name == interface && functions.contains(&function))
}

mod convert;

pub use convert::rows;
