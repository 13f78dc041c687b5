//! The files of this crate against their schemas and against what no schema can say.

mod cases;
mod catalog;
mod fakes;
#[path = "../generator/mod.rs"]
mod generator;
mod layout;
mod machines;
mod schemas;
mod vectors;
