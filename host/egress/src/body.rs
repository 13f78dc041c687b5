//! A response body: read with a cap, decompressed with the same cap.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Incoming};
use sr_policy::Failure;

use crate::failures::{coded, response_too_large, unavailable};

/// Reads the whole body. The cap is checked against a declared length before the first byte is
/// read, and against what really comes, since a length may be missing.
pub(crate) async fn read(
    host: &str,
    mut body: Incoming,
    max_bytes: usize,
) -> Result<Vec<u8>, Failure> {
    let declared = body.size_hint().lower();
    if declared > max_bytes as u64 {
        return Err(response_too_large(host, max_bytes));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(declared).unwrap_or(0));
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            unavailable(format!(
                "{host}: the response body broke off: {}",
                cause_of(&error)
            ))
        })?;
        // A trailer is no data and is dropped.
        let Ok(data) = frame.into_data() else {
            continue;
        };
        if data.len() > max_bytes.saturating_sub(bytes.len()) {
            return Err(response_too_large(host, max_bytes));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

/// Undoes `content-encoding`. Only gzip was offered; whatever else comes is not guessed at.
pub(crate) fn decompress(
    host: &str,
    encoding: &str,
    body: Vec<u8>,
    max_bytes: usize,
) -> Result<Vec<u8>, Failure> {
    let name = encoding.trim().to_ascii_lowercase();
    match name.as_str() {
        _ if body.is_empty() => Ok(body),
        "" | "identity" => Ok(body),
        "gzip" | "x-gzip" => gunzip(host, &body, max_bytes),
        _ => Err(coded(
            "UNSUPPORTED_ENCODING",
            format!(
                "{host}: the response is encoded in a way that was not asked for: {}",
                name.escape_default()
            ),
            Some("only gzip is offered and understood"),
        )),
    }
}

fn gunzip(host: &str, body: &[u8], max_bytes: usize) -> Result<Vec<u8>, Failure> {
    let mut plain = Vec::new();
    // One byte more than allowed tells "exactly the limit" from "too much" without unpacking the rest.
    let mut decoder = MultiGzDecoder::new(body).take(max_bytes as u64 + 1);
    decoder
        .read_to_end(&mut plain)
        .map_err(|error| unavailable(format!("{host}: the gzip response is damaged: {error}")))?;
    if plain.len() > max_bytes {
        Err(response_too_large(host, max_bytes))
    } else {
        Ok(plain)
    }
}

/// hyper's own words and the error below them.
pub(crate) fn cause_of(error: &hyper::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
