//! HTTP to the plugin's own domains. The host sends, or says why not.

use core::time::Duration;

use crate::bindings::sr::runtime::fetch::{Header, Request, Response};
use crate::text::{decimal, joined};
use crate::value::Url;
use crate::{Failure, Result, failure, host, json, task};

mod get;

pub use crate::bindings::sr::runtime::fetch::Redirects;
pub use get::{Get, get};

/// Requests the host takes in one call (WIT limits: `send-all` list).
const REQUESTS_A_CALL: usize = 32;

/// Requests in flight when nothing else is said, and at most.
const AT_ONCE: u8 = 8;

/// A request that is being put together; nothing is sent before `send`, `text` or `json`.
#[derive(Debug, Clone)]
#[must_use = "nothing is sent before send(), text() or json()"]
pub struct Fetch {
    request: Request,
}

/// An answer. A status of 404 is one: see [`Reply::ok`].
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The URL of the last hop.
    pub url: Url,
    headers: Vec<Header>,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

/// A POST request. A read command may send it only to an address in the manifest's `posts`.
pub fn post(url: impl Into<String>) -> Fetch {
    request("POST", url)
}

/// A request with any method.
pub fn request(method: &str, url: impl Into<String>) -> Fetch {
    Fetch {
        request: Request {
            method: method.to_owned(),
            url: url.into(),
            headers: Vec::new(),
            body: None,
            redirects: Redirects::Follow,
            timeout_ms: 0,
            max_bytes: 0,
        },
    }
}

impl Fetch {
    fn change(mut self, change: impl FnOnce(&mut Request)) -> Self {
        change(&mut self.request);
        self
    }

    /// Adds a header. `Host`, lengths, encodings and the like belong to the host and are refused.
    pub fn header(self, name: &str, value: impl Into<String>) -> Self {
        let header = Header {
            name: name.to_owned(),
            value: value.into(),
        };
        self.change(|request| request.headers.push(header))
    }

    /// The body, at most 16 MiB.
    pub fn body(self, body: impl Into<Vec<u8>>) -> Self {
        self.change(|request| request.body = Some(body.into()))
    }

    /// Follow redirects (the default), only on the same origin, or not at all.
    pub fn redirects(self, redirects: Redirects) -> Self {
        self.change(|request| request.redirects = redirects)
    }

    /// How long to wait for the whole answer: 30 s unless said, at most 60 s.
    pub fn timeout(self, timeout: Duration) -> Self {
        self.change(|request| request.timeout_ms = task::milliseconds(timeout))
    }

    /// Largest body to accept, after decompression: 4 MiB unless said, at most 16 MiB.
    pub fn max_bytes(self, bytes: u32) -> Self {
        self.change(|request| request.max_bytes = bytes)
    }

    /// The request as the host gets it.
    #[must_use]
    pub fn into_request(self) -> Request {
        self.request
    }

    /// Sends it.
    ///
    /// # Errors
    /// `denied` by the policy, `unavailable`, `timeout`, and the host's other failures.
    pub fn send(self) -> Result<Reply> {
        host::send(&self.request).map(Reply::from)
    }

    /// Sends it and takes the body as text.
    ///
    /// # Errors
    /// As [`Fetch::send`], and as [`Reply::ok`] for a status of 400 or more.
    pub fn text(self) -> Result<String> {
        self.send()?.ok()?.text()
    }

    /// Sends it and reads the body as JSON.
    ///
    /// # Errors
    /// As [`Fetch::text`], and `other` with code `UNEXPECTED_REPLY` for what is not JSON.
    pub fn json(self) -> Result<json::Value> {
        json::parse(&self.text()?)
    }
}

impl From<Response> for Reply {
    fn from(response: Response) -> Self {
        Self {
            status: response.status,
            url: Url(response.url),
            headers: response.headers,
            body: response.body,
        }
    }
}

impl Reply {
    /// The first header of this name, in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let header = headers.find(|header| header.name.eq_ignore_ascii_case(name))?;
        Some(&header.value)
    }

    /// How many headers the answer has.
    #[must_use]
    pub fn header_count(&self) -> usize {
        self.headers.len()
    }

    /// The reply itself when its status is below 400.
    ///
    /// # Errors
    /// `throttled` for 429; else `other` with code `HTTP_STATUS`.
    pub fn ok(self) -> Result<Self> {
        match self.status {
            ..400 => Ok(self),
            429 => {
                let wait = self
                    .header("retry-after")
                    .and_then(|text| text.parse::<u64>().ok());
                Err(failure::throttled(
                    "status 429",
                    wait.map(|seconds| seconds.saturating_mul(1000)),
                ))
            }
            status => Err(failure::coded(
                failure::HTTP_STATUS,
                joined(&[
                    "the site answered with status ",
                    &decimal(i64::from(status)),
                ]),
                None,
            )),
        }
    }

    /// The body as text. For another charset than UTF-8 use `fetch::get(url).text()`, where the
    /// host decodes.
    ///
    /// # Errors
    /// `other` with code `UNEXPECTED_REPLY` for what is not UTF-8.
    pub fn text(&self) -> Result<String> {
        let body = self
            .body
            .strip_prefix(b"\xEF\xBB\xBF")
            .unwrap_or(&self.body);
        Ok(core::str::from_utf8(body)?.to_owned())
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// `other` with code `UNEXPECTED_REPLY` for what is not JSON.
    pub fn json(&self) -> Result<json::Value> {
        json::parse(&self.text()?)
    }

    /// The body as a type of the author's.
    ///
    /// # Errors
    /// `other` with code `UNEXPECTED_REPLY` when it does not fit.
    #[cfg(feature = "serde_json")]
    pub fn decode<T: serde::de::DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.body).map_err(Failure::from)
    }
}

/// Several requests, several at once.
#[derive(Debug, Clone)]
#[must_use = "nothing is sent before send()"]
pub struct FetchAll {
    requests: Vec<Request>,
    at_once: u8,
}

/// Sends several requests, up to 8 at once, and answers in the order asked. Any number: the
/// host gets them in portions of 32.
pub fn all(requests: impl IntoIterator<Item = impl Into<Fetch>>) -> FetchAll {
    FetchAll {
        requests: requests
            .into_iter()
            .map(|fetch| fetch.into().request)
            .collect(),
        at_once: AT_ONCE,
    }
}

impl FetchAll {
    /// How many may be in flight, 1 to 8.
    pub fn at_once(mut self, count: u8) -> Self {
        self.at_once = count;
        self
    }

    /// Sends them. One that fails does not spoil the rest.
    ///
    /// # Errors
    /// A failure of the call as a whole: `invalid`, `cancelled`.
    pub fn send(self) -> Result<Vec<Result<Reply>>> {
        let mut replies = Vec::with_capacity(self.requests.len());
        for portion in self.requests.chunks(REQUESTS_A_CALL) {
            let answers = host::send_all(portion, self.at_once)?;
            if answers.len() != portion.len() {
                return Err(Failure::from(
                    "the host answered another number of requests",
                ));
            }
            replies.extend(answers.into_iter().map(|answer| answer.map(Reply::from)));
        }
        Ok(replies)
    }
}
