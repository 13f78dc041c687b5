//! Plugin packages on disk.
//!
//! A package is a folder: `sr-plugin.json`, one component, perhaps a sitedata document. This
//! crate reads it once ([`Tree`], [`Package`]), says what it asks for, and keeps what was
//! installed in the person's home ([`Home`], [`Lock`]). It compiles and runs nothing.
//!
//! The rules that everything else relies on:
//! - Each file is opened once; the bytes that were hashed are the bytes that are used.
//! - Links, pipes, sockets and devices inside a package are refused without being opened.
//! - A lock that is missing, broken or newer never grants anything and is never overwritten.
//! - A write to the home happens whole or not at all, also when the process is killed.

mod command_lines;
mod digest;
mod entries;
mod escape;
mod fetch_folder;
mod file_list;
mod files;
mod flock;
mod git;
mod home;
mod home_error;
pub mod limits;
mod lock;
mod lock_file;
mod lock_text;
mod manifest;
mod manifest_error;
mod manifest_reader;
mod name;
mod package;
mod path;
mod place;
mod placement;
mod reference;
mod sitedata;
mod sitedata_check;
mod sitedata_error;
mod transaction;
mod tree;
mod tree_error;
mod verify;
mod world;

pub use command_lines::{ArgLine, CommandIndex, CommandLine, CommandLines};
pub use digest::{DigestError, Sha256Hex};
pub use entries::{IllegalEntries, IllegalEntry, Judged, judge, judge_entries};
pub use escape::shown_path;
pub use fetch_folder::FetchFolder;
pub use file_list::{FileList, Listed, ListedFile};
pub use git::{GitAddress, GitAddressError, GitOrigin};
pub use home::Home;
pub use home_error::{HomeError, OpenError};
pub use lock::{FileEntry, Lock, LockEntry, Source};
pub use lock_file::{LockError, parse_lock};
pub use manifest::{AccessClass, Manifest, ManifestParts, SitedataSource};
pub use manifest_error::{ManifestError, ManifestFault, ManifestFaults};
pub use name::{NameError, PluginName, RESERVED_NAMES};
pub use package::{MANIFEST_FILE, Package, PackageError, Strictness};
pub use path::{EXCLUDED_NAMES, PackagePath, PathError, is_excluded};
pub use place::IoFault;
pub use placement::{Installed, Placement};
pub use reference::{GitReference, ObjectId, RefName, ReferenceError};
pub use sitedata::{ExaminedSitedata, PointerError, Sitedata};
pub use sitedata_error::{SitedataError, SitedataFault, SitedataFaults};
pub use transaction::{Placing, Removed, Transaction};
pub use tree::{ReadObserver, Tree, TreeFile};
pub use tree_error::TreeError;
pub use verify::{Change, ChangeKind, Found, VerifyState, lengths_agree, verify};
pub use world::{SERVED_WORLD, World, WorldError};

#[doc(hidden)]
pub use home::Step;
