//! May this request leave? One question, asked again for every redirect hop.

use crate::allowlist::Allowlist;
use crate::capability::Capability;
use crate::failure::{Denial, codes};
use crate::limits;
use crate::url::{CheckedUrl, Scheme};

/// What the component is doing when it asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// `commands` is read: no host call at all.
    Metadata,
    /// A read command: GET, HEAD, and the POSTs its manifest lists.
    Read,
    /// A write that is only filled in: GET and HEAD.
    Prepare,
    /// A write that a person or the command line let through: any method.
    Commit,
}

/// The rules for the requests of one run.
#[derive(Debug, Clone)]
pub struct RequestPolicy {
    /// Whether the lock grants the capability `fetch`.
    pub fetch: bool,
    /// Hosts the run may reach.
    pub allowlist: Allowlist,
    /// POSTs that only read, such as a search. Empty unless the lock grants `posts`.
    pub posts: Vec<CheckedUrl>,
    /// What the component is doing.
    pub phase: Phase,
}

/// Methods that exist for a plugin. CONNECT and TRACE are not requests to a site.
pub const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

impl RequestPolicy {
    /// Whether this request may leave. Allocates nothing when the answer is yes.
    ///
    /// The first rule that says no is the one reported: phase, capability, allowlist, method.
    ///
    /// # Errors
    /// A denial with code, rule and, where one would help, the manifest line.
    pub fn check(&self, method: &str, url: &CheckedUrl) -> Result<(), Denial> {
        if self.phase == Phase::Metadata {
            return Err(Denial::new(
                codes::NOT_DURING_METADATA,
                "metadata",
                "fetch",
                None,
            ));
        }
        if !self.fetch {
            return Err(Capability::Fetch.denial());
        }
        self.allowlist.check(url)?;
        self.check_method(method, url)
    }

    fn check_method(&self, method: &str, url: &CheckedUrl) -> Result<(), Denial> {
        if !METHODS.contains(&method) {
            return Err(Denial::new(
                codes::METHOD_NOT_ALLOWED,
                "method-name",
                method,
                None,
            ));
        }
        let reads = matches!(method, "GET" | "HEAD");
        match self.phase {
            Phase::Commit => Ok(()),
            _ if reads => Ok(()),
            Phase::Prepare => Err(Denial::new(
                codes::NOT_DURING_PREPARE,
                "prepare-reads-only",
                &subject(method, url),
                None,
            )),
            _ if method == "POST" && self.posts.iter().any(|post| same_place(post, url)) => Ok(()),
            _ => Err(Denial::new(
                codes::METHOD_NOT_ALLOWED,
                "method",
                &subject(method, url),
                posts_line(method, url),
            )),
        }
    }
}

fn same_place(post: &CheckedUrl, url: &CheckedUrl) -> bool {
    post.scheme() == url.scheme()
        && post.host() == url.host()
        && post.port() == url.port()
        && post.path() == url.path()
}

fn subject(method: &str, url: &CheckedUrl) -> String {
    format!("{method} {}", url.without_query())
}

/// Only a POST over https can be listed.
fn posts_line(method: &str, url: &CheckedUrl) -> Option<String> {
    let place = url.without_query();
    (method == "POST" && url.scheme() == Scheme::Https && place.len() <= limits::DENIAL_FIX_BYTES)
        .then(|| format!("\"posts\": [\"{place}\"], \"capabilities\": [\"fetch\", \"posts\"]"))
}
