//! Attacks on the way out, each against real local servers.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod addresses;
mod bounds;
mod options;
mod proxy;
mod recording;
mod redirects;
mod requests;
mod reuse;
mod support;
mod text;
mod tls;
