//! Why nothing came out of a repository. One variant per cause, facts in fields.

use std::io;

use sr_plugin::{GitReference, IoFault, ObjectId, RefName, TreeError};

use super::limits;

/// Why nothing came out of a repository.
#[derive(Debug, thiserror::Error)]
pub enum GitFault {
    /// No `git` in any folder of `PATH`.
    #[error("no git program is found in the folders of PATH")]
    NoProgram,
    /// A git without the settings that keep a repository powerless.
    #[error("git is too old, needed: {needed}, found: {found}")]
    TooOld {
        /// The first version that will do.
        needed: &'static str,
        /// What `git version` says.
        found: String,
    },
    /// The system does not start it.
    #[error("cannot start git: {0}")]
    Start(io::Error),
    /// The transfer failed: network, TLS, name, server.
    #[error("git cannot fetch {url}: {words}")]
    Transfer {
        /// The repository.
        url: String,
        /// What git says; somebody else's words are in it.
        words: String,
    },
    /// The server wants a login, or hides that there is nothing.
    #[error("the server asks for a login, so the repository is private or not there: {url}")]
    Login {
        /// The repository.
        url: String,
    },
    /// The server points elsewhere.
    #[error("the server answers with a redirect, and none is followed: {url}")]
    Redirect {
        /// The repository.
        url: String,
    },
    /// There is no repository.
    #[error("the server knows no such repository: {url}")]
    NoRepository {
        /// The repository.
        url: String,
    },
    /// What came breaks git's own rules.
    #[error("git refuses the content of {url}: {words}")]
    Corrupt {
        /// The repository.
        url: String,
        /// What git says.
        words: String,
    },
    /// No such branch or tag.
    #[error("{url} has no branch or tag of this name: {name}")]
    NoReference {
        /// The repository.
        url: String,
        /// As asked for.
        name: RefName,
    },
    /// The repository says nothing about a default branch: it is empty.
    #[error("{url} names no default branch: it is empty, or no git server answers there")]
    NoDefault {
        /// The repository.
        url: String,
    },
    /// Both a branch and a tag.
    #[error("{url} has both a branch and a tag of this name: {name}")]
    Ambiguous {
        /// The repository.
        url: String,
        /// As asked for.
        name: RefName,
    },
    /// The beginning of a commit's id.
    #[error("a commit is named by its whole id of 40 or 64 digits, found: {name}")]
    ShortCommit {
        /// As asked for.
        name: RefName,
    },
    /// The server has no such commit.
    #[error("{url} has no such commit: {commit}")]
    NoCommit {
        /// The repository.
        url: String,
        /// As asked for.
        commit: ObjectId,
    },
    /// The server gives out the ends of branches and tags only.
    #[error("the server gives out branches and tags, but not single commits: {url}")]
    CommitNotServed {
        /// The repository.
        url: String,
    },
    /// The reference leads to a file, a folder, or a tag of one.
    #[error("{what} is no commit")]
    NotACommit {
        /// The reference or id.
        what: String,
    },
    /// The reference moved between two looks, or the server gave something else.
    #[error("the server gave another commit than it named, named: {named}, given: {given}")]
    OtherCommit {
        /// What the list of references says.
        named: String,
        /// What came.
        given: String,
    },
    /// No such folder in the commit.
    #[error("commit {commit} has no such folder: {folder}")]
    NoFolder {
        /// The commit.
        commit: ObjectId,
        /// The folder.
        folder: String,
    },
    /// Nothing built in it.
    #[error(
        "commit {commit} holds no built package: no sr-plugin.json at its root or in a folder of dist"
    )]
    NoPackage {
        /// The commit.
        commit: ObjectId,
        /// It looks like the sources of a plugin.
        sources: bool,
    },
    /// More than one built package.
    #[error("commit {commit} holds more than one package: {}", .folders.join(", "))]
    Several {
        /// The commit.
        commit: ObjectId,
        /// Their folders.
        folders: Vec<String>,
    },
    /// A file or name that no package may have.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A file that is not in the repository but in a store beside it.
    #[error("a package holds whole files; this one is a Git LFS pointer: {path}")]
    LargeFilePointer {
        /// Path in the package.
        path: String,
    },
    /// Too slow.
    #[error("fetching {url} took longer than {seconds} s")]
    Timeout {
        /// The repository.
        url: String,
        /// The bound.
        seconds: u64,
    },
    /// Too much.
    #[error(
        "fetching {url} put more than {} bytes on the disk",
        limits::FETCH_BYTES
    )]
    TooLarge {
        /// The repository.
        url: String,
    },
    /// A signal asked to end.
    #[error("interrupted while fetching {url}")]
    Interrupted {
        /// The repository.
        url: String,
    },
    /// An answer of git that this program does not understand.
    #[error("git gave an answer that is not understood: git {command}: {reason}")]
    Answer {
        /// Its first word.
        command: &'static str,
        /// What is odd, or what git says.
        reason: String,
    },
    /// The fetch folder cannot be used.
    #[error(transparent)]
    Io(#[from] IoFault),
}

impl GitFault {
    /// For a reference that leads to no commit.
    pub(crate) fn not_a_commit(reference: Option<&GitReference>) -> Self {
        Self::NotACommit {
            what: reference.map_or_else(|| "HEAD".to_owned(), ToString::to_string),
        }
    }
}
