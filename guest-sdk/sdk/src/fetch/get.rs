//! The request most adapters send: a GET of which nothing but the URL is said.

use core::time::Duration;

use super::{Fetch, Redirects, Reply, Request, request};
use crate::{Result, host, json};

/// A GET request. Whatever is said beside its URL makes a [`Fetch`] of it; left as it is, the host
/// reads the body by itself, and a component without other requests has no code for them.
#[derive(Debug, Clone)]
#[must_use = "nothing is sent before send(), text() or json()"]
pub struct Get {
    url: String,
}

/// A GET request.
pub fn get(url: impl Into<String>) -> Get {
    Get { url: url.into() }
}

impl Get {
    /// Sends it and takes the body as text, in the charset the answer declares.
    ///
    /// # Errors
    /// As [`Fetch::send`], and `other` for a status of 400 or more.
    pub fn text(self) -> Result<String> {
        host::get_text(&self.url)
    }

    /// Sends it and reads the body as JSON.
    ///
    /// # Errors
    /// As [`Get::text`], and `other` with code `UNEXPECTED_REPLY` for what is not JSON.
    pub fn json(self) -> Result<json::Value> {
        json::parse(&self.text()?)
    }

    /// Sends it.
    ///
    /// # Errors
    /// As [`Fetch::send`].
    pub fn send(self) -> Result<Reply> {
        Fetch::from(self).send()
    }

    /// As [`Fetch::header`].
    pub fn header(self, name: &str, value: impl Into<String>) -> Fetch {
        Fetch::from(self).header(name, value)
    }

    /// As [`Fetch::body`].
    pub fn body(self, body: impl Into<Vec<u8>>) -> Fetch {
        Fetch::from(self).body(body)
    }

    /// As [`Fetch::redirects`].
    pub fn redirects(self, redirects: Redirects) -> Fetch {
        Fetch::from(self).redirects(redirects)
    }

    /// As [`Fetch::timeout`].
    pub fn timeout(self, timeout: Duration) -> Fetch {
        Fetch::from(self).timeout(timeout)
    }

    /// As [`Fetch::max_bytes`].
    pub fn max_bytes(self, bytes: u32) -> Fetch {
        Fetch::from(self).max_bytes(bytes)
    }

    /// The request as the host gets it.
    #[must_use]
    pub fn into_request(self) -> Request {
        Fetch::from(self).into_request()
    }
}

impl From<Get> for Fetch {
    fn from(get: Get) -> Self {
        request("GET", get.url)
    }
}
