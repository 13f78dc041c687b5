//! Whole-program tests: one binary, a module per topic. Each runs the built program in a home of its
//! own, against packages built from the test guests, and reaches nothing but loopback.
//! `cargo xtask test` builds what they need first.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, in its helpers too"
)]

mod support;

mod attacks;
mod author;
mod changed;
mod completion;
mod components;
mod contract;
mod disk;
mod documents;
mod domains;
mod failures;
mod faults;
mod formats;
mod git;
mod git_bounds;
mod git_hostile;
mod help;
mod hostile;
mod inspect;
mod install_early;
mod json;
mod life;
mod lint;
mod lint_and_install;
mod live;
mod lock;
mod migrate;
mod names;
mod odd_names;
mod output;
mod redirects;
mod signals;
mod site;
mod size;
mod sources;
mod store;
mod streams;
mod terminal;
mod trace;
mod trees;
mod users;
mod writes;
