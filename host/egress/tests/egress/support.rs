//! Local servers, a resolver made of a table, a dialer that writes down what it is asked to dial.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sr_egress::{
    Dialer, FetchRequest, FetchResponse, Live, Options, Pending, Redirects, Resolver, Transport,
    fetch,
};
use sr_policy::request::{Phase, RequestPolicy};
use sr_policy::{Allowlist, CheckedUrl, Denial, Failure};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, timeout};

/// No test waits longer than this for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// A server on a random loopback port that counts connections and keeps every request it read.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers each request with the bytes `answer` makes from it; an empty answer, or one that
    /// says `connection: close`, ends the connection.
    pub(crate) async fn answering(
        answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static,
    ) -> Self {
        let answer = Arc::new(answer);
        Self::speaking(move |mut stream, requests| {
            let answer = Arc::clone(&answer);
            async move {
                serve(&mut stream, &requests, &*answer).await;
            }
        })
        .await
    }

    /// Hands each connection to `speak`.
    pub(crate) async fn speaking<F>(
        speak: impl Fn(TcpStream, Arc<Mutex<Vec<String>>>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (counter, log) = (Arc::clone(&connections), Arc::clone(&requests));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(speak(stream, Arc::clone(&log)));
            }
        });
        Self {
            address,
            connections,
            requests,
        }
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Head and body of every request, as text.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// A `--connect-to` rule that sends `host:port` here.
    pub(crate) fn instead_of(&self, host: &str, port: u16) -> sr_egress::ConnectRule {
        format!("{host}:{port}:{}", self.address).parse().unwrap()
    }
}

/// Reads requests and answers them until the peer leaves or an answer closes.
pub(crate) async fn serve<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    requests: &Mutex<Vec<String>>,
    answer: &(dyn Fn(&str) -> Vec<u8> + Send + Sync),
) {
    while let Some(request) = read_request(stream).await {
        requests.lock().unwrap().push(request.clone());
        let bytes = answer(&request);
        if bytes.is_empty() || stream.write_all(&bytes).await.is_err() {
            return;
        }
        if String::from_utf8_lossy(&bytes).contains("connection: close") {
            let _ = stream.shutdown().await;
            return;
        }
    }
}

/// One request with its body; none at the end of the stream.
pub(crate) async fn read_request<S: AsyncRead + Unpin>(stream: &mut S) -> Option<String> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8_lossy(&bytes).into_owned();
    let length = header(&head, "content-length").map_or(0, |value| value.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(head + &String::from_utf8_lossy(&body))
}

/// A header's value in a request's text.
pub(crate) fn header<'a>(request: &'a str, name: &str) -> Option<&'a str> {
    request
        .lines()
        .skip(1)
        .take_while(|line| !line.is_empty())
        .find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
}

/// `200 OK` with this body.
pub(crate) fn ok(body: &str) -> Vec<u8> {
    reply("200 OK", &[], body.as_bytes())
}

/// A redirect to `location`.
pub(crate) fn to(status: u16, location: &str) -> Vec<u8> {
    reply(&format!("{status} Moved"), &[("location", location)], b"")
}

/// A whole reply with its content-length.
pub(crate) fn reply(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// Names and what they resolve to; a name that is not here does not exist.
#[derive(Default)]
pub(crate) struct Table {
    names: HashMap<String, Vec<IpAddr>>,
    pub(crate) lookups: AtomicUsize,
}

impl Table {
    pub(crate) fn of(names: &[(&str, &[&str])]) -> Arc<Self> {
        let names = names
            .iter()
            .map(|(name, list)| {
                (
                    (*name).to_owned(),
                    list.iter().map(|text| text.parse().unwrap()).collect(),
                )
            })
            .collect();
        Arc::new(Self {
            names,
            lookups: AtomicUsize::new(0),
        })
    }
}

impl Resolver for Table {
    fn resolve<'a>(&'a self, host: &'a str) -> Pending<'a, io::Result<Vec<IpAddr>>> {
        self.lookups.fetch_add(1, Ordering::SeqCst);
        let found = self
            .names
            .get(host)
            .cloned()
            .ok_or_else(|| io::Error::other("no such name in the test's table"));
        Box::pin(async move { found })
    }
}

/// Writes down each address and connects to a local server instead, or to nothing.
pub(crate) struct Notebook {
    pub(crate) dialled: Mutex<Vec<SocketAddr>>,
    server: Option<SocketAddr>,
}

impl Notebook {
    pub(crate) fn to(server: &Server) -> Arc<Self> {
        Arc::new(Self {
            dialled: Mutex::new(Vec::new()),
            server: Some(server.address),
        })
    }

    /// Never connects and never fails.
    pub(crate) fn hanging() -> Arc<Self> {
        Arc::new(Self {
            dialled: Mutex::new(Vec::new()),
            server: None,
        })
    }

    pub(crate) fn dialled(&self) -> Vec<String> {
        self.dialled
            .lock()
            .unwrap()
            .iter()
            .map(ToString::to_string)
            .collect()
    }
}

impl Dialer for Notebook {
    fn dial(&self, address: SocketAddr) -> Pending<'_, io::Result<TcpStream>> {
        self.dialled.lock().unwrap().push(address);
        let server = self.server;
        Box::pin(async move {
            match server {
                Some(server) => TcpStream::connect(server).await,
                None => std::future::pending().await,
            }
        })
    }
}

