//! Repositories made by the real git, and the real `git http-backend` behind TLS on loopback.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use tokio_rustls::rustls::{ServerConnection, StreamOwned};

use super::server::Request;
use super::{Authority, Package, Reply, Sandbox, Server, copy};

/// Where a system keeps git.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// The name in the certificate; git has no `--resolve`.
const HOST: &str = "localhost";

/// What the server does with a request.
pub(crate) enum Answer {
    /// Ask git.
    Git,
    /// Say this instead.
    Reply(Reply),
    /// Say nothing until the client goes away.
    Silence,
    /// Say this, of any length.
    Stream(fn(&mut dyn Write) -> std::io::Result<()>),
}

/// A bare repository and a folder to commit from.
pub(crate) struct Repository {
    around: TempDir,
}

impl Repository {
    /// An empty one.
    pub(crate) fn new() -> Self {
        Self::of_format("sha1")
    }

    /// An empty one that names its objects by this hash.
    pub(crate) fn of_format(format: &str) -> Self {
        let repository = Self {
            around: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(repository.work()).unwrap();
        let place = repository.bare().display().to_string();
        repository.plain(&[
            "init",
            "--quiet",
            "--bare",
            "-b",
            "main",
            "--object-format",
            format,
            &place,
        ]);
        repository
    }

    /// One with this package committed in this folder of it.
    pub(crate) fn with(package: &Package, folder: &str) -> Self {
        let repository = Self::new();
        copy(&package.path(), &repository.work().join(folder));
        repository.commit();
        repository
    }

    /// What the next commit holds.
    pub(crate) fn work(&self) -> PathBuf {
        self.around.path().join("work")
    }

    pub(crate) fn bare(&self) -> PathBuf {
        self.served().join("demo.git")
    }

    /// What the server serves.
    fn served(&self) -> PathBuf {
        self.around.path().join("served")
    }

    /// Commits the work folder as it is, and gives the commit's id.
    pub(crate) fn commit(&self) -> String {
        self.git(&["add", "--all", "--force"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", "next"]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Commits a tree made of these lines of `git ls-tree -z`: what no work folder can hold.
    pub(crate) fn commit_tree(&self, lines: &[String]) -> String {
        let tree = self.feed(&["mktree", "-z", "--missing"], lines.join("\0").as_bytes());
        let commit = self.git(&["commit-tree", "-m", "odd", &tree]);
        self.git(&["update-ref", "refs/heads/main", &commit]);
        commit
    }

    /// The lines of the tree at HEAD.
    pub(crate) fn tree(&self, folder: &str) -> Vec<String> {
        let tree = format!("HEAD:{folder}");
        let list = self.git(&["ls-tree", "-z", &tree]);
        list.split('\0')
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// Writes a blob and gives its id.
    pub(crate) fn blob(&self, bytes: &[u8]) -> String {
        self.feed(&["hash-object", "-w", "--stdin"], bytes)
    }

    /// Runs git in the repository and gives what it prints.
    #[track_caller]
    pub(crate) fn git(&self, words: &[&str]) -> String {
        self.feed(words, b"")
    }

    #[track_caller]
    fn feed(&self, words: &[&str], stdin: &[u8]) -> String {
        let bare = self.bare().display().to_string();
        let work = self.work().display().to_string();
        let mut all = vec!["--git-dir", &bare, "--work-tree", &work];
        all.extend(words);
        run(git(self.around.path()).args(all), stdin)
    }

    #[track_caller]
    fn plain(&self, words: &[&str]) {
        run(git(self.around.path()).args(words), b"");
    }
}

/// The real git without anybody's settings.
fn git(home: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .env_clear()
        .env("PATH", PATH)
        .env("HOME", home)
        .env("LC_ALL", "C")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .current_dir(home);
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "tests");
        command.env(format!("GIT_{who}_EMAIL"), "tests@example.com");
    }
    command
}

#[track_caller]
fn run(command: &mut Command, stdin: &[u8]) -> String {
    let output = output(command, stdin);
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout)
        .unwrap()
        .trim_end_matches('\n')
        .to_owned()
}

#[track_caller]
fn output(command: &mut Command, stdin: &[u8]) -> std::process::Output {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => panic!("these tests need git with its http-backend: {error}"),
    };
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = pipe.write_all(&stdin);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// A server of one repository.
pub(crate) struct GitHost {
    authority: Authority,
    server: Server,
}

impl GitHost {
    /// Serves it.
    pub(crate) fn of(repository: &Repository) -> Self {
        Self::answering(repository, |_| Answer::Git)
    }

    /// Asks `answer` with the path of each request first.
    pub(crate) fn answering(
        repository: &Repository,
        answer: impl Fn(&str) -> Answer + Send + 'static,
    ) -> Self {
        Self::speaking(repository, true, answer)
    }

    /// A server that knows the first version of the protocol alone.
    pub(crate) fn of_version_0(repository: &Repository) -> Self {
        Self::speaking(repository, false, |_| Answer::Git)
    }

    fn speaking(
        repository: &Repository,
        any_version: bool,
        answer: impl Fn(&str) -> Answer + Send + 'static,
    ) -> Self {
        let authority = Authority::of(HOST);
        let config = authority.config();
        let served = repository.served();
        let server = Server::accepting(move |stream, seen| {
            let connection = ServerConnection::new(config.clone()).unwrap();
            let mut stream = StreamOwned::new(connection, stream);
            let Some(request) = Request::read(&mut stream) else {
                return;
            };
            request.remember(seen);
            match answer(&request.path) {
                Answer::Git => backend(&served, &request, any_version).write(&mut stream),
                Answer::Reply(reply) => reply.write(&mut stream),
                Answer::Stream(write) => {
                    let _ = write(&mut stream);
                }
                Answer::Silence => {
                    let _ = std::io::copy(&mut stream, &mut std::io::sink());
                }
            }
            stream.conn.send_close_notify();
            let _ = stream.flush();
        });
        Self { authority, server }
    }

    /// The source text of the repository with this tail.
    pub(crate) fn source(&self, tail: &str) -> String {
        format!("git+{}{tail}", self.url())
    }

    pub(crate) fn url(&self) -> String {
        format!("https://{HOST}:{}/demo.git", self.server.port())
    }

    /// The head of each request.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.server.requests()
    }

    /// A home that finds git and has the authority's certificate in `ca.pem`.
    pub(crate) fn sandbox(&self) -> Sandbox {
        let sandbox = Sandbox::new().env("PATH", PATH);
        self.trust(&sandbox);
        sandbox
    }

    pub(crate) fn trust(&self, sandbox: &Sandbox) {
        fs::write(sandbox.home().join("ca.pem"), &self.authority.pem).unwrap();
    }
}

/// One request through CGI (RFC 3875).
fn backend(served: &Path, request: &Request, any_version: bool) -> Reply {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let mut command = git(served);
    command
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", served)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env(
            "REQUEST_METHOD",
            request.head.split(' ').next().unwrap_or_default(),
        )
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("CONTENT_TYPE", request.header("content-type"))
        .env("CONTENT_LENGTH", request.body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", request.header("content-encoding"))
        .env("REMOTE_ADDR", "127.0.0.1");
    if any_version {
        command.env("GIT_PROTOCOL", request.header("git-protocol"));
    }
    let mut said = output(&mut command, &request.body).stdout;
    let end = said
        .windows(4)
        .position(|bytes| bytes == b"\r\n\r\n")
        .expect("a CGI answer has a head");
    let body = said.split_off(end + 4);
    let head = String::from_utf8_lossy(&said);
    let value = |name: &str| {
        head.lines()
            .find_map(|line| line.strip_prefix(name))
            .map_or("", str::trim)
    };
    let status = value("Status:")
        .split(' ')
        .next()
        .unwrap_or_default()
        .parse()
        .unwrap_or(200);
    Reply::with(status, ("content-type", value("Content-Type:")), body)
}
