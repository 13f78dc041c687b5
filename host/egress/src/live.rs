//! The network itself.

use std::fmt;
use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::{HeaderMap, HeaderValue};
use hyper::{Response, StatusCode};
use sr_policy::url::Scheme;
use sr_policy::{CheckedUrl, Failure};

use crate::body;
use crate::connection::{Connection, Stream};
use crate::deadline::Deadline;
use crate::dial::{Dialer, Route, TcpDialer};
use crate::error::EgressError;
use crate::failures::{coded, unavailable};
use crate::limits::{RESPONSE_HEAD_BYTES, RESPONSE_HEADERS};
use crate::options::Options;
use crate::pool::Pool;
use crate::request_head::RequestHead;
use crate::resolve::{Resolver, SystemResolver};
use crate::tls::Tls;
use crate::transport::{Hop, Pending, Reply, Transport};

/// Headers about one connection or about an encoding that has been undone.
const NOT_THE_COMPONENTS: [&str; 9] = [
    "connection",
    "content-encoding",
    "content-length",
    "keep-alive",
    "proxy-authenticate",
    "proxy-connection",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// A transport to real servers. Belongs to one tokio runtime, whose reactor its idle connections use.
pub struct Live {
    route: Route,
    tls: Tls,
    pool: Pool,
}

impl Live {
    /// With the system's resolver.
    ///
    /// # Errors
    /// When the certificate file cannot be used.
    pub fn new(options: Options) -> Result<Self, EgressError> {
        Self::with_resolver(options, Arc::new(SystemResolver::default()))
    }

    /// With another resolver. Its answers are checked like the system's.
    ///
    /// # Errors
    /// As [`Live::new`].
    pub fn with_resolver(
        options: Options,
        resolver: Arc<dyn Resolver>,
    ) -> Result<Self, EgressError> {
        Self::with_parts(options, resolver, Arc::new(TcpDialer))
    }

    /// With another resolver and dialer: for tests that must see which addresses are dialled.
    ///
    /// # Errors
    /// As [`Live::new`].
    pub fn with_parts(
        options: Options,
        resolver: Arc<dyn Resolver>,
        dialer: Arc<dyn Dialer>,
    ) -> Result<Self, EgressError> {
        let tls = Tls::new(options.cacert.as_deref())?;
        Ok(Self {
            route: Route {
                options,
                resolver,
                dialer,
            },
            tls,
            pool: Pool::default(),
        })
    }

    async fn run(&self, hop: Hop<'_>) -> Result<Reply, Failure> {
        let deadline = Deadline::until(hop.deadline);
        let head = RequestHead::of(&hop)?;
        let host = hop.url.host();
        // Only a request that may be repeated rides a connection the other side may just be closing.
        if head.is_safe()
            && let Some(mut connection) = self.pool.take(&hop.url.origin())
        {
            let before = connection.received();
            match deadline
                .bound("reply", host, connection.send(head.request()))
                .await?
            {
                Ok(response) => return self.finish(&hop, connection, response, deadline).await,
                Err(error) if connection.received() != before => return Err(broken(host, &error)),
                Err(_) => {}
            }
        }
        let mut connection = self.open(hop.url, deadline).await?;
        let response = deadline
            .bound("reply", host, connection.send(head.request()))
            .await?
            .map_err(|error| broken(host, &error))?;
        self.finish(&hop, connection, response, deadline).await
    }

    async fn open(&self, url: &CheckedUrl, deadline: Deadline) -> Result<Connection, Failure> {
        let stream = self.route.open(url, deadline).await?;
        let stream: Box<dyn Stream> = match url.scheme() {
            Scheme::Http => Box::new(stream),
            Scheme::Https => Box::new(self.tls.connect(url, stream, deadline).await?),
        };
        let opening = Connection::open(stream);
        deadline
            .bound("connection", url.host(), opening)
            .await?
            .map_err(|error| broken(url.host(), &error))
    }

    async fn finish(
        &self,
        hop: &Hop<'_>,
        connection: Connection,
        response: Response<Incoming>,
        deadline: Deadline,
    ) -> Result<Reply, Failure> {
        let host = hop.url.host();
        let (parts, incoming) = response.into_parts();
        if parts.status == StatusCode::SWITCHING_PROTOCOLS {
            return Err(unavailable(format!(
                "{host}: the server changed the protocol without being asked"
            )));
        }
        let encoding = encoding_of(&parts.headers);
        let packed = deadline
            .bound(
                "response body",
                host,
                body::read(host, incoming, hop.max_bytes),
            )
            .await??;
        self.pool.put(hop.url.origin(), connection);
        let body = body::decompress(host, &encoding, packed, hop.max_bytes)?;
        Ok(Reply {
            status: parts.status.as_u16(),
            headers: headers_of(&parts.headers, hop.method),
            body,
        })
    }
}

impl Transport for Live {
    fn exchange<'a>(&'a self, hop: Hop<'a>) -> Pending<'a, Result<Reply, Failure>> {
        Box::pin(self.run(hop))
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Live")
            .field("options", &self.route.options)
            .finish_non_exhaustive()
    }
}

/// No answer, or one that is not HTTP.
fn broken(host: &str, error: &hyper::Error) -> Failure {
    if error.is_parse_too_large() {
        return coded(
            "RESPONSE_HEAD_TOO_LARGE",
            format!(
                "{host}: the response headers are larger than the limit: {RESPONSE_HEAD_BYTES} bytes, {RESPONSE_HEADERS} headers"
            ),
            None,
        );
    }
    if error.is_incomplete_message() {
        return unavailable(format!(
            "{host}: the connection was closed before the reply was complete"
        ));
    }
    unavailable(format!(
        "{host}: no usable HTTP reply: {}",
        body::cause_of(error)
    ))
}

fn encoding_of(headers: &HeaderMap) -> String {
    let values: Vec<String> = headers
        .get_all("content-encoding")
        .iter()
        .map(text_of)
        .collect();
    values.join(", ")
}

fn headers_of(headers: &HeaderMap, method: &str) -> Vec<(String, String)> {
    headers
        .iter()
        .filter(|(name, _)| {
            // After HEAD the length is the answer: nothing was decoded.
            let asked_for = method == "HEAD" && *name == "content-length";
            asked_for || !NOT_THE_COMPONENTS.contains(&name.as_str())
        })
        .map(|(name, value)| (name.as_str().to_owned(), text_of(value)))
        .collect()
}

/// UTF-8 where it is, ISO 8859-1 otherwise (RFC 9110, 5.5): no byte is lost either way.
fn text_of(value: &HeaderValue) -> String {
    match std::str::from_utf8(value.as_bytes()) {
        Ok(text) => text.to_owned(),
        Err(_) => value
            .as_bytes()
            .iter()
            .map(|byte| char::from(*byte))
            .collect(),
    }
}
