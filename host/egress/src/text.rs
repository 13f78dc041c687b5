//! A body as text, in the charset its answer declares.

use encoding_rs::{Encoding, UTF_8};

/// The body as text. A byte order mark wins over the declared charset (WHATWG Encoding, "decode"),
/// the charset of `content-type` over UTF-8; what does not decode becomes U+FFFD.
#[must_use]
pub fn decode_text(headers: &[(String, String)], body: &[u8]) -> String {
    let declared = headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("content-type"))
        .and_then(|(_, value)| charset_of(value))
        .and_then(|label| Encoding::for_label_no_replacement(label.as_bytes()))
        .unwrap_or(UTF_8);
    declared.decode(body).0.into_owned()
}

/// The `charset` parameter of a media type, without quotes.
fn charset_of(media_type: &str) -> Option<&str> {
    media_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| value.trim().trim_matches('"'))
    })
}
