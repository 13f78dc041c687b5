//! Packages from a repository: the `git` program does the transfer, and nothing else.
//!
//! The reference is resolved once, that one commit is fetched into a bare repository in a folder
//! of its own, and the package's files are taken out as blobs. There is never a work tree, so hooks,
//! attributes, filters, line ends, links and submodules of a repository have nothing to act on. The
//! files then pass the rules of every package folder.

mod child;
mod content;
mod fault;
mod fetcher;
pub mod limits;
mod program;
mod resolve;
mod words;

pub use fault::GitFault;
pub use fetcher::FetchOptions;
pub(crate) use fetcher::{Fetched, Fetcher};
