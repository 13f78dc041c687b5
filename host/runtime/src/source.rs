//! The words after `plugin install`: a folder of this machine, or a repository.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use sr_plugin::GitAddress;

use crate::fault::Fault;

const ADVICE: &str = "give the folder of a built package: file:///absolute/path, or a path with a slash, such as ./NAME; or a repository: git+https://HOST/PATH#REF";
const REPOSITORY_ADVICE: &str =
    "a repository is fetched over https and in no other way: git+https://HOST/PATH#REF";
/// File names that mean an archive, whatever is in it.
const ARCHIVES: &[&str] = &[
    ".zip", ".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tzst", ".gz", ".bz2", ".xz", ".zst", ".7z",
    ".rar", ".jar", ".crate", ".nupkg", ".whl",
];

/// A place to install from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// A folder of this machine; nothing was looked at yet.
    Folder(PathBuf),
    /// A repository.
    Git(Box<GitAddress>),
}

impl Place {
    /// Reads the words. What is an archive by its name is refused before anything is opened.
    pub(crate) fn parse(source: &str) -> Result<Self, Fault> {
        if GitAddress::is_meant(source) {
            return Ok(Self::Git(Box::new(source.parse()?)));
        }
        let refuse = |advice: &str| Fault::Source {
            source_text: shown(source),
            advice: advice.to_owned(),
        };
        if let Some(rest) = source.strip_prefix("file://") {
            // Only paths of this machine: no host between the slashes, or localhost.
            let path = rest.strip_prefix("localhost").unwrap_or(rest);
            if !path.starts_with('/') || path.contains(['?', '#']) {
                return Err(refuse(ADVICE));
            }
            let bytes: Vec<u8> = percent_encoding::percent_decode_str(path).collect();
            return folder(PathBuf::from(OsString::from_vec(bytes)));
        }
        if source.contains("://") || is_scp(source) {
            return Err(refuse(REPOSITORY_ADVICE));
        }
        // A name with a slash is a place, one without could become a registry's name some day.
        let is_place = source.contains('/') || source == "." || source == "..";
        match is_place || is_archive(source) {
            true => folder(PathBuf::from(source)),
            false if PathBuf::from(source).is_dir() => Err(refuse(&format!(
                "to mean the folder write a slash: ./{source}"
            ))),
            false => Err(refuse(ADVICE)),
        }
    }
}

fn folder(path: PathBuf) -> Result<Place, Fault> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match is_archive(&name) && !path.is_dir() {
        true => Err(Fault::Archive { path }),
        false => Ok(Place::Folder(path)),
    }
}

fn is_archive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ARCHIVES.iter().any(|end| name.ends_with(end))
}

/// `git@host:path`, and `github:user/repository` which is like it.
fn is_scp(source: &str) -> bool {
    source
        .split_once(':')
        .is_some_and(|(before, _)| !before.contains('/'))
}

/// The words without a user name, a password or a token.
fn shown(source: &str) -> String {
    let bare = match source.split_once("://") {
        Some(_) => source,
        None => source.rsplit_once('@').map_or(source, |(_, bare)| bare),
    };
    sr_policy::redact::url(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(source: &str) -> String {
        Place::parse(source).unwrap_err().to_string()
    }

    #[test]
    fn no_refusal_repeats_a_secret() {
        for source in [
            "https://user:hunter2@x.test/r.git",
            "ssh://git:hunter2@x.test/r.git",
            "git+ssh://git:hunter2@x.test/r.git",
            "git+https://user:hunter2@x.test/r.git",
            "git+https://hunter2@x.test/r.git#v1",
            "git+https://x.test/r.git?access_token=hunter2",
            "git+https://x.test/r.git?path=a&token=hunter2",
            "git:hunter2@x.test:r.git",
        ] {
            let said = refusal(source);
            assert!(!said.contains("hunter2"), "{said}");
        }
    }

    #[test]
    fn only_https_leads_to_a_repository() {
        for source in [
            "git+ssh://x.test/r",
            "git+http://x.test/r",
            "git+file:///r",
            "git+git://x.test/r",
            "GIT+https://x.test/r",
            "git+HTTPS://x.test/r",
            "git+https:x.test/r",
            "git+ext::sh -c x",
            "git+https://x.test",
            "git+https://x.test///",
            "https://x.test/r.git",
            "ssh://x.test/r",
            "git@x.test:r.git",
            "github:u/r",
        ] {
            refusal(source);
        }
    }

    #[test]
    fn an_address_reads_as_it_is_written() {
        for source in [
            "git+https://x.test/r.git",
            "git+https://x.test:8443/a/b#v1.0",
            "git+https://x.test/r.git?path=dist/sr-demo#refs/heads/a/b",
            "git+https://x.test/r?path=a%20b%26c%3Fd%23e#50%25",
        ] {
            let Ok(Place::Git(address)) = Place::parse(source) else {
                panic!("{source}");
            };
            assert_eq!(address.to_string(), source);
        }
    }

    #[test]
    fn what_is_no_reference_or_folder_is_refused() {
        for tail in [
            "#",
            "#-x",
            "#--upload-pack=x",
            "#a%20b",
            "#a..b",
            "#a@{1}",
            "#a.lock",
            "#.a",
            "#a/",
            "#a//b",
            "#a~1",
            "#a^",
            "#a:b",
            "#a%0ab",
            "#%ff",
            "#refs/pull/1/head",
            "#a*",
            "# x",
            "#a\u{202e}b",
            "?path=../x",
            "?path=/x",
            "?path=a/../b",
            "?path=",
            "?path=.git",
            "?path=a&path=b",
            "?",
            "?ref=x",
            "?path=a\\b",
        ] {
            let source = format!("git+https://x.test/r.git{tail}");
            assert!(Place::parse(&source).is_err(), "{source}");
        }
    }

    #[test]
    fn an_archive_is_refused_wherever_it_is() {
        for source in [
            "x.zip",
            "./x.tar",
            "/nowhere/x.tar.gz",
            "file:///nowhere/X.TGZ",
            "a/b.7z",
        ] {
            assert!(refusal(source).contains("archive"), "{source}");
        }
    }
}
