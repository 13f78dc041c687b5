//! What sr-plugin promises, one module per topic.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a helper that cannot go on fails its test"
)]

mod domains;
mod faults;
mod hash;
mod home;
mod json;
mod killed;
mod lock;
mod manifest;
mod names;
mod schema;
mod sitedata;
mod support;
mod tree;
mod verify;
mod writers;
