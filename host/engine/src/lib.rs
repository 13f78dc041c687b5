//! wasmtime, narrowed: one configuration, the limits of a run, the store of compiled
//! components, and the bindings of each WIT version.
//!
//! Nothing here grants anything. A component gets what `host/capabilities` links, and the only
//! WASI it sees is `cli`, `io`, `clocks`, `random` and a file system without preopens.

mod aot;
mod compile;
mod config;
mod error;
mod file_limit;
mod inspect;
mod limits;
mod sizes;
mod streams;
mod ticker;
mod wasi;
mod wit_text;

pub mod bindings;

pub use aot::{AotStore, Loaded, Provenance, counters};
pub use compile::{COMPILER_WORD, Compiler, compile_standard_input};
pub use config::engine;
pub use error::EngineError;
pub use file_limit::outlive_file_limits;
pub use inspect::{ComponentShape, Import, WorldVersion, inspect};
pub use limits::{Limiter, constants};
pub use sizes::{ComponentSizes, component_sizes};
pub use streams::started_without_stdout;
pub use ticker::Ticker;
pub use wasi::{CapturedOutput, WasiSettings, link_wasi};
pub use wit_text::wit_text;

pub use wasmtime;
pub use wasmtime_wasi;
