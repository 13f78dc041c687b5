//! A hop as a hyper request: the component's headers, and over them those that belong to the host.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, HOST, HeaderMap, HeaderName, HeaderValue,
    TRANSFER_ENCODING, USER_AGENT,
};
use hyper::{Method, Request, Uri};
use sr_policy::Failure;

use crate::failures::invalid;
use crate::transport::Hop;

/// What a component that names no user agent is called.
const DEFAULT_USER_AGENT: &str = concat!("sr-runtime/", env!("CARGO_PKG_VERSION"));

/// A request that can be made twice: hyper consumes one for each attempt.
pub(crate) struct RequestHead {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
}

impl RequestHead {
    pub(crate) fn of(hop: &Hop<'_>) -> Result<Self, Failure> {
        let method = Method::from_bytes(hop.method.as_bytes()).map_err(|_| {
            invalid(
                "method",
                format!("not a method name: {}", hop.method.escape_default()),
            )
        })?;
        // Built from the checked URL's own path: the text is not parsed for a host a second time.
        let uri = Uri::builder()
            .path_and_query(hop.url.path_and_query())
            .build()
            .map_err(|error| invalid("url", format!("the path cannot be sent: {error}")))?;
        let mut headers = HeaderMap::with_capacity(hop.headers.len() + 4);
        for (name, value) in hop.headers {
            headers.append(header_name(name)?, header_value(name, value)?);
        }
        for owned in [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING] {
            headers.remove(owned);
        }
        headers.insert(HOST, header_value("host", &hop.url.authority())?);
        // A HEAD answer has no body to unpack, and its length should be that of the plain content.
        let accepted = if method == Method::HEAD {
            "identity"
        } else {
            "gzip"
        };
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(accepted));
        if !headers.contains_key(USER_AGENT) {
            headers.insert(USER_AGENT, HeaderValue::from_static(DEFAULT_USER_AGENT));
        }
        let body = Bytes::copy_from_slice(hop.body.unwrap_or_default());
        let takes_body = matches!(method, Method::POST | Method::PUT | Method::PATCH);
        if takes_body || hop.body.is_some() {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
        }
        Ok(Self {
            method,
            uri,
            headers,
            body,
        })
    }

    /// Whether sending it again changes nothing on the other side (RFC 9110, 9.2.1).
    pub(crate) fn is_safe(&self) -> bool {
        matches!(self.method, Method::GET | Method::HEAD)
    }

    pub(crate) fn request(&self) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::new(self.body.clone()));
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.uri.clone();
        *request.headers_mut() = self.headers.clone();
        request
    }
}

fn header_name(name: &str) -> Result<HeaderName, Failure> {
    HeaderName::from_bytes(name.as_bytes()).map_err(|_| {
        invalid(
            "headers",
            format!("not a header name: {}", name.escape_default()),
        )
    })
}

fn header_value(name: &str, value: &str) -> Result<HeaderValue, Failure> {
    HeaderValue::from_bytes(value.as_bytes()).map_err(|_| {
        invalid(
            "headers",
            format!(
                "the value has a line break or control character: {}",
                name.escape_default()
            ),
        )
    })
}
