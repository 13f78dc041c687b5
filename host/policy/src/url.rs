//! The only URL parser. The object that was checked is the object that is sent.
//!
//! Parsing is the WHATWG URL standard; what that standard lets through but no site needs
//! (user names, empty labels, `_` and `*` in a host) is refused here.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use crate::denial::ascii;
use crate::failure::{Denial, codes};
use crate::host_name::host_name_fault;
use crate::limits;
pub use crate::origin::Origin;

/// The schemes that exist for a plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// `http`, port 80.
    Http,
    /// `https`, port 443.
    Https,
}

impl Scheme {
    /// The scheme as it stands in a URL.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// The port a URL of this scheme has when it names none.
    #[must_use]
    pub fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// Why a text is not a URL of this runtime.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
    /// Longer than [`limits::URL_BYTES`].
    #[error("the URL is too long: {bytes} bytes, at most {most}", most = limits::URL_BYTES)]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// Not an absolute URL.
    #[error("not a URL, {reason}: {shown}")]
    Syntax {
        /// The text without query and user name, printable ASCII.
        shown: String,
        /// What the parser says.
        reason: String,
    },
    /// Another scheme than http and https.
    #[error("the scheme is not http or https: {scheme}")]
    Scheme {
        /// The scheme, lower case.
        scheme: String,
    },
    /// A user name or password before the host.
    #[error("a URL with a user name or password is not accepted: {host}")]
    Userinfo {
        /// The host behind it.
        host: String,
    },
    /// A host no name server can have.
    #[error("not a host name, {reason}: {host}")]
    Host {
        /// The host, printable ASCII.
        host: String,
        /// Which rule it breaks.
        reason: &'static str,
    },
}

impl From<UrlError> for Denial {
    fn from(error: UrlError) -> Self {
        match error {
            UrlError::TooLong { bytes } => Self::new(
                codes::URL_NOT_ACCEPTED,
                "url-length",
                &format!("{bytes} bytes"),
                None,
            ),
            UrlError::Syntax { shown, .. } => {
                Self::new(codes::URL_NOT_ACCEPTED, "url-syntax", &shown, None)
            }
            UrlError::Scheme { scheme } => {
                Self::new(codes::SCHEME_NOT_ALLOWED, "scheme", &scheme, None)
            }
            UrlError::Userinfo { host } => {
                Self::new(codes::USERINFO_NOT_ALLOWED, "userinfo", &host, None)
            }
            UrlError::Host { host, .. } => {
                Self::new(codes::URL_NOT_ACCEPTED, "host-name", &host, None)
            }
        }
    }
}

/// An absolute http or https URL whose host is a name or address a request can go to.
///
/// At most 8 KiB, no user name, host in lower-case ASCII (punycode) without a final dot.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CheckedUrl(url::Url);

impl CheckedUrl {
    /// Parses an absolute URL.
    ///
    /// # Errors
    /// [`UrlError`], one variant per rule.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        check_length(text)?;
        check(parse_any(text).map_err(|error| parse_error(error, text))?)
    }

    /// Resolves a reference, such as a `Location` header, against this URL.
    ///
    /// # Errors
    /// [`UrlError`], as for [`CheckedUrl::parse`].
    pub fn join(&self, reference: &str) -> Result<Self, UrlError> {
        check_length(reference)?;
        check(
            self.0
                .join(reference)
                .map_err(|error| parse_error(error, reference))?,
        )
    }

    /// The whole URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Its scheme.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        if self.0.scheme() == "https" {
            Scheme::Https
        } else {
            Scheme::Http
        }
    }

    /// Its host: lower-case ASCII; an IPv6 address stands in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The address, when the host is one instead of a name.
    #[must_use]
    pub fn ip(&self) -> Option<IpAddr> {
        match self.0.host() {
            Some(url::Host::Ipv4(ip)) => Some(IpAddr::V4(ip)),
            Some(url::Host::Ipv6(ip)) => Some(IpAddr::V6(ip)),
            _ => None,
        }
    }

    /// The port a request goes to.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.0
            .port()
            .unwrap_or_else(|| self.scheme().default_port())
    }

    /// Whether that is the scheme's own port.
    #[must_use]
    pub fn has_default_port(&self) -> bool {
        self.0.port().is_none()
    }

    /// Scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> Origin {
        Origin::of(self)
    }

    /// The path; at least `/`.
    #[must_use]
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// Path and query, as they stand in a request line; no fragment.
    #[must_use]
    pub fn path_and_query(&self) -> &str {
        &self.0[url::Position::BeforePath..url::Position::AfterQuery]
    }

    /// The query without its `?`.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.0.query()
    }

    /// The fragment without its `#`; no request carries it.
    #[must_use]
    pub fn fragment(&self) -> Option<&str> {
        self.0.fragment()
    }

    /// The query's names and values, decoded.
    pub fn query_pairs(&self) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
        self.0.query_pairs()
    }

    /// Host, and port unless it is the scheme's own: the value of the `Host` header.
    #[must_use]
    pub fn authority(&self) -> String {
        match self.0.port() {
            Some(port) => format!("{}:{port}", self.host()),
            None => self.host().to_owned(),
        }
    }

    /// Scheme, host, port and path: what a message may show.
    #[must_use]
    pub fn without_query(&self) -> &str {
        &self.0[..url::Position::AfterPath]
    }
}

