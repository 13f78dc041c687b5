//! `--proxy http://[user:password@]host:port`: a tunnel to the address we resolved and checked.
//!
//! The proxy is asked for an address, never for a name: otherwise it would look the name up
//! again, and the address check would have judged another answer.

use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::error::EgressError;
use crate::limits::PROXY_HEAD_BYTES;
use crate::options::{host_of, port_of};

/// An HTTP proxy that a person named.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    host: String,
    port: u16,
    authorization: Option<String>,
}

impl Proxy {
    /// The proxy's host; an IPv6 address without brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        self.host.trim_start_matches('[').trim_end_matches(']')
    }

    /// The proxy's port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Asks for a tunnel to `target`. The stream is the tunnel afterwards.
    pub(crate) async fn connect<S>(
        &self,
        stream: &mut S,
        target: SocketAddr,
    ) -> Result<(), TunnelError>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let mut request = format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n");
        if let Some(authorization) = &self.authorization {
            request.push_str("Proxy-Authorization: ");
            request.push_str(authorization);
            request.push_str("\r\n");
        }
        request.push_str("\r\n");
        stream
            .write_all(request.as_bytes())
            .await
            .map_err(TunnelError::Io)?;
        match status_of(&read_head(stream).await?) {
            Some(200) => Ok(()),
            Some(status) => Err(TunnelError::Refused(status)),
            None => Err(TunnelError::NotHttp),
        }
    }
}

/// Why there is no tunnel.
#[derive(Debug)]
pub(crate) enum TunnelError {
    Io(std::io::Error),
    Refused(u16),
    NotHttp,
    TooLarge,
}

impl TunnelError {
    /// Whether the proxy could not reach this address, so that another may do.
    pub(crate) fn is_about_the_address(&self) -> bool {
        matches!(self, Self::Refused(502..=504))
    }
}

impl fmt::Display for TunnelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(formatter, "connection broken: {error}"),
            Self::Refused(407) => formatter
                .write_str("status 407 to CONNECT: put user and password into the --proxy URL"),
            Self::Refused(status) => write!(formatter, "status {status} to CONNECT"),
            Self::NotHttp => formatter.write_str("the answer to CONNECT is not HTTP"),
            Self::TooLarge => write!(
                formatter,
                "the answer to CONNECT is longer than {PROXY_HEAD_BYTES} bytes"
            ),
        }
    }
}

/// Reads to the blank line and not a byte further: what follows belongs to the tunnel.
async fn read_head<S: AsyncRead + Unpin>(stream: &mut S) -> Result<Vec<u8>, TunnelError> {
    let mut head = Vec::with_capacity(256);
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() >= PROXY_HEAD_BYTES {
            return Err(TunnelError::TooLarge);
        }
        head.push(stream.read_u8().await.map_err(TunnelError::Io)?);
    }
    Ok(head)
}

/// The status of `HTTP/1.x NNN ...`.
fn status_of(head: &[u8]) -> Option<u16> {
    let line = head.split(|byte| *byte == b'\r').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split(' ');
    let version = words.next()?;
    let status = words.next()?;
    let known = matches!(version, "HTTP/1.1" | "HTTP/1.0");
    (known && status.len() == 3).then(|| status.parse().ok())?
}

impl FromStr for Proxy {
    type Err = EgressError;

    fn from_str(text: &str) -> Result<Self, EgressError> {
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err(refused(text, "a proxy is a URL; write http://HOST:PORT"));
        };
        if !scheme.eq_ignore_ascii_case("http") {
            return Err(refused(
                text,
                "only http:// proxies are supported; write http://HOST:PORT",
            ));
        }
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (userinfo, authority) = match rest.rsplit_once('@') {
            Some((userinfo, authority)) => (Some(userinfo), authority),
            None => (None, rest),
        };
        if authority.contains(['/', '?', '#', '\\'])
            || userinfo.is_some_and(|text| text.contains(['/', '?', '#', '\\']))
        {
            return Err(refused(
                text,
                "a proxy URL has no path, query or fragment; write http://HOST:PORT",
            ));
        }
        let Some((host, port)) = authority
            .rsplit_once(':')
            .and_then(|(host, port)| Some((host, port_of(port)?)))
        else {
            return Err(refused(
                text,
                "a proxy needs its port; write http://HOST:PORT",
            ));
        };
        let Some(host) = host_of(host) else {
            return Err(refused(
                text,
                "the proxy's host is not a host name or address; write http://HOST:PORT",
            ));
        };
        Ok(Self {
            host,
            port,
            authorization: userinfo.map(basic),
        })
    }
}

fn refused(text: &str, reason: &str) -> EgressError {
    let value = match text.rsplit_once('@') {
        Some((_, after)) => format!("http://<redacted>@{after}"),
        None => text.to_owned(),
    };
    EgressError::Option {
        option: "--proxy",
        reason: reason.to_owned(),
        value,
    }
}

/// The value of `Proxy-Authorization` (RFC 7617) for the user part of a URL.
fn basic(userinfo: &str) -> String {
    let (user, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
    let mut pair: Vec<u8> = percent_decode_str(user).collect();
    pair.push(b':');
    pair.extend(percent_decode_str(password));
    format!("Basic {}", STANDARD.encode(pair))
}

impl fmt::Display for Proxy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "http://{}:{}", self.host, self.port)
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secret = if self.authorization.is_some() {
            " with a password"
        } else {
            ""
        };
        write!(formatter, "Proxy({self}{secret})")
    }
}
