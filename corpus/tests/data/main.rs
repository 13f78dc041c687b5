//! The files of this crate against their schemas and against what no schema can say.
#![cfg(feature = "corpus")]

mod catalog;
mod layout;
mod schemas;
