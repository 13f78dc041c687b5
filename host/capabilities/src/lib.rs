//! What a component can import, each call through the policy, and how a command is run.
//!
//! A capability has three steps: [`check_manifest`] is pure and needs no component to run,
//! [`Host::new`] links once per engine, and each run gets its own [`RunState`]. Everything is
//! off until the manifest asks and the lock grants.

mod cancel;
mod check;
mod end;
mod fetch;
pub mod limits;
mod log;
mod run;
mod sitedata;
mod state;
mod task;

pub use cancel::Cancel;
pub use check::{CapabilityGap, check_manifest};
pub use end::RunEnd;
pub use run::{Host, HostError, RunReport, RunRequest};
pub use sitedata::SitedataView;
pub use state::RunState;
