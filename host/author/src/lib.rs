//! The author's loop: what turns a crate into a package folder that a person can install.
//!
//! A crate of a plugin has its manifest in `plugin/sr-plugin.json`; its package folder is
//! `dist/NAME`, which holds the manifest, the component, the calibration document and a README.
//!
//! | step | what |
//! |---|---|
//! | [`Sdk`] | the SDK's sources, carried by the program and laid out in `~/.sr/sdk/VERSION` |
//! | [`create`] | a new crate that builds and is tested with no edit |
//! | [`Workshop`] | cargo, with the one profile of a component; the package folder |
//! | [`fixtures`] | what a crate's commands must answer on recorded replies |
//! | [`Snapshot`] | what changed since the last build |

mod adopt;
mod create;
mod error;
mod fixtures;
pub mod lint;
pub mod migrate;
mod project;
mod sdk;
mod snapshot;
mod workshop;

pub use create::{Created, create};
pub use error::AuthorError;
pub use fixtures::{FILTER_VARIABLE, fixtures};
pub use lint::lint;
pub use migrate::migrate;
pub use project::Project;
pub use sdk::Sdk;
pub use snapshot::Snapshot;
pub use workshop::{Built, Workshop};
