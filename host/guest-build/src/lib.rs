//! How a component is built and laid out, in one place: `plugin build` and `cargo xtask guests` make
//! the same bytes of the same source.
//!
//! The profile and the renaming of folders travel on cargo's command line, so a crate needs neither
//! in its `Cargo.toml`. A component is named by its hash, so nothing of the machine may be in it.

mod folder;
mod profile;
mod sections;

pub use folder::{Files, FolderError, read_folder, replace_folder};
pub use profile::{PROFILE, TARGET, cargo_arguments, registry_folders};
pub use sections::{SectionError, without_names};
