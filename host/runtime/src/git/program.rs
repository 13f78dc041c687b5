//! The `git` program: where it is, and what it is told so that neither the person's settings nor
//! the repository's have a say.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::fault::GitFault;

/// The first version that knows `GIT_CONFIG_GLOBAL`.
const OLDEST: (u32, u32) = (2, 32);
const OLDEST_TEXT: &str = "2.32";

/// Settings for every call. They stand on the command line, which wins over every file.
const SETTINGS: &[&str] = &[
    // Nothing that a repository or a person configured runs.
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.askPass=",
    "credential.helper=",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "gc.auto=0",
    "maintenance.auto=false",
    // https and nothing else; the server that was named and no other.
    "protocol.allow=never",
    "protocol.https.allow=always",
    "protocol.version=2",
    "http.sslVerify=true",
    "http.followRedirects=false",
    "http.proxy=",
    // No ticket of the person's is offered to a server that asks for one.
    "http.emptyAuth=false",
    "transfer.credentialsInUrl=die",
    "transfer.bundleURI=false",
    // A server that goes quiet is left before the whole time is over.
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=30",
    // Every object is checked, and stays in the one pack it came in.
    "transfer.fsckObjects=true",
    "fetch.fsckObjects=true",
    "transfer.unpackLimit=1",
    "fetch.unpackLimit=1",
    "pack.threads=1",
    // A blob that no package may hold is checked in pieces, not in memory.
    "core.bigFileThreshold=16m",
];

/// The program and the folder it works in.
#[derive(Debug)]
pub(crate) struct Program {
    path: PathBuf,
    folder: PathBuf,
    cacert: Option<PathBuf>,
}

impl Program {
    /// The program at this path, working in this folder.
    pub(crate) fn new(path: PathBuf, folder: &Path) -> Self {
        Self {
            path,
            folder: folder.to_owned(),
            cacert: None,
        }
    }

    /// Certificates, in a file, that replace the system's.
    pub(crate) fn trust(&mut self, cacert: PathBuf) {
        self.cacert = Some(cacert);
    }

    /// The repository, which need not be there yet.
    pub(crate) fn repository(&self) -> PathBuf {
        self.folder.join("repository")
    }

    /// Where git finds itself, and a wrapper around it the system's tools.
    fn search(&self) -> OsString {
        let system = ["/usr/bin", "/bin"].map(Path::new);
        std::env::join_paths(self.path.parent().into_iter().chain(system)).unwrap_or_default()
    }

    /// A command outside of any repository.
    pub(crate) fn plain(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        command
            .env_clear()
            .env("PATH", self.search())
            .env("HOME", &self.folder)
            .env("LC_ALL", "C")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", &self.folder)
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ASKPASS", "")
            .env("GIT_ALLOW_PROTOCOL", "https")
            .env("GIT_LFS_SKIP_SMUDGE", "1")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .current_dir(&self.folder);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        if let Some(cacert) = &self.cacert {
            let mut setting = OsString::from("http.sslCAInfo=");
            setting.push(cacert);
            command.arg("-c").arg(setting);
        }
        command.args(words);
        command
    }

    /// A command in the repository of this fetch; no other one is looked for.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = self.plain(&[]);
        let mut repository = OsString::from("--git-dir=");
        repository.push(self.repository());
        command.arg(repository).args(words);
        command
    }
}

/// Looks through the folders of `PATH`. A relative one would be a folder of wherever the person
/// stands.
pub(crate) fn find(search: &OsStr) -> Result<PathBuf, GitFault> {
    let runs = |path: &PathBuf| {
        path.metadata()
            .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    std::env::split_paths(search)
        .filter(|place| place.is_absolute())
        .map(|place| place.join("git"))
        .find(runs)
        .ok_or(GitFault::NoProgram)
}

/// Whether `git version` says enough.
pub(crate) fn check_version(said: &[u8]) -> Result<(), GitFault> {
    let said = String::from_utf8_lossy(said);
    let version = said.trim().strip_prefix("git version ").unwrap_or_default();
    let mut numbers = version
        .split(['.', ' '])
        .map_while(|part| part.parse().ok());
    match (numbers.next(), numbers.next()) {
        (Some(major), Some(minor)) if (major, minor) >= OLDEST => Ok(()),
        _ => Err(GitFault::TooOld {
            needed: OLDEST_TEXT,
            found: said.trim().to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_git_that_is_too_old_is_told_its_version() {
        for good in [
            "git version 2.32.0\n",
            "git version 2.47.3",
            "git version 3.0.rc1",
            "git version 2.39.5 (Apple Git-154)",
        ] {
            assert!(check_version(good.as_bytes()).is_ok(), "{good}");
        }
        for bad in [
            "git version 2.31.9\n",
            "git version 1.99.0",
            "hub version 3.0",
            "",
        ] {
            let error = check_version(bad.as_bytes()).unwrap_err().to_string();
            assert!(error.contains("needed: 2.32"), "{error}");
            assert!(
                error.ends_with(&format!("found: {}", bad.trim())),
                "{error}"
            );
        }
    }

    #[test]
    fn only_an_absolute_folder_of_path_is_searched() {
        let found = find(OsStr::new("bin::.:/nowhere"));
        assert!(matches!(found, Err(GitFault::NoProgram)), "{found:?}");
    }
}
