//! The promises of the policy, one module per topic.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail the test"
)]

mod addresses;
mod allowlist;
mod capabilities;
mod commands;
mod dates;
mod examine;
mod exits;
mod fixtures;
mod headers;
mod json;
mod recordings;
mod redaction;
mod requests;
mod rows;
#[cfg(feature = "suffixes")]
mod suffixes;
mod untrusted;
mod urls;
