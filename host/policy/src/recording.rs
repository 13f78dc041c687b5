//! Recorded exchanges: what `--record` writes and `--replay` and native tests answer from.
//!
//! One exchange is one hop: a redirect and what it leads to are two. Secrets are taken out when
//! an exchange is made, and the same rule is applied to both sides when one is looked up.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::json::{self, JsonError, JsonRules};
use crate::limits;
pub use crate::player::Player;
use crate::redact;
use crate::untrusted::UntrustedText;
use crate::url::{CheckedUrl, UrlError};

/// The version this program writes, and the newest it reads.
pub const VERSION: u32 = 1;

/// A file of exchanges, with the clock and the randomness of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// Version of the format.
    pub version: u32,
    /// Written by hand from a public format instead of by a site.
    #[serde(default)]
    pub synthetic: bool,
    /// A remark for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// Milliseconds since 1970 UTC at the start of the run.
    pub clock_ms: i64,
    /// Seed of the run's random numbers.
    pub seed: u64,
    /// Exchanges in the order they were made.
    pub exchanges: Vec<Exchange>,
}

/// A request and its reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// What was asked.
    pub request: RecordedRequest,
    /// What was answered.
    pub response: RecordedResponse,
}

/// A request, secrets redacted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedRequest {
    /// GET, HEAD and so on.
    pub method: String,
    /// The URL of this hop.
    pub url: String,
    /// Headers in the order they were sent; for the reader, not compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// SHA-256 of the body, lower-case hexadecimal; none without a body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_sha256: Option<String>,
}

/// A reply, decompressed, secrets redacted in its headers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedResponse {
    /// HTTP status.
    pub status: u16,
    /// Headers in the order they came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// The body as the site sent it, not searched for secrets.
    pub body: RecordedBody,
}

/// A body: text where it is UTF-8, base64 where it is not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordedBody {
    /// UTF-8.
    Text(String),
    /// Standard base64 with padding (RFC 4648, section 4).
    Base64(String),
}

/// A recording that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// Not JSON, or not a recording.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// Made by a newer version, or none that ever was.
    #[error("recording: version {found} is not one this program reads; it reads {VERSION}")]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// An exchange whose URL no request could have.
    #[error("recording: exchange {index}: request.url: {error}")]
    Url {
        /// Which exchange, from 0.
        index: usize,
        /// Why.
        error: UrlError,
    },
    /// A field with a value it cannot have.
    #[error("recording: exchange {index}: {field}: {reason}: {shown}")]
    Field {
        /// Which exchange, from 0.
        index: usize,
        /// Which field.
        field: &'static str,
        /// Why.
        reason: &'static str,
        /// The value, fit for a terminal.
        shown: String,
    },
    /// It cannot be written as JSON.
    #[error("recording: cannot be written: {0}")]
    Write(serde_json::Error),
}

impl Recording {
    /// A recording without exchanges.
    #[must_use]
    pub fn new(clock_ms: i64, seed: u64) -> Self {
        Self {
            version: VERSION,
            synthetic: false,
            notice: None,
            clock_ms,
            seed,
            exchanges: Vec::new(),
        }
    }

    /// Reads and checks a file of at most [`limits::RECORDING_BYTES`].
    ///
    /// # Errors
    /// [`RecordingError`] that names the exchange and field.
    pub fn from_json(bytes: &[u8]) -> Result<Self, RecordingError> {
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        let rules = JsonRules::up_to(limits::RECORDING_BYTES);
        // The version first: a newer file may have fields this program cannot know.
        let Head { version } = json::parse("recording", bytes, &rules)?;
        if version != VERSION {
            return Err(RecordingError::Version { found: version });
        }
        let recording: Self = json::parse_unique("recording", bytes, &rules)?;
        recording
            .exchanges
            .iter()
            .enumerate()
            .try_for_each(|(index, exchange)| check(index, exchange))?;
        Ok(recording)
    }

    /// The file's text: indented, fields in the same order every time, a line feed at the end.
    ///
    /// # Errors
    /// [`RecordingError::Write`].
    pub fn to_json(&self) -> Result<String, RecordingError> {
        let mut text = serde_json::to_string_pretty(self).map_err(RecordingError::Write)?;
        text.push('\n');
        Ok(text)
    }
}

impl Exchange {
    /// An exchange to keep: secrets redacted, body of the request only as its hash.
    #[must_use]
    pub fn new(
        method: &str,
        url: &CheckedUrl,
        headers: &[(String, String)],
        body: Option<&[u8]>,
        response: RecordedResponse,
    ) -> Self {
        let request = RecordedRequest {
            method: method.to_owned(),
            url: redact::url(url.as_str()),
            headers: redact_headers(headers),
            body_sha256: body_hash(body),
        };
        Self { request, response }
    }
}

impl RecordedResponse {
    /// A reply to keep: secrets in its headers redacted.
    #[must_use]
    pub fn new(status: u16, headers: &[(String, String)], body: &[u8]) -> Self {
        Self {
            status,
            headers: redact_headers(headers),
            body: RecordedBody::from_bytes(body),
        }
    }
}

impl RecordedBody {
    /// The body as it is kept.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Base64(STANDARD.encode(bytes)),
        }
    }

    /// The body as it was; empty for base64 that [`Recording::from_json`] would have refused.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Base64(text) => STANDARD.decode(text).unwrap_or_default(),
        }
    }
}

/// The hash a request's body is kept and compared by; an empty body is none.
#[must_use]
pub fn body_hash(body: Option<&[u8]>) -> Option<String> {
    body.filter(|bytes| !bytes.is_empty()).map(|bytes| {
        Sha256::digest(bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    })
}

fn redact_headers(headers: &[(String, String)]) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| (name.clone(), redact::header_value(name, value).into_owned()))
        .collect()
}

fn check(index: usize, exchange: &Exchange) -> Result<(), RecordingError> {
    let Exchange { request, response } = exchange;
    let fault = |field, reason, value: &str| RecordingError::Field {
        index,
        field,
        reason,
        shown: UntrustedText::from(value).one_line(60),
    };
    CheckedUrl::parse(&request.url).map_err(|error| RecordingError::Url { index, error })?;
    if !crate::request::METHODS.contains(&request.method.as_str()) {
        return Err(fault("request.method", "not a method", &request.method));
    }
    if let Some(hash) = &request.body_sha256 {
        let is_hash = hash.len() == 64
            && hash
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if !is_hash {
            return Err(fault(
                "request.body_sha256",
                "not 64 lower-case hexadecimal digits",
                hash,
            ));
        }
    }
    if !(100..=599).contains(&response.status) {
        return Err(fault(
            "response.status",
            "not an HTTP status",
            &response.status.to_string(),
        ));
    }
    match &response.body {
        RecordedBody::Base64(text) if STANDARD.decode(text).is_err() => {
            Err(fault("response.body.base64", "not base64", text))
        }
        _ => Ok(()),
    }
}
