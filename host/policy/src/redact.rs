//! Secrets out of what is kept or shown.
//!
//! Header values by name, query parameters by name, and any value that has the shape of a
//! credential. Redacting twice changes nothing.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::headers;

/// What stands where a secret stood.
pub const REDACTED: &str = "<redacted>";

/// A header's value without secrets.
#[must_use]
pub fn header_value<'a>(name: &str, value: &'a str) -> Cow<'a, str> {
    if headers::is_sensitive(name) || is_credential(value) {
        return Cow::Borrowed(REDACTED);
    }
    match name.to_ascii_lowercase().as_str() {
        "location" | "content-location" | "referer" | "refresh" | "link" => Cow::Owned(url(value)),
        _ => Cow::Borrowed(value),
    }
}

/// A URL without its user name, without values of sensitive parameters in query and fragment,
/// and without credential-shaped values anywhere. Names, order and everything else stay.
#[must_use]
pub fn url(text: &str) -> String {
    let (text, fragment) = split(text, '#');
    let (place, query) = split(text, '?');
    let mut made = redact_place(place);
    for (mark, pairs) in [('?', query), ('#', fragment)] {
        if let Some(pairs) = pairs {
            made.push(mark);
            made.push_str(&redact_pairs(pairs));
        }
    }
    made
}

/// A line of text without URLs' secrets and without words that have the shape of a credential.
/// Blanks between words become one space.
#[must_use]
pub fn words(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut after_scheme = false;
    for word in text.split_whitespace() {
        if !made.is_empty() {
            made.push(' ');
        }
        // `authorization: Bearer VALUE`: the scheme says what the next word is.
        let is_value = std::mem::replace(&mut after_scheme, is_scheme(word));
        if word.contains("://") {
            made.push_str(&url(word));
        } else if is_credential(word) || (is_value && word.len() >= 8) {
            made.push_str(REDACTED);
        } else {
            made.push_str(&redact_pair(word));
        }
    }
    made
}

fn is_scheme(word: &str) -> bool {
    ["bearer", "basic", "digest", "negotiate"].contains(&word.to_ascii_lowercase().as_str())
}

/// Whether a value looks like a credential whatever its name is.
#[must_use]
pub fn is_credential(value: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "ghp_",
        "gho_",
        "ghu_",
        "ghs_",
        "github_pat_",
        "glpat-",
        "xoxa-",
        "xoxb-",
        "xoxp-",
        "sk-",
        "sk_live_",
        "rk_live_",
        "AKIA",
        "ASIA",
        "AIza",
        "ya29.",
        "npm_",
        "hf_",
    ];
    let value = value.trim();
    let has_scheme = value
        .split_once(' ')
        .is_some_and(|(scheme, rest)| is_scheme(scheme) && rest.len() >= 8);
    has_scheme
        || value.starts_with("-----BEGIN ")
        || is_web_token(value)
        || PREFIXES.iter().any(|prefix| {
            value
                .strip_prefix(prefix)
                .is_some_and(|rest| rest.len() >= 12 && is_word(rest))
        })
        || is_random(value)
}

/// A JSON web token (RFC 7519): three base64url parts, the first a JSON object.
fn is_web_token(value: &str) -> bool {
    value.starts_with("eyJ") && value.split('.').count() == 3 && value.split('.').all(is_word)
}

/// Long, and of upper case, lower case and digits together: made by a generator, not a person.
fn is_random(value: &str) -> bool {
    value.len() >= 32
        && is_word(value)
        && value.bytes().any(|byte| byte.is_ascii_uppercase())
        && value.bytes().any(|byte| byte.is_ascii_lowercase())
        && value.bytes().filter(u8::is_ascii_digit).count() >= 2
}

fn is_word(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_+/=.".contains(&byte))
}

fn is_sensitive_parameter(name: &str, value: &str) -> bool {
    const PARTS: &[&str] = &[
        "token",
        "secret",
        "passw",
        "apikey",
        "accesskey",
        "privatekey",
        "session",
        "signature",
        "credential",
        "authorization",
        "cookie",
        "jwt",
        "csrf",
        "xsrf",
    ];
    const WORDS: &[&str] = &[
        "auth",
        "pwd",
        "pass",
        "sig",
        "sid",
        "otp",
        "pin",
        "ticket",
        "assertion",
    ];
    // Short ones are mostly product keys, language codes and the like.
    const WHEN_LONG: &[&str] = &["key", "code"];
    let name: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    PARTS.iter().any(|part| name.contains(part))
        || WORDS.contains(&name.as_str())
        || (WHEN_LONG.contains(&name.as_str()) && (value.len() >= 12 || value == REDACTED))
}

fn split(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark)
        .map_or((text, None), |(before, after)| (before, Some(after)))
}

/// Scheme, authority and path.
fn redact_place(place: &str) -> String {
    let (scheme, rest) = match place.find("//") {
        Some(at) => place.split_at(at + 2),
        None => ("", place),
    };
    let (authority, path) = match rest.find('/') {
        _ if scheme.is_empty() => ("", rest),
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let authority = match authority.rsplit_once('@') {
        Some((_, host)) => format!("{REDACTED}@{host}"),
        None => authority.to_owned(),
    };
    let path = path
        .split('/')
        .map(redact_segment)
        .collect::<Vec<_>>()
        .join("/");
    format!("{scheme}{authority}{path}")
}

/// A path has long generated names of things that are no secrets, so only known shapes go.
fn redact_segment(segment: &str) -> &str {
    let value = percent_decode_str(segment).decode_utf8_lossy();
    if value == REDACTED || (is_credential(&value) && !is_random(&value)) {
        REDACTED
    } else {
        segment
    }
}

fn redact_pairs(pairs: &str) -> String {
    pairs
        .split('&')
        .map(redact_pair)
        .collect::<Vec<_>>()
        .join("&")
}

fn redact_pair(pair: &str) -> Cow<'_, str> {
    let (name, value) = split(pair, '=');
    let Some(value) = value else {
        let word = percent_decode_str(name).decode_utf8_lossy();
        let secret = word == REDACTED || is_credential(&word);
        return Cow::Borrowed(if secret { REDACTED } else { pair });
    };
    let plain_name = percent_decode_str(name).decode_utf8_lossy();
    let plain_value = percent_decode_str(value).decode_utf8_lossy();
    if plain_value == REDACTED
        || is_sensitive_parameter(&plain_name, &plain_value)
        || is_credential(&plain_value)
    {
        Cow::Owned(format!("{name}={REDACTED}"))
    } else {
        Cow::Borrowed(pair)
    }
}
