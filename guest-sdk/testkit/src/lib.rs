//! Runs an adapter's commands natively, on recorded replies: no wasm, no network.
//!
//! Allowlist, methods, headers, metadata and rows are checked by the very rules of the host
//! (`sr-policy`), so a command that works here is not refused there for another reason.
//!
//! ```no_run
//! # fn sr_plugin() -> sr_guest::Plugin { sr_guest::Plugin::new(&[]) }
//! use sr_guest_testkit::Testkit;
//!
//! # fn main() -> sr_guest::Result<()> {
//! let kit = Testkit::new(sr_plugin())
//!     .manifest(br#"{"domains": ["export.arxiv.org"], "capabilities": ["fetch"]}"#)
//!     .recording(br#"{"version": 1, "clock_ms": 0, "seed": 0, "exchanges": []}"#);
//! let rows = kit.run("paper", &["1706.03762"])?;
//! assert_eq!(rows.text(0, "title"), Some("Attention Is All You Need"));
//! # Ok(())
//! # }
//! ```
//!
//! Most of what a test would say fits a fixture, which `sr-runtime plugin test` also runs in the
//! real host: see [`fixtures!`].

mod command_line;
mod convert;
mod fixtures;
mod host;
mod kit;
mod redirect;
mod rows;
mod sitedata;

pub use fixtures::check_fixtures;
pub use kit::{TESTKIT, Testkit, Write};
pub use rows::Rows;
pub use sr_guest::bindings::sr::runtime::log::Level;