/// A policy that reads from these domains.
pub(crate) fn reading(domains: &[&str]) -> RequestPolicy {
    policy(domains, Phase::Read, &[])
}

/// A policy of a given phase that may also post to these URLs.
pub(crate) fn policy(domains: &[&str], phase: Phase, posts: &[&str]) -> RequestPolicy {
    let (allowlist, refused) = Allowlist::from_entries(domains);
    assert!(
        refused.is_empty(),
        "the test's own domains must be legal: {refused:?}"
    );
    let posts = posts
        .iter()
        .map(|url| CheckedUrl::parse(url).unwrap())
        .collect();
    RequestPolicy {
        fetch: true,
        allowlist,
        posts,
        phase,
    }
}

/// A plain GET that follows redirects.
pub(crate) fn get(url: &str) -> FetchRequest {
    FetchRequest {
        method: "GET".to_owned(),
        url: url.to_owned(),
        headers: Vec::new(),
        body: None,
        redirects: Redirects::Follow,
        timeout_ms: 5_000,
        max_bytes: 0,
    }
}

/// A POST with a body.
pub(crate) fn post(url: &str, body: &str) -> FetchRequest {
    FetchRequest {
        method: "POST".to_owned(),
        body: Some(body.as_bytes().to_vec()),
        ..get(url)
    }
}

/// Owned headers.
pub(crate) fn headers(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

/// A transport whose `example.com:80` is `server`, and whose resolver knows no name at all.
pub(crate) fn example_at(server: &Server) -> Live {
    live(Options {
        connect_to: vec![server.instead_of("example.com", 80)],
        ..Options::default()
    })
}

/// A transport with these options and a resolver that knows no name.
pub(crate) fn live(options: Options) -> Live {
    Live::with_resolver(options, Table::of(&[])).unwrap()
}

/// Fetches, and fails the test when that takes longer than [`PATIENCE`].
pub(crate) async fn run(
    policy: &RequestPolicy,
    transport: &dyn Transport,
    request: FetchRequest,
) -> Result<FetchResponse, Failure> {
    timeout(PATIENCE, fetch(policy, transport, request))
        .await
        .expect("every wait has a bound")
}

/// Runs `work` and asserts that it ended within `limit`.
pub(crate) async fn soon<T>(limit: Duration, work: impl Future<Output = T>) -> T {
    let started = Instant::now();
    let done = timeout(PATIENCE, work)
        .await
        .expect("every wait has a bound");
    assert!(
        started.elapsed() < limit,
        "took {:?}, allowed {limit:?}",
        started.elapsed()
    );
    done
}

pub(crate) fn denial<T: std::fmt::Debug>(result: Result<T, Failure>) -> Denial {
    match result {
        Err(Failure::Denied(denial)) => denial,
        other => panic!("expected a denial: {other:?}"),
    }
}

pub(crate) fn unavailable<T: std::fmt::Debug>(result: Result<T, Failure>) -> String {
    match result {
        Err(Failure::Unavailable(text)) => text,
        other => panic!("expected unavailable: {other:?}"),
    }
}

pub(crate) fn code<T: std::fmt::Debug>(result: Result<T, Failure>) -> String {
    match result {
        Err(Failure::Other { code, .. }) => code,
        other => panic!("expected a coded failure: {other:?}"),
    }
}

pub(crate) fn invalid<T: std::fmt::Debug>(result: Result<T, Failure>) -> (String, String) {
    match result {
        Err(Failure::Invalid { name, reason }) => (name, reason),
        other => panic!("expected invalid: {other:?}"),
    }
}

pub(crate) fn timed_out<T: std::fmt::Debug>(result: Result<T, Failure>) -> (String, u32) {
    match result {
        Err(Failure::Timeout { what, limit_ms }) => (what, limit_ms),
        other => panic!("expected a timeout: {other:?}"),
    }
}
