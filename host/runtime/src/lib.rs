//! Install, verify, update and run plugins.
//!
//! What the command line calls, and later the daemon's clients: the order of checks lives here,
//! the checks themselves in the crates below. Nothing here prints.

mod arguments;
mod changed;
mod ending;
mod fault;
pub mod git;
mod inspect;
mod install;
mod limits;
mod metadata;
mod nearby;
mod new_file;
mod open;
mod outcome;
mod recorded;
mod recording;
mod run;
mod runtime;
mod source;
mod state;
mod survey;
mod trace;
mod update;

pub use arguments::{ArgumentError, Typed, call};
pub use changed::{Changed, kind_word};
pub use ending::end_when_asked;
pub use fault::Fault;
pub use git::{FetchOptions, GitFault};
pub use inspect::{ComponentFacts, Inspection, inspect_folder, is_folder};
pub use install::{InstallOptions, Installed, Removal, writes};
pub use limits::{Limit, limits};
pub use metadata::read_commands;
pub use nearby::Instead;
pub use open::OpenPlugin;
pub use recorded::Recorded;
pub use recording::read_file;
pub use run::{Ran, RunOptions, command_named};
pub use runtime::{Runtime, Strictness};
pub use state::PluginState;
pub use survey::{Listed, Verdict};
pub use update::{MoreAsked, MovedTag, UpdateOptions, UpdateOutcome, Updated};

pub use sr_capabilities::{Cancel, HostError, RunEnd};
pub use sr_egress::{ConnectRule, Missed, Options as EgressOptions, Proxy, ResolveRule};
pub use sr_engine::{
    COMPILER_WORD, EngineError, compile_standard_input, outlive_file_limits, started_without_stdout,
};
