//! The author's loop: what turns a crate into a package folder that a person can install.
//!
//! A crate of a plugin has its manifest in `plugin/sr-plugin.json`; its package folder is
//! `dist/NAME`, which holds the manifest, the component, the calibration document and a README.

pub mod lint;
pub mod migrate;
mod project;

pub use lint::lint;
pub use migrate::migrate;
pub use project::Project;
