//! One request, one answer: the seam between the policy above and the network below.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use sr_policy::{CheckedUrl, Failure};
use tokio::time::Instant;

/// A boxed future, so that transports, resolvers and dialers can be trait objects.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// One HTTP request that the policy has already allowed. No redirect is followed below this.
#[derive(Debug, Clone, Copy)]
pub struct Hop<'a> {
    /// Upper-case method.
    pub method: &'a str,
    /// Where to; the same object that was checked.
    pub url: &'a CheckedUrl,
    /// The component's headers. Those that belong to the host are set by the transport.
    pub headers: &'a [(String, String)],
    /// The body, when there is one.
    pub body: Option<&'a [u8]>,
    /// When the whole exchange must be over.
    pub deadline: Instant,
    /// Largest body in bytes, before and after decompression.
    pub max_bytes: usize,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Headers with lower-case names; those about the connection and the encoding are gone.
    pub headers: Vec<(String, String)>,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

impl Reply {
    /// The first value of a header; `name` in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Something that can answer one request.
pub trait Transport: Send + Sync {
    /// Sends one request and reads its whole answer.
    ///
    /// # Errors
    /// `denied` when no address may be dialled, `timeout` at the deadline, `unavailable` when
    /// no complete answer came, `other` for an answer that breaks a limit.
    fn exchange<'a>(&'a self, hop: Hop<'a>) -> Pending<'a, Result<Reply, Failure>>;
}

impl<T: Transport + ?Sized> Transport for Arc<T> {
    fn exchange<'a>(&'a self, hop: Hop<'a>) -> Pending<'a, Result<Reply, Failure>> {
        (**self).exchange(hop)
    }
}
