//! Why a step of the author's loop did not happen.

use std::io;
use std::path::{Path, PathBuf};

use sr_guest_build::{FolderError, SectionError};
use sr_plugin::{ManifestFaults, NameError};
use sr_policy::fixture::FixtureError;

/// Why a step did not happen.
#[derive(Debug, thiserror::Error)]
pub enum AuthorError {
    /// Not a plugin's name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A plugin's name that no crate can have.
    #[error("a crate cannot have this name, {why}: \"{name}\"")]
    CrateName {
        /// The name.
        name: String,
        /// Whose it is.
        why: &'static str,
    },
    /// Something is where the crate should be made.
    #[error("{}: there already, and not an empty folder", .path.display())]
    Taken {
        /// The place.
        path: PathBuf,
    },
    /// No crate of a plugin.
    #[error("{}: no crate of a plugin; a file is missing: {missing}", .path.display())]
    NoProject {
        /// The folder.
        path: PathBuf,
        /// What it lacks.
        missing: &'static str,
    },
    /// The manifest of the plugin cannot be used.
    #[error("{}: {source}", .path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<ManifestFaults>,
    },
    /// A folder cannot be read or replaced.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The system refused.
    #[error("cannot {action} {}: {source}", .path.display())]
    Io {
        /// The verb and its object.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process lays out the SDK and does not end.
    #[error("{}: held by another process for more than {seconds} s", .path.display())]
    Busy {
        /// The lock.
        path: PathBuf,
        /// How long was waited.
        seconds: u64,
    },
    /// A link or a file lies where a folder or file of the crate's own is to be written.
    #[error("{}: a link, or not what belongs here; nothing is written through it", .path.display())]
    LeadsElsewhere {
        /// The place.
        path: PathBuf,
    },
    /// Something that is no link lies where the crate's link to the SDK belongs.
    #[error("{}: not the link to the SDK that belongs here", .path.display())]
    NoLink {
        /// The place.
        path: PathBuf,
    },
    /// A program is not on the path.
    #[error("this program is needed and not found: {program}")]
    NoProgram {
        /// Its name.
        program: &'static str,
    },
    /// Rust has no standard library for components.
    #[error("Rust cannot build for this target yet: {target}")]
    NoTarget {
        /// The target.
        target: &'static str,
    },
    /// A program said no; its own words are on the screen.
    #[error("{line}: {ended}")]
    Failed {
        /// What was run.
        line: String,
        /// How it ended.
        ended: String,
    },
    /// Cargo's description of the crate cannot be read.
    #[error("cargo metadata: not what it should be: {reason}")]
    Metadata {
        /// Why.
        reason: String,
    },
    /// Cargo built no component of this crate.
    #[error("{}: cargo built no component of it", .path.display())]
    NoComponent {
        /// The crate's manifest.
        path: PathBuf,
    },
    /// What cargo built is no component.
    #[error("{}: {source}", .path.display())]
    Component {
        /// The file.
        path: PathBuf,
        /// Why.
        source: SectionError,
    },
    /// `plugin/` holds a file where the component goes.
    #[error("{}: the component is put here, so nothing else may lie here or stand in its way", .path.display())]
    ComponentTaken {
        /// The file.
        path: PathBuf,
    },
    /// The crate has no fixtures.
    #[error("{}: no fixture is there", .path.display())]
    NoFixtures {
        /// The folder.
        path: PathBuf,
    },
    /// No fixture of that name.
    #[error("no fixture has this in its name: {filter}")]
    NoMatch {
        /// What was asked for.
        filter: String,
        /// Those there are.
        names: Vec<String>,
    },
    /// A fixture cannot be used.
    #[error(transparent)]
    Fixture(#[from] FixtureError),
    /// A folder is too large to be watched.
    #[error("{}: more than {most} files to watch", .path.display())]
    TooManyFiles {
        /// The folder.
        path: PathBuf,
        /// The bound.
        most: usize,
    },
}

impl AuthorError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}
