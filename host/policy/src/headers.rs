//! Which request headers a plugin may set, and which are secrets.

use crate::denial::ascii;
use crate::failure::{Denial, codes};
use crate::limits;

/// Headers that say where a request goes, how it is framed or what it really does. A plugin
/// that could set them could dial one site and ask another.
const HOST_OWNED: &[&str] = &[
    "accept-encoding",
    "alt-svc",
    "alt-used",
    "connection",
    "content-length",
    "expect",
    "forwarded",
    "host",
    "http2-settings",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
    "x-forwarded",
    "x-host",
    "x-real-ip",
];

/// Families of such headers.
const HOST_OWNED_PREFIXES: &[&str] = &[
    ":",
    "proxy-",
    "sec-",
    "x-forwarded-",
    "x-original-",
    "x-rewrite-",
];

/// Headers by which many servers turn a GET into a write; the method rule must see the real one.
const METHOD_OVERRIDES: &[&str] = &[
    "x-http-method",
    "x-http-method-override",
    "x-method",
    "x-method-override",
];

/// Checks the headers a plugin wants to send: number, size, syntax, and that none is the host's.
///
/// `_` counts as `-`, because servers that map headers to variables cannot tell them apart.
/// There is no cookie jar, so a plugin may set `cookie` itself; `origin` and `referer` too.
///
/// # Errors
/// A denial with code `HEADER_NOT_ALLOWED` that names the first bad header.
pub fn check_request_headers(headers: &[(String, String)]) -> Result<(), Denial> {
    if headers.len() > limits::HEADER_COUNT {
        let subject = format!(
            "{} headers, at most {}",
            headers.len(),
            limits::HEADER_COUNT
        );
        return Err(refused("header-count", &subject));
    }
    let bytes: usize = headers
        .iter()
        .map(|(name, value)| name.len() + value.len())
        .sum();
    if bytes > limits::HEADER_BYTES {
        let subject = format!("{bytes} bytes of headers, at most {}", limits::HEADER_BYTES);
        return Err(refused("header-bytes", &subject));
    }
    headers
        .iter()
        .try_for_each(|(name, value)| check_header(name, value))
}

/// Whether a header's value is a secret: never recorded, logged or shown.
#[must_use]
pub fn is_sensitive(name: &str) -> bool {
    const PARTS: &[&str] = &[
        "authoriz",
        "cookie",
        "token",
        "secret",
        "passw",
        "session",
        "api-key",
        "apikey",
        "access-key",
        "credential",
        "csrf",
        "xsrf",
        "jwt",
        "signature",
    ];
    let name = canonical(name);
    PARTS.iter().any(|part| name.contains(part)) || name.split('-').any(|word| word == "auth")
}

/// Whether a header must not follow a redirect to another origin.
#[must_use]
pub fn dropped_on_cross_origin(name: &str) -> bool {
    is_sensitive(name) || canonical(name).starts_with("proxy-")
}

fn check_header(name: &str, value: &str) -> Result<(), Denial> {
    let canonical = canonical(name);
    if HOST_OWNED.contains(&canonical.as_str())
        || HOST_OWNED_PREFIXES
            .iter()
            .any(|prefix| canonical.starts_with(prefix))
    {
        return Err(refused("host-owned-header", &canonical));
    }
    if METHOD_OVERRIDES.contains(&canonical.as_str()) {
        return Err(refused("method-override", &canonical));
    }
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err(refused(
            "header-name",
            &format!("\"{}\"", ascii(name, limits::LABEL_BYTES)),
        ));
    }
    if value
        .bytes()
        .any(|byte| byte != b'\t' && byte.is_ascii_control())
    {
        return Err(refused(
            "header-value",
            &format!("a control character in the value of {canonical}"),
        ));
    }
    Ok(())
}

fn canonical(name: &str) -> String {
    name.trim().to_ascii_lowercase().replace('_', "-")
}

/// RFC 9110, 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn refused(rule: &str, subject: &str) -> Denial {
    Denial::new(codes::HEADER_NOT_ALLOWED, rule, subject, None)
}
