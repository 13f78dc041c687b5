//! Scheme, host and port: what "the same site" means.

use std::fmt;
use std::str::FromStr;

use crate::url::{CheckedUrl, Scheme, UrlError, parse_any, shown};

/// Scheme, host and port.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    scheme: Scheme,
    host: String,
    port: u16,
}

impl Origin {
    pub(crate) fn of(url: &CheckedUrl) -> Self {
        Self {
            scheme: url.scheme(),
            host: url.host().to_owned(),
            port: url.port(),
        }
    }

    /// Parses `https://example.com` or `https://example.com:8443`, nothing behind it.
    ///
    /// # Errors
    /// [`UrlError`]; a path, query or fragment is a `Syntax` error.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        let url = CheckedUrl::parse(text)?;
        if url.path_and_query() == "/" && url.fragment().is_none() {
            Ok(url.origin())
        } else {
            Err(UrlError::Syntax {
                shown: shown(text),
                reason: "an origin has no path, query or fragment".to_owned(),
            })
        }
    }

    /// The origin of a page that a browser shows, which can have a user name in its address. None
    /// for anything but http and https.
    #[must_use]
    pub fn of_page(text: &str) -> Option<Self> {
        let mut url = parse_any(text).ok()?;
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        CheckedUrl::parse(url.as_str()).ok().map(|url| url.origin())
    }

    /// Whether its port is the scheme's own.
    #[must_use]
    pub fn has_default_port(&self) -> bool {
        self.port == self.scheme.default_port()
    }

    /// Its scheme.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Its host, as [`CheckedUrl::host`].
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Its port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}://{}", self.scheme.as_str(), self.host)?;
        if self.port != self.scheme.default_port() {
            write!(out, ":{}", self.port)?;
        }
        Ok(())
    }
}

impl FromStr for Origin {
    type Err = UrlError;
    fn from_str(text: &str) -> Result<Self, UrlError> {
        Self::parse(text)
    }
}
