//! One fetch of a component: limits, policy, and the redirects between the first URL and the last.

use std::time::Duration;

use sr_policy::headers::{check_request_headers, dropped_on_cross_origin};
use sr_policy::request::{METHODS, RequestPolicy};
use sr_policy::url::UrlError;
use sr_policy::{CheckedUrl, Denial, Failure};
use tokio::time::Instant;

use crate::failures::{coded, invalid};
use crate::limits::{
    REDIRECTS_MAX, REQUEST_BODY_BYTES, RESPONSE_BYTES_DEFAULT, RESPONSE_BYTES_MAX,
    TIMEOUT_DEFAULT_MS, TIMEOUT_MAX_MS,
};
use crate::redirect::{Redirect, at_hop, redirect_of};
use crate::transport::{Hop, Reply, Transport};

/// What to do with an answer that points elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redirects {
    /// Go there, if the policy allows that hop.
    Follow,
    /// Go there, if it is on the same origin; anything else is denied.
    SameOrigin,
    /// The 3xx is the answer.
    Manual,
}

/// A request as a component makes it: nothing in it has been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchRequest {
    /// Upper-case method.
    pub method: String,
    /// Absolute URL, at most 8 KiB.
    pub url: String,
    /// Headers; those that belong to the host are refused.
    pub headers: Vec<(String, String)>,
    /// Body, at most [`REQUEST_BODY_BYTES`]; none with GET and HEAD.
    pub body: Option<Vec<u8>>,
    /// What to do with redirects.
    pub redirects: Redirects,
    /// Milliseconds for all hops together; 0 = [`TIMEOUT_DEFAULT_MS`], at most [`TIMEOUT_MAX_MS`].
    pub timeout_ms: u32,
    /// Largest response body in bytes; 0 = [`RESPONSE_BYTES_DEFAULT`], at most [`RESPONSE_BYTES_MAX`].
    pub max_bytes: u32,
}

/// The last hop's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchResponse {
    /// HTTP status. 404 is an answer, not a failure.
    pub status: u16,
    /// The last hop's URL.
    pub url: CheckedUrl,
    /// Headers with lower-case names.
    pub headers: Vec<(String, String)>,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

/// Sends `request` and follows its redirects. Each hop is checked by `policy` with its own method
/// before it leaves; headers that carry a login do not cross to another origin.
///
/// # Errors
/// `invalid` for a request outside the limits, `denied` for what the policy refuses (a refused
/// redirect says which hop), `timeout` and `unavailable` from the transport, `other` with
/// `TOO_MANY_REDIRECTS` or a transport's code.
pub async fn fetch(
    policy: &RequestPolicy,
    transport: &dyn Transport,
    request: FetchRequest,
) -> Result<FetchResponse, Failure> {
    let url = CheckedUrl::parse(&request.url).map_err(denied)?;
    check_method(&request.method)?;
    policy
        .check(&request.method, &url)
        .map_err(Failure::Denied)?;
    let mut journey = Journey::start(request, url)?;
    loop {
        let reply = journey.hop(transport).await?;
        let Some(redirect) = redirect_of(&journey.method, &journey.url, &reply, journey.redirects)?
        else {
            return Ok(FetchResponse {
                status: reply.status,
                url: journey.url,
                headers: reply.headers,
                body: reply.body,
            });
        };
        journey.turn(redirect, policy)?;
    }
}

/// A fetch under way: the request as its next hop will be sent.
struct Journey {
    method: String,
    url: CheckedUrl,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
    redirects: Redirects,
    followed: u32,
    /// The host of the hop before.
    from: String,
    deadline: Instant,
    timeout_ms: u32,
    max_bytes: usize,
}

