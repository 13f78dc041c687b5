//! One fetch, step by step: look at the references, fetch one commit, find the package, read its blobs.

use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use sr_plugin::{
    FetchFolder, GitAddress, GitOrigin, Home, IoFault, Listed, ObjectId, PackagePath, Tree,
    TreeError,
};
use tokio::runtime::Runtime as Tokio;

use super::child::{Output, Watch};
use super::content;
use super::fault::GitFault;
use super::limits;
use super::program::{self, Program, check_version};
use super::resolve::{Question, Resolved};
use super::words;
use crate::fault::Fault;

/// Where the fetched object is kept from being garbage.
const KEPT: &str = "refs/sr/kept";
/// Where built packages lie when the root is none.
const DIST: &str = "dist";
/// What a folder of sources has and a package has not.
const SOURCES: [&str; 2] = ["Cargo.toml", "plugin"];

/// How to fetch.
#[derive(Debug, Clone)]
pub struct FetchOptions {
    /// The folders to look for `git` in, as `PATH` lists them.
    pub search: OsString,
    /// PEM certificates that replace the system's.
    pub cacert: Option<Vec<u8>>,
    /// For everything git does.
    pub time: Duration,
    /// The options that were written on the line: a folder has no use for them.
    pub named: Vec<&'static str>,
}

impl FetchOptions {
    /// Refuses options that would do nothing for this folder.
    pub(crate) fn none_for(&self, folder: &Path) -> Result<(), Fault> {
        match self.named.first() {
            None => Ok(()),
            Some(option) => Err(Fault::NothingToFetch {
                option,
                path: folder.to_owned(),
            }),
        }
    }
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self {
            search: OsString::new(),
            cacert: None,
            time: limits::FETCH,
            named: Vec::new(),
        }
    }
}

/// The files of a package, and where they came from.
pub(crate) struct Fetched {
    pub(crate) tree: Tree,
    pub(crate) origin: GitOrigin,
}

/// A fetch in progress. When it is dropped its folder goes.
pub(crate) struct Fetcher {
    address: GitAddress,
    program: Program,
    watch: Watch,
    tokio: Tokio,
    folder: FetchFolder,
}

