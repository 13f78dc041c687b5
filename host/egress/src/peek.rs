//! One look at a debugging port: does it listen, does it speak HTTP, what does it say?
//!
//! The person named the port, or a file or process of theirs did, so no policy decides about it
//! and no address is refused. No redirect is followed, no proxy used, no cookie or login sent.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use http_body_util::Full;
use hyper::Request;
use hyper::body::Bytes;
use hyper::header::HOST;
use sr_policy::CheckedUrl;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

use crate::body;
use crate::connection::{Connection, Stream};
use crate::deadline::Deadline;
use crate::limits::ADDRESSES_TRIED;
use crate::resolve::{Resolver as _, SystemResolver};
use crate::tls::Tls;

/// What a port said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Peeked {
    /// Nothing listens there, or there is no way to it.
    Refused,
    /// No connection came about in time.
    Timeout,
    /// A connection came about, and no whole HTTP answer in time.
    Open,
    /// An HTTP answer.
    Http {
        /// Its status.
        status: u16,
        /// Its body.
        body: Vec<u8>,
    },
}

/// Asks for `url` once. An answer of more than `max_bytes`, or one that is not over after `time`,
/// counts as [`Peeked::Open`]: something listens, and more is not known.
pub async fn peek(url: &CheckedUrl, time: Duration, max_bytes: usize) -> Peeked {
    let until = Instant::now() + time;
    let stream = match timeout_at(until, connect(url)).await {
        Ok(Some(stream)) => stream,
        Ok(None) => return Peeked::Refused,
        Err(_) => return Peeked::Timeout,
    };
    match timeout_at(until, ask(url, stream, until, max_bytes)).await {
        Ok(Some(answer)) => answer,
        Ok(None) | Err(_) => Peeked::Open,
    }
}

async fn connect(url: &CheckedUrl) -> Option<TcpStream> {
    let addresses = match url.ip() {
        Some(address) => vec![address],
        None => SystemResolver::default().resolve(url.host()).await.ok()?,
    };
    for address in addresses.into_iter().take(ADDRESSES_TRIED) {
        match TcpStream::connect(SocketAddr::new(address, url.port())).await {
            Ok(stream) => return Some(stream),
            // The time of the whole question bounds this too.
            Err(error) if error.kind() == ErrorKind::TimedOut => std::future::pending().await,
            Err(_) => {}
        }
    }
    None
}

async fn ask(
    url: &CheckedUrl,
    stream: TcpStream,
    until: Instant,
    max_bytes: usize,
) -> Option<Peeked> {
    stream.set_nodelay(true).ok()?;
    // Chromium answers requests for an address or localhost alone, whatever name led there.
    let peer = stream.peer_addr().ok()?;
    let host = match peer.ip() {
        IpAddr::V4(address) => format!("{address}:{}", peer.port()),
        IpAddr::V6(address) => format!("[{address}]:{}", peer.port()),
    };
    let stream: Box<dyn Stream> = match url.scheme() {
        sr_policy::url::Scheme::Http => Box::new(stream),
        sr_policy::url::Scheme::Https => {
            let tls = Tls::new(None).ok()?;
            let secured = tls.connect(url, stream, Deadline::until(until)).await;
            Box::new(secured.ok()?)
        }
    };
    let mut connection = Connection::open(stream).await.ok()?;
    let request = Request::get(url.path_and_query())
        .header(HOST, host)
        .body(Full::new(Bytes::new()))
        .ok()?;
    let answer = connection.send(request).await.ok()?;
    let status = answer.status().as_u16();
    let body = body::read(url.host(), answer.into_body(), max_bytes)
        .await
        .ok()?;
    Some(Peeked::Http { status, body })
}
