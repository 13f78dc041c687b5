//! Where an answer points, and with which method one goes there (RFC 9110, 15.4).

use sr_policy::failure::codes;
use sr_policy::limits::DENIAL_SUBJECT_BYTES;
use sr_policy::url::Scheme;
use sr_policy::{CheckedUrl, Denial, Failure};

use crate::failures::unavailable;
use crate::fetch::Redirects;
use crate::transport::Reply;

/// The next hop an answer asks for.
pub(crate) struct Redirect {
    /// Whether the next hop is a GET without the body, instead of the same request again.
    pub(crate) becomes_get: bool,
    /// Where to, or why not.
    pub(crate) target: Result<CheckedUrl, Denial>,
}

/// The redirect in `reply`; none when the reply is the answer, which a 3xx without location also is.
pub(crate) fn redirect_of(
    method: &str,
    url: &CheckedUrl,
    reply: &Reply,
    redirects: Redirects,
) -> Result<Option<Redirect>, Failure> {
    if redirects == Redirects::Manual || !matches!(reply.status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = location_of(url, reply)? else {
        return Ok(None);
    };
    let becomes_get = match reply.status {
        301 | 302 => method == "POST",
        303 => !matches!(method, "GET" | "HEAD"),
        _ => false,
    };
    let target = url
        .join(location)
        .map_err(Denial::from)
        .and_then(|target| allowed(url, target, redirects));
    Ok(Some(Redirect {
        becomes_get,
        target,
    }))
}

/// The one place a reply points to. Two different ones are how one reader is sent elsewhere than another.
fn location_of<'a>(url: &CheckedUrl, reply: &'a Reply) -> Result<Option<&'a str>, Failure> {
    let mut found = reply
        .headers
        .iter()
        .filter(|(name, _)| name == "location")
        .map(|(_, value)| value.as_str());
    let Some(first) = found.next() else {
        return Ok(None);
    };
    if found.any(|other| other != first) {
        return Err(unavailable(format!(
            "{}: the redirect names two different locations",
            url.host()
        )));
    }
    Ok(Some(first))
}

/// What holds for every redirect, whatever the allowlist says.
fn allowed(
    from: &CheckedUrl,
    target: CheckedUrl,
    redirects: Redirects,
) -> Result<CheckedUrl, Denial> {
    let refused = |code, rule| Denial::new(code, rule, &target.origin().to_string(), None);
    if from.scheme() == Scheme::Https && target.scheme() == Scheme::Http {
        return Err(refused(codes::SCHEME_NOT_ALLOWED, "redirect-downgrade"));
    }
    if redirects == Redirects::SameOrigin && target.origin() != from.origin() {
        return Err(refused(codes::DOMAIN_NOT_ALLOWED, "redirect"));
    }
    Ok(target)
}

/// Adds to a denial which redirect it was about, and whose.
pub(crate) fn at_hop(denial: Denial, hop: u32, from: &str) -> Denial {
    let full = format!(" (redirect {hop} from {from})");
    let fits = denial.subject.len() + full.len() <= DENIAL_SUBJECT_BYTES;
    let note = if fits {
        full
    } else {
        format!(" (redirect {hop})")
    };
    let room = DENIAL_SUBJECT_BYTES.saturating_sub(note.len());
    // A subject is ASCII, so characters are bytes.
    let subject: String = denial
        .subject
        .chars()
        .take(room)
        .chain(note.chars())
        .collect();
    Denial { subject, ..denial }
}