impl Journey {
    fn start(request: FetchRequest, url: CheckedUrl) -> Result<Self, Failure> {
        let FetchRequest {
            method,
            headers,
            body,
            redirects,
            timeout_ms,
            max_bytes,
            ..
        } = request;
        check_request_headers(&headers).map_err(Failure::Denied)?;
        check_body(&method, body.as_deref())?;
        let timeout_ms = if timeout_ms == 0 {
            TIMEOUT_DEFAULT_MS
        } else {
            timeout_ms
        };
        if timeout_ms > TIMEOUT_MAX_MS {
            return Err(invalid(
                "timeout-ms",
                format!("above the limit of {TIMEOUT_MAX_MS} ms: {timeout_ms}"),
            ));
        }
        let max_bytes = if max_bytes == 0 {
            RESPONSE_BYTES_DEFAULT
        } else {
            max_bytes as usize
        };
        if max_bytes > RESPONSE_BYTES_MAX {
            return Err(invalid(
                "max-bytes",
                format!("above the limit of {RESPONSE_BYTES_MAX} bytes: {max_bytes}"),
            ));
        }
        let deadline = Instant::now() + Duration::from_millis(u64::from(timeout_ms));
        Ok(Self {
            method,
            url,
            headers,
            body,
            redirects,
            followed: 0,
            from: String::new(),
            deadline,
            timeout_ms,
            max_bytes,
        })
    }

    async fn hop(&self, transport: &dyn Transport) -> Result<Reply, Failure> {
        let hop = Hop {
            method: &self.method,
            url: &self.url,
            headers: &self.headers,
            body: self.body.as_deref(),
            deadline: self.deadline,
            max_bytes: self.max_bytes,
        };
        transport
            .exchange(hop)
            .await
            .map_err(|failure| match failure {
                // A hop knows what was left for it; the component chose the time for all of them.
                Failure::Timeout { what, .. } if Instant::now() >= self.deadline => {
                    Failure::Timeout {
                        what,
                        limit_ms: self.timeout_ms,
                    }
                }
                Failure::Denied(denial) if self.followed > 0 => {
                    Failure::Denied(at_hop(denial, self.followed, &self.from))
                }
                other => other,
            })
    }

    /// Makes the next hop of `redirect`, or says why it may not be made.
    fn turn(&mut self, redirect: Redirect, policy: &RequestPolicy) -> Result<(), Failure> {
        if self.followed == REDIRECTS_MAX {
            return Err(coded(
                "TOO_MANY_REDIRECTS",
                format!("{}: more than {REDIRECTS_MAX} redirects", self.url.host()),
                Some(
                    "open the final URL, or set redirects to manual and look at the location headers",
                ),
            ));
        }
        self.followed += 1;
        let hop = |denial| Failure::Denied(at_hop(denial, self.followed, self.url.host()));
        let url = redirect.target.map_err(hop)?;
        let method = if redirect.becomes_get {
            "GET"
        } else {
            self.method.as_str()
        };
        policy.check(method, &url).map_err(hop)?;
        if redirect.becomes_get {
            self.body = None;
            self.headers
                .retain(|(name, _)| !name.to_ascii_lowercase().starts_with("content-"));
            "GET".clone_into(&mut self.method);
        }
        if url.origin() != self.url.origin() {
            self.headers
                .retain(|(name, _)| !dropped_on_cross_origin(name));
        }
        self.url.host().clone_into(&mut self.from);
        self.url = url;
        Ok(())
    }
}

fn denied(error: UrlError) -> Failure {
    Failure::Denied(Denial::from(error))
}

fn check_method(method: &str) -> Result<(), Failure> {
    if METHODS.contains(&method) {
        return Ok(());
    }
    let shown = method
        .chars()
        .take(32)
        .collect::<String>()
        .escape_default()
        .to_string();
    Err(invalid(
        "method",
        format!("one of {} in upper case, not {shown}", METHODS.join(", ")),
    ))
}

fn check_body(method: &str, body: Option<&[u8]>) -> Result<(), Failure> {
    let Some(body) = body else { return Ok(()) };
    if matches!(method, "GET" | "HEAD") {
        return Err(invalid("body", format!("a {method} request has no body")));
    }
    if body.len() > REQUEST_BODY_BYTES {
        return Err(invalid(
            "body",
            format!(
                "above the limit of {REQUEST_BODY_BYTES} bytes: {}",
                body.len()
            ),
        ));
    }
    Ok(())
}
