//! Finds browsers that can be driven, and does nothing else.
//!
//! The core reads no file, opens no connection and starts no process. It is a function from what
//! is known to what is asked next: [`Core::step`] takes a [`Machine`] and the [`Facts`] so far, and
//! gives either [`Step::Need`], questions that whoever embeds it answers, or [`Step::Done`], the
//! report. It holds no state, so the same bytes run natively, as a WebAssembly module and as a
//! component. Its questions are its only permissions.
//!
//! ```
//! use sr_discovery::{Answer, Ask, Core, Facts, Machine, Os, Step};
//!
//! let core = Core::new(sr_browsers::catalog())?;
//! let mut machine = Machine::new(Os::Linux);
//! machine.cdp = vec!["localhost:9333".into()];
//! let mut facts = Facts::new();
//! let report = loop {
//!     match core.step(&machine, &facts)? {
//!         Step::Done(report) => break report,
//!         Step::Need(asks) => facts.extend(asks.into_iter().map(|ask| {
//!             let answer = match &ask {
//!                 Ask::Version(address) if address.port == 9333 => Answer::Refused,
//!                 _ => Answer::Absent,
//!             };
//!             (ask, answer)
//!         })),
//!     }
//! };
//! assert!(report.entries.is_empty());
//! assert!(report.notes.iter().any(|note| note.place == "localhost:9333"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod address;
mod ask;
mod core;
mod endpoint;
pub mod explain;
mod find;
mod installed;
mod look;
mod machine;
#[cfg(all(feature = "native", unix))]
pub mod native;
mod origins;
mod places;
mod port_file;
mod process;
mod report;
mod six;
mod step;
mod tabs;

pub use crate::core::{CatalogError, Core, protected_rules};
pub use ask::{Address, Answer, ArgvProcess, Ask, Bundle, Facts};
pub use look::UnfitAnswer;
pub use machine::{Machine, Options, Os, SevenTabs, Source};
pub use report::{Endpoint, Entry, Installed, Report, Tab, What};
pub use step::{Step, StepError};

/// Bytes of a file that are read: a port file, a `.desktop` file, a snap's description.
pub const FILE_BYTES: usize = 16 * 1024;
/// Bytes of an HTTP answer that are read. A browser with thousands of tabs stays below.
pub const BODY_BYTES: usize = 8 * 1024 * 1024;
/// Rounds of questions that lead to a report, whatever the answers are.
pub const ROUNDS: usize = 4;
