//! The files of this crate against their schemas and against what no schema can say.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a helper that cannot go on fails its test"
)]

mod cases;
mod catalog;
mod fakes;
#[path = "../generator/mod.rs"]
mod generator;
mod layout;
mod machines;
mod schemas;
mod vectors;