impl fmt::Display for CheckedUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl fmt::Debug for CheckedUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "CheckedUrl({})", self.as_str())
    }
}

impl FromStr for CheckedUrl {
    type Err = UrlError;
    fn from_str(text: &str) -> Result<Self, UrlError> {
        Self::parse(text)
    }
}

/// Any absolute URL, as a browser reads it. Nothing is requested by what comes out of this.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where a URL is parsed"
)]
pub(crate) fn parse_any(text: &str) -> Result<url::Url, url::ParseError> {
    url::Url::parse(text)
}

fn check_length(text: &str) -> Result<(), UrlError> {
    if text.len() > limits::URL_BYTES {
        return Err(UrlError::TooLong { bytes: text.len() });
    }
    Ok(())
}

fn check(mut parsed: url::Url) -> Result<CheckedUrl, UrlError> {
    if !matches!(parsed.scheme(), "http" | "https") {
        return Err(UrlError::Scheme {
            scheme: ascii(parsed.scheme(), limits::LABEL_BYTES),
        });
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(UrlError::Userinfo {
            host: parsed.host_str().unwrap_or_default().to_owned(),
        });
    }
    if let Some(url::Host::Domain(name)) = parsed.host() {
        let bare = name.strip_suffix('.').unwrap_or(name);
        if let Some(reason) = host_name_fault(bare) {
            return Err(UrlError::Host {
                host: ascii(name, limits::DENIAL_SUBJECT_BYTES),
                reason,
            });
        }
        if bare.len() != name.len() {
            let bare = bare.to_owned();
            let failed = |_| UrlError::Host {
                host: bare.clone(),
                reason: "it cannot stand without its final dot",
            };
            parsed.set_host(Some(&bare)).map_err(failed)?;
        }
    }
    check_length(parsed.as_str())?;
    Ok(CheckedUrl(parsed))
}

fn parse_error(error: url::ParseError, text: &str) -> UrlError {
    let reason = match error {
        url::ParseError::EmptyHost => "it is empty",
        url::ParseError::IdnaError => "it cannot be written in ASCII by the IDNA rules",
        url::ParseError::InvalidIpv4Address => "it ends in a number and is no IPv4 address",
        url::ParseError::InvalidIpv6Address => "it is no IPv6 address",
        url::ParseError::InvalidDomainCharacter => "it has a character that stands in no host name",
        other => {
            return UrlError::Syntax {
                shown: shown(text),
                reason: other.to_string(),
            };
        }
    };
    UrlError::Host {
        host: shown(text),
        reason,
    }
}

/// A text that is no URL, for a message: no query, no user name, printable ASCII.
pub(crate) fn shown(text: &str) -> String {
    let text = text.split(['?', '#']).next().unwrap_or_default();
    let text = match text.rsplit_once('@') {
        Some((_, rest)) => format!("<redacted>@{rest}"),
        None => text.to_owned(),
    };
    ascii(&text, limits::DENIAL_SUBJECT_BYTES)
}
