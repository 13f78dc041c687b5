//! What git says when it fails, and which cause that means.
//!
//! The words choose an exit code and a hint and nothing else: what is not recognised is a failed
//! transfer with git's own words.

use sr_plugin::ObjectId;

use super::fault::GitFault;
use super::limits;

/// The lines that say what went wrong, without the progress between them.
pub(crate) fn telling(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let said = || text.split(['\n', '\r']).map(str::trim);
    let matters = |line: &&str| {
        ["fatal: ", "error: ", "remote: error", "remote: fatal"]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let lines: Vec<&str> = said().filter(matters).take(limits::WORDS_LINES).collect();
    match lines.is_empty() {
        false => lines.join("; "),
        true => said()
            .rfind(|line| !line.is_empty())
            .unwrap_or("it says nothing")
            .to_owned(),
    }
}

/// The cause of a failed transfer.
pub(crate) fn transfer(url: &str, commit: Option<&ObjectId>, stderr: &[u8]) -> GitFault {
    let words = telling(stderr);
    let url = url.to_owned();
    let says = |texts: &[&str]| texts.iter().any(|text| words.contains(text));
    if says(&[
        "could not read Username",
        "could not read Password",
        "Authentication failed",
    ]) {
        return GitFault::Login { url };
    }
    if says(&[
        "returned error: 30",
        "unable to update url base from redirection",
    ]) {
        return GitFault::Redirect { url };
    }
    // By the bound on a file, before the next look at the disk.
    if says(&["index-pack died of signal"]) {
        return GitFault::TooLarge { url };
    }
    if says(&["fsck error", "fsck failed", "invalid index-pack output"]) {
        return GitFault::Corrupt { url, words };
    }
    if says(&["Server does not allow request for unadvertised object"]) {
        return GitFault::CommitNotServed { url };
    }
    match commit {
        Some(commit) if says(&["not our ref", "couldn't find remote ref"]) => GitFault::NoCommit {
            url,
            commit: commit.clone(),
        },
        _ if words.contains("repository '") && words.contains("' not found") => {
            GitFault::NoRepository { url }
        }
        _ => GitFault::Transfer { url, words },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_not_a_reason() {
        let said = b"remote: Counting objects: 50% (1/2)\rremote: Counting objects: 100% (2/2)\n\
            error: 1234: hasDotdot: contains '..'\nfatal: fsck error in packed object\n";
        assert_eq!(
            telling(said),
            "error: 1234: hasDotdot: contains '..'; fatal: fsck error in packed object"
        );
        assert_eq!(telling(b"something else\n\n"), "something else");
        assert_eq!(telling(b""), "it says nothing");
    }

    #[test]
    fn what_is_known_has_its_own_fault() {
        let fault = |said: &str| transfer("https://x.test/r", None, said.as_bytes());
        let died =
            "error: index-pack died of signal 25\nfatal: fetch-pack: invalid index-pack output\n";
        assert!(matches!(fault(died), GitFault::TooLarge { .. }));
        let broken = "error: 12: hasDotdot: contains '..'\nfatal: fsck error in packed object\n";
        assert!(matches!(fault(broken), GitFault::Corrupt { .. }));
        let login =
            "fatal: could not read Username for 'https://x.test': terminal prompts disabled\n";
        assert!(matches!(fault(login), GitFault::Login { .. }));
    }

    #[test]
    fn unknown_words_are_a_failed_transfer_with_these_words() {
        let fault = transfer(
            "https://x.test/r",
            None,
            b"fatal: unable to access: no route\n",
        );
        assert!(
            matches!(&fault, GitFault::Transfer { words, .. } if words.ends_with("no route")),
            "{fault:?}"
        );
    }
}
