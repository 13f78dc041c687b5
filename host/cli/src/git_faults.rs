//! Faults of a fetch as errors of the command line.

use sr_host::GitFault;
use sr_policy::exit;

use crate::error::CommandError;

/// The error with its code, exit code and what to do; `error` knows the message.
pub(crate) fn told(fault: &GitFault, error: impl Fn(&str, u8) -> CommandError) -> CommandError {
    match fault {
        GitFault::NoProgram | GitFault::TooOld { .. } => error("NO_GIT", exit::UNAVAILABLE)
            .hint("install git, or fetch the repository yourself and install its folder"),
        GitFault::Start(_) => error("NO_GIT", exit::UNAVAILABLE),
        GitFault::Transfer { .. } => error("UNAVAILABLE", exit::UNAVAILABLE).hint(
            "a server with its own certificate authority: --cacert FILE; proxies, saved logins and the settings of git are not used",
        ),
        GitFault::Login { .. } => error("UNAVAILABLE", exit::UNAVAILABLE)
            .hint("check the address; for a private repository fetch it yourself and install its folder"),
        GitFault::Redirect { .. } => error("UNAVAILABLE", exit::UNAVAILABLE)
            .hint("give the address that it leads to, often the same with .git behind it"),
        GitFault::CommitNotServed { .. } => error("UNAVAILABLE", exit::UNAVAILABLE)
            .hint("name a branch or tag that ends in the commit"),
        GitFault::NoRepository { .. } => error("NOT_FOUND", exit::EMPTY),
        GitFault::NoReference { .. } | GitFault::NoDefault { .. } => {
            error("NOT_FOUND", exit::EMPTY).hint("git ls-remote shows what a repository has")
        }
        GitFault::NoCommit { .. } | GitFault::NoFolder { .. } => error("NOT_FOUND", exit::EMPTY),
        GitFault::Ambiguous { name, .. } => error("USAGE", exit::USAGE)
            .hint(format!("write #refs/heads/{name} or #refs/tags/{name}")),
        GitFault::ShortCommit { .. } => error("USAGE", exit::USAGE)
            .hint("the beginning of an id can come to mean another commit; git rev-parse tells the whole"),
        GitFault::NotACommit { .. } => error("USAGE", exit::USAGE),
        GitFault::OtherCommit { .. } => error("TEMPORARY", exit::TEMPORARY)
            .hint("it may have moved in between: run it again"),
        GitFault::NoPackage { sources: true, .. } => error("PACKAGE", exit::CONFIG)
            .hint("these are the sources of a plugin, and install never builds: run sr-runtime plugin build in them and commit the folder dist/NAME"),
        GitFault::NoPackage { sources: false, .. } => error("PACKAGE", exit::CONFIG)
            .hint("for a package elsewhere in the repository: git+https://HOST/PATH?path=FOLDER#REF"),
        GitFault::Several { folders, .. } => {
            let first = folders.first().map_or("", String::as_str);
            error("USAGE", exit::USAGE).hint(format!("choose one: git+https://HOST/PATH?path={first}#REF"))
        }
        GitFault::Corrupt { .. } | GitFault::Tree(_) | GitFault::TooLarge { .. } => {
            error("PACKAGE", exit::CONFIG)
        }
        GitFault::LargeFilePointer { .. } => error("PACKAGE", exit::CONFIG)
            .hint("commit the file itself: git lfs untrack, then add it again"),
        GitFault::Timeout { .. } => error("TIMEOUT", exit::TEMPORARY)
            .hint("a slow line may need more: --timeout SECONDS"),
        GitFault::Interrupted { .. } => error("CANCELLED", exit::INTERRUPTED),
        GitFault::Answer { .. } => error("UNAVAILABLE", exit::UNAVAILABLE),
        GitFault::Io(_) => error("FILES", exit::GENERIC),
    }
}