impl Fetcher {
    /// Finds git and makes a folder for it. From now on a signal that asks to end ends the fetch.
    pub(crate) fn start(
        home: &Home,
        address: GitAddress,
        options: &FetchOptions,
    ) -> Result<Self, Fault> {
        if let Some(pem) = &options.cacert {
            sr_egress::check_certificates(pem)?;
        }
        let program = program::find(&options.search)?;
        let folder = home.fetch_folder()?;
        let mut program = Program::new(program, folder.path());
        if let Some(pem) = &options.cacert {
            let path = folder.path().join("certificates.pem");
            std::fs::write(&path, pem).map_err(at("write", &path))?;
            program.trust(path);
        }
        let tokio = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Fault::NoRuntime)?;
        let watch = {
            let _entered = tokio.enter();
            Watch::start(address.url().as_str(), folder.path(), options.time)?
        };
        let mut fetcher = Self {
            address,
            program,
            watch,
            tokio,
            folder,
        };
        let mut version = fetcher.program.plain(&["version"]);
        let output = fetcher.run(&mut version, Stdio::null(), limits::REFERENCES_BYTES)?;
        check_version(&succeeded("version", output)?)?;
        Ok(fetcher)
    }

    /// The one look at the server's references. A commit that was named needs none.
    pub(crate) fn resolve(&mut self, known: Option<&GitOrigin>) -> Result<Resolved, GitFault> {
        let known = known.and_then(|origin| origin.full_ref.as_ref());
        let question = Question::about(&self.address, known);
        let patterns = question.patterns();
        if patterns.is_empty() {
            return question.answered(&self.address, b"");
        }
        let url = self.address.url().to_string();
        let mut words = vec!["ls-remote", "--quiet", "--", &url];
        words.extend(patterns.iter().map(String::as_str));
        let mut command = self.program.command(&words);
        let output = self.run(&mut command, Stdio::null(), limits::REFERENCES_BYTES)?;
        let output = output.ok_or_else(|| GitFault::Answer {
            command: "ls-remote",
            reason: format!("more than {} bytes", limits::REFERENCES_BYTES),
        })?;
        match output.succeeded {
            true => question.answered(&self.address, &output.stdout),
            false => Err(words::transfer(&url, None, &output.stderr)),
        }
    }

    /// Fetches that commit and reads the package in it.
    pub(crate) fn fetch(mut self, resolved: Resolved) -> Result<Fetched, GitFault> {
        self.transfer(&resolved)?;
        let commit = resolved.commit;
        let root = self.list(&[commit.as_str()])?;
        let folder = match self.address.folder() {
            Some(folder) => Some(folder.clone()),
            None => self.choose(&commit, &root)?,
        };
        let tree = match &folder {
            Some(folder) => self.descend(&commit, root, folder)?,
            None => self.root_tree(&commit)?,
        };
        let list = self.list(&["-r", "-t", "--long", tree.as_str()])?;
        let files = content::judged(&list)?;
        let (questions, bytes) = content::batch(&files);
        let answer = self.blobs(&questions, bytes)?;
        let files = content::contents(files, &answer)?;
        Ok(Fetched {
            tree: Tree::of(files),
            origin: GitOrigin {
                from: self.address.in_folder(folder),
                full_ref: resolved.full_ref,
                commit,
                tree,
            },
        })
    }

    fn transfer(&mut self, resolved: &Resolved) -> Result<(), GitFault> {
        let format = match resolved.wanted.is_sha256() {
            true => "--object-format=sha256",
            false => "--object-format=sha1",
        };
        let repository = self.program.repository();
        let mut init =
            self.program
                .plain(&["init", "--quiet", "--bare", "--template=", format, "--"]);
        let output = self.run(init.arg(repository), Stdio::null(), 0)?;
        succeeded("init", output)?;

        let url = self.address.url().to_string();
        let what = format!("+{}:{KEPT}", resolved.wanted);
        let words = [
            "fetch",
            "--quiet",
            "--depth=1",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            "--no-auto-maintenance",
            "--",
            &url,
            &what,
        ];
        let mut command = self.program.command(&words);
        match self.run(&mut command, Stdio::null(), limits::REFERENCES_BYTES)? {
            Some(output) if output.succeeded => {}
            output => {
                let said = output.map(|output| output.stderr).unwrap_or_default();
                return Err(words::transfer(&url, Some(&resolved.wanted), &said));
            }
        }

        let kept = format!("{KEPT}^{{commit}}");
        let mut command = self
            .program
            .command(&["rev-parse", "--verify", "--quiet", &kept]);
        let output = self.run(&mut command, Stdio::null(), limits::REFERENCES_BYTES)?;
        let given = output
            .filter(|output| output.succeeded)
            .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
            .ok_or_else(|| GitFault::not_a_commit(self.address.reference()))?;
        if given == resolved.commit.as_str() {
            return Ok(());
        }
        // The id of an annotated tag is not that of a commit.
        match resolved.full_ref {
            None => Err(GitFault::not_a_commit(self.address.reference())),
            Some(_) => Err(GitFault::OtherCommit {
                named: resolved.commit.to_string(),
                given,
            }),
        }
    }

    /// The root when it is a package, else the only package in `dist`.
    fn choose(&mut self, commit: &ObjectId, root: &[u8]) -> Result<Option<PackagePath>, GitFault> {
        if content::has_manifest(root)? {
            return Ok(None);
        }
        let mut folders = Vec::new();
        if let Some(dist) = content::named(root, DIST)?
            && dist.what == Listed::Folder
        {
            let list = self.list(&[dist.id.as_str()])?;
            if content::has_manifest(&list)? {
                folders.push(DIST.to_owned());
            }
            for entry in content::entries(&list).take(limits::DIST_FOLDERS) {
                let entry = entry?;
                if entry.what == Listed::Folder
                    && content::has_manifest(&self.list(&[entry.id.as_str()])?)?
                {
                    folders.push(format!("{DIST}/{}", String::from_utf8_lossy(entry.path)));
                }
            }
        }
        match folders.as_slice() {
            [one] => match one.parse() {
                Ok(folder) => Ok(Some(folder)),
                Err(_) => Err(GitFault::NoFolder {
                    commit: commit.clone(),
                    folder: one.clone(),
                }),
            },
            [] => {
                let mut sources = false;
                for name in SOURCES {
                    sources |= content::named(root, name)?.is_some();
                }
                Err(GitFault::NoPackage {
                    commit: commit.clone(),
                    sources,
                })
            }
            _ => Err(GitFault::Several {
                commit: commit.clone(),
                folders,
            }),
        }
    }

    fn descend(
        &mut self,
        commit: &ObjectId,
        mut list: Vec<u8>,
        folder: &PackagePath,
    ) -> Result<ObjectId, GitFault> {
        let missing = || GitFault::NoFolder {
            commit: commit.clone(),
            folder: folder.to_string(),
        };
        let mut parts = folder.as_str().split('/').peekable();
        while let Some(part) = parts.next() {
            let id = match content::named(&list, part)? {
                Some(entry) if entry.what == Listed::Folder => entry.id,
                _ => return Err(missing()),
            };
            if parts.peek().is_none() {
                return Ok(id);
            }
            list = self.list(&[id.as_str()])?;
        }
        Err(missing())
    }

    fn root_tree(&mut self, commit: &ObjectId) -> Result<ObjectId, GitFault> {
        let root = format!("{commit}^{{tree}}");
        let mut command = self.program.command(&["rev-parse", "--verify", &root]);
        let output = self.run(&mut command, Stdio::null(), limits::REFERENCES_BYTES)?;
        let told = succeeded("rev-parse", output)?;
        String::from_utf8_lossy(&told)
            .trim()
            .parse()
            .map_err(|error: sr_plugin::ReferenceError| GitFault::Answer {
                command: "rev-parse",
                reason: error.to_string(),
            })
    }

    fn list(&mut self, words: &[&str]) -> Result<Vec<u8>, GitFault> {
        let mut all = vec!["ls-tree", "-z", "--full-tree"];
        all.extend(words);
        let mut command = self.program.command(&all);
        match self.run(&mut command, Stdio::null(), limits::LIST_BYTES)? {
            None => Err(TreeError::TooMany.into()),
            output => succeeded("ls-tree", output),
        }
    }

    /// Asks for all blobs at once; the questions come from a file, so that nobody waits for anybody.
    fn blobs(&mut self, questions: &str, bytes: usize) -> Result<Vec<u8>, GitFault> {
        let path = self.folder.path().join("blobs");
        std::fs::write(&path, questions).map_err(at("write", &path))?;
        let stdin = File::open(&path).map_err(at("open", &path))?;
        let mut command = self.program.command(&["cat-file", "--batch"]);
        let output = self.run(&mut command, stdin.into(), bytes)?;
        succeeded("cat-file", output)
    }

    fn run(
        &mut self,
        command: &mut std::process::Command,
        stdin: Stdio,
        most: usize,
    ) -> Result<Option<Output>, GitFault> {
        self.tokio.block_on(self.watch.run(command, stdin, most))
    }
}

/// For the commands that only look at what is fetched already.
fn succeeded(command: &'static str, output: Option<Output>) -> Result<Vec<u8>, GitFault> {
    let reason = match output {
        Some(output) if output.succeeded => return Ok(output.stdout),
        Some(output) => words::telling(&output.stderr),
        None => "it is longer than a package can be".to_owned(),
    };
    Err(GitFault::Answer { command, reason })
}

fn at(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> IoFault {
    let path = path.to_owned();
    move |source| IoFault {
        action,
        path,
        source,
    }
}
