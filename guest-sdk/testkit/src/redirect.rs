//! What an answer with a redirect leads to, by the host's rules.

use sr_guest::bindings::sr::runtime::fetch::Redirects;
use sr_guest::{Failure, failure};
use sr_policy::failure::codes;
use sr_policy::recording::RecordedResponse;
use sr_policy::{CheckedUrl, Denial, Scheme};

use crate::convert::denied;

/// Redirects followed for one request (WIT limits).
pub(crate) const HOPS: usize = 10;

/// The method and URL of the next hop; `None` when this answer is the last.
pub(crate) fn next(
    mode: Redirects,
    method: &str,
    from: &CheckedUrl,
    response: &RecordedResponse,
) -> Result<Option<(String, CheckedUrl)>, Denial> {
    if mode == Redirects::Manual || !matches!(response.status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let mut headers = response.headers.iter();
    let Some((_, location)) = headers.find(|(name, _)| name.eq_ignore_ascii_case("location"))
    else {
        return Ok(None);
    };
    let to = from.join(location)?;
    let refused = |code, rule| Denial::new(code, rule, &to.origin().to_string(), None);
    if from.scheme() == Scheme::Https && to.scheme() == Scheme::Http {
        return Err(refused(codes::SCHEME_NOT_ALLOWED, "redirect-downgrade"));
    }
    if mode == Redirects::SameOrigin && from.origin() != to.origin() {
        return Err(refused(codes::DOMAIN_NOT_ALLOWED, "redirect"));
    }
    let method = match (response.status, method) {
        (303, "HEAD") => "HEAD",
        (303, _) | (301 | 302, "POST") => "GET",
        (_, method) => method,
    };
    Ok(Some((method.to_owned(), to)))
}

/// The denial with the redirect it was about, and whose.
pub(crate) fn at_hop(denial: Denial, hop: usize, from: &CheckedUrl) -> Failure {
    let subject = format!("{} (redirect {hop} from {})", denial.subject, from.host());
    denied(Denial { subject, ..denial })
}

pub(crate) fn too_many() -> Failure {
    failure::coded(
        "TOO_MANY_REDIRECTS",
        format!("more than {HOPS} redirects"),
        None,
    )
}
