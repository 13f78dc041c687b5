//! What a fetch may cost. The server and the repository are somebody else's.

use std::time::Duration;

/// For everything that git does for one source, unless `--timeout` says otherwise. Without it a
/// server that sends a byte now and then would hold the command for ever.
pub const FETCH: Duration = Duration::from_secs(120);
/// The longest time that can be asked for: beyond it nobody waits on purpose.
pub const LONGEST_FETCH: Duration = Duration::from_secs(3_600);
/// Bytes a fetch may put on the disk: twice the largest package. Without it a repository could fill
/// the disk of the home.
pub const FETCH_BYTES: u64 = 128 * 1024 * 1024;
/// How often the disk is looked at while git runs. There is no event for its growth.
pub(crate) const LOOK: Duration = Duration::from_millis(50);
/// Bytes of a list of references. One to three were asked for; a server can answer with any number.
pub(crate) const REFERENCES_BYTES: usize = 64 * 1024;
/// Bytes of a list of files: far more than a package can have, so that what is left out of packages
/// does not count against it.
pub(crate) const LIST_BYTES: usize = 8 * 1024 * 1024;
/// Bytes of git's own words that are kept, the last ones.
pub(crate) const WORDS_BYTES: usize = 16 * 1024;
/// Lines of them that are told.
pub(crate) const WORDS_LINES: usize = 4;
/// Folders of `dist` that are looked into for a package.
pub(crate) const DIST_FOLDERS: usize = 64;
/// Files below the fetch folder that are counted when the disk is looked at; a bare repository
/// with one pack has some dozens.
pub(crate) const COUNTED_FILES: usize = 4_096;
