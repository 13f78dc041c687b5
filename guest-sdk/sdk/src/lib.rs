//! Write a site adapter for `sr-runtime` in a page of Rust.
//!
//! An adapter is a component: it has no network, no files and no clock of its own. What it
//! wants from the outside it asks of the host, and the host answers within what the plugin's
//! manifest names and the person granted. A refusal is an ordinary [`Failure`], passed on by `?`.
//!
//! ```
#![doc = include_str!("../examples/hello.rs")]
//! ```
//!
//! Each function is a command: its parameters are the arguments, its doc comment the help, the
//! fields of what it returns the columns. See [`macro@prelude::command`] for all that can be said.
//! A command that changes something is `#[command(write)]` and returns `Result<Prepared>`:
//! it fills everything in, says what it will send, and sends it only in the closure of `then`.
//!
//! The crate builds natively too, so a test can run a command on recorded replies with
//! `sr-guest-testkit`: no wasm, no network.

pub mod arguments;
pub mod bindings;
pub mod failure;
pub mod fetch;
pub mod grid;
pub mod host;
pub mod json;
pub mod log;
pub mod output;
pub mod plugin;
pub mod prelude;
pub mod sitedata;
#[cfg(any(test, all(feature = "small", target_os = "wasi")))]
#[allow(
    unsafe_code,
    reason = "an allocator and C's calling convention are pointers"
)]
mod small;
pub mod spec;
pub mod task;
mod text;
mod time;
pub mod url;
pub mod value;

pub use arguments::{ArgValue, Arguments};
pub use bindings::exports::sr::runtime::plugin::{Call, Command, Output, Plan};
pub use bindings::sr::runtime::types::{Cell, CellKind, Failure, Grid, Named};
pub use failure::Result;
pub use output::{PreparedWrite, Row};
pub use plugin::Plugin;
pub use value::ColumnValue;
