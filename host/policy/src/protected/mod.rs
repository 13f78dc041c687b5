//! Origins that browser control never reaches: their pages, their cookies, their storage.
//!
//! The rules are a catalog's; this is the one place that applies them.
//!
//! ```
//! use sr_policy::protected::{Protected, ProtectedRules};
//!
//! let rules = ProtectedRules {
//!     domains: vec!["example.test".into()],
//!     schemes: vec!["https".into(), "http".into()],
//!     inner_schemes: vec!["blob".into()],
//!     refusal: "not for you".into(),
//!     ..ProtectedRules::default()
//! };
//! let protected = Protected::new(rules, ["http://127.0.0.1:5710"])?;
//! let verdict = protected.url("blob:https:\\\\a.EXAMPLE%2Etest/x");
//! assert!(verdict.is_protected());
//! assert_eq!(protected.refusal(verdict), Some("not for you"));
//! assert!(!protected.url("https://example.test.evil/").is_protected());
//! assert!(protected.cookie_domain(".test").is_protected());
//! # Ok::<(), sr_policy::protected::ExtraOriginError>(())
//! ```

mod rules;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::denial::ascii;
use crate::limits;
use crate::url::parse_any;
pub use rules::{ErrorPage, ProtectedRules};

/// How many wrappers, such as `blob:`, are taken off a URL.
const LAYERS: usize = 8;
/// Texts that stand for no address at all and are no attempt at one.
const NO_ADDRESS: [&str; 3] = ["", "null", "://"];

/// What the rules say, and which of them said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Anybody's.
    Open,
    /// A host, or a name above it, is protected.
    Domain,
    /// A scheme is protected whatever follows.
    Scheme,
    /// A page of the browser itself.
    BrowserPage,
    /// One of the program's own further origins.
    ExtraOrigin,
    /// No URL, so it could be anything.
    Unparseable,
    /// A type of target that is never anybody's.
    TargetType,
    /// An empty document that belongs to who made it, and that is protected or not known.
    Inherited,
}

impl Verdict {
    /// Whether it is to be refused.
    #[must_use]
    pub fn is_protected(self) -> bool {
        self != Self::Open
    }
}

/// A text that names no origin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an origin, such as https://example.com or http://127.0.0.1:8080: {shown}")]
pub struct ExtraOriginError {
    /// The text, printable ASCII.
    pub shown: String,
}

/// What is known of the page that opened another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opener {
    /// It is protected.
    Protected,
    /// It is not.
    Unprotected,
    /// It was gone before anybody saw it.
    Unknown,
}

/// A target as a browser describes it. The field names are those of its protocol.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Its URL; empty before the first document.
    #[serde(default)]
    pub url: String,
    /// Its type: `page`, `iframe`, `browser_ui` and others.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// Whether it was protected before it had this URL.
    #[serde(default)]
    pub previous: bool,
    /// The page that opened it, when there is one.
    #[serde(default)]
    pub opener: Option<Opener>,
    /// The URL of the document in it, when that is another.
    #[serde(default, rename = "documentURL")]
    pub document_url: Option<String>,
    /// The URL that could not be loaded, when its document says so.
    #[serde(default, rename = "unreachableURL")]
    pub unreachable_url: Option<String>,
    /// Whether it is on its way to another document.
    #[serde(default)]
    pub navigating: bool,
}

/// The rules, ready to judge.
#[derive(Debug, Clone)]
pub struct Protected {
    rules: ProtectedRules,
    extra: Vec<ExtraOrigin>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct ExtraOrigin {
    scheme: String,
    host: String,
    port: Option<u16>,
}

impl ExtraOrigin {
    fn of(url: &url::Url) -> Option<Self> {
        Some(Self {
            scheme: url.scheme().to_owned(),
            host: bare_host(url)?.into_owned(),
            port: url.port(),
        })
    }

    fn is(&self, url: &url::Url) -> bool {
        self.scheme == url.scheme()
            && self.port == url.port()
            && bare_host(url).is_some_and(|host| host == self.host)
    }
}

impl Protected {
    /// The rules of a catalog, and the origins that this program protects besides.
    ///
    /// # Errors
    /// An extra origin that is not one: no scheme, no host, or no URL at all. A path behind it is
    /// left out.
    pub fn new<T: AsRef<str>>(
        rules: ProtectedRules,
        extra: impl IntoIterator<Item = T>,
    ) -> Result<Self, ExtraOriginError> {
        let extra = extra.into_iter().map(|text| {
            let text = text.as_ref();
            parse_any(text)
                .ok()
                .as_ref()
                .and_then(ExtraOrigin::of)
                .ok_or_else(|| ExtraOriginError {
                    shown: ascii(text, limits::DENIAL_SUBJECT_BYTES),
                })
        });
        Ok(Self {
            extra: extra.collect::<Result<_, _>>()?,
            rules,
        })
    }

    /// What is to be said of a verdict; nothing when it is open.
    #[must_use]
    pub fn refusal(&self, verdict: Verdict) -> Option<&str> {
        match verdict {
            Verdict::Open => None,
            Verdict::Unparseable => self
                .rules
                .unparseable_refusal
                .as_deref()
                .filter(|text| !text.is_empty())
                .or(Some(&self.rules.refusal)),
            _ => Some(&self.rules.refusal),
        }
    }

    /// Judges an address as a browser would read it.
    #[must_use]
    pub fn url(&self, text: &str) -> Verdict {
        let mut text = Cow::Borrowed(text);
        let mut layers = 0;
        loop {
            let Ok(url) = parse_any(&text) else {
                return self.unparseable(&text);
            };
            if !is_in(&self.rules.inner_schemes, url.scheme()) {
                return self.parsed(&url);
            }
            if layers == LAYERS {
                // An address that is wrapped so often is nobody's, or somebody's attempt.
                return match self.unparseables_are_protected() {
                    true => Verdict::Unparseable,
                    false => self.parsed(&url),
                };
            }
            layers += 1;
            let inner = url.as_str().split_once(':').map_or("", |(_, inner)| inner);
            text = Cow::Owned(inner.to_owned());
        }
    }

    /// Judges a target of a browser.
    #[must_use]
    pub fn target(&self, target: &Target) -> Verdict {
        let is_hidden = |kind: &String| is_in(&self.rules.target_types, kind);
        if target.kind.as_ref().is_some_and(is_hidden) {
            return Verdict::TargetType;
        }
        let inherited = |yes: bool| match yes {
            true => Verdict::Inherited,
            false => Verdict::Open,
        };
        // The page that failed to load is not there; what is there belongs to the page before it.
        let failed = self.rules.error_page.as_ref().is_some_and(|page| {
            !target.navigating
                && target.document_url.as_deref() == Some(&page.url)
                && target.unreachable_url.as_deref() == Some(&target.url)
        });
        if failed {
            return inherited(target.previous);
        }
        if target.url.is_empty() || self.inherits(&target.url) {
            let opener = matches!(target.opener, Some(Opener::Protected | Opener::Unknown));
            return inherited(target.previous || opener);
        }
        self.url(&target.url)
    }

    /// Judges the domain of a cookie, with or without its leading dot: one that a protected host
    /// would be sent, too.
    #[must_use]
    pub fn cookie_domain(&self, domain: &str) -> Verdict {
        let domain = domain.strip_prefix('.').unwrap_or(domain);
        let domain = domain.strip_suffix('.').unwrap_or(domain);
        if domain.is_empty() {
            return Verdict::Open;
        }
        let domain = match url::Host::parse(domain) {
            Ok(host) => host.to_string(),
            Err(_) => domain.to_ascii_lowercase(),
        };
        let domains = || self.rules.domains.iter();
        if domains().any(|known| is_under(&domain, known)) {
            return Verdict::Domain;
        }
        let sent_to = |host: &String| is_under(host, &domain);
        if domains().chain(&self.rules.hosts).any(sent_to) {
            return Verdict::Domain;
        }
        match self.extra.iter().any(|origin| sent_to(&origin.host)) {
            true => Verdict::ExtraOrigin,
            false => Verdict::Open,
        }
    }

    /// Judges a storage key: its own origin, and that of the page on top of it. A part that is no
    /// URL names no storage, so it is open.
    #[must_use]
    pub fn storage_key(&self, key: &str) -> Verdict {
        let mut parts = key.split('^');
        let origin = parts.next();
        let tops = parts.filter_map(|part| part.strip_prefix('0'));
        origin
            .into_iter()
            .chain(tops)
            .map(|text| self.url(text))
            .find(|verdict| verdict.is_protected() && *verdict != Verdict::Unparseable)
            .unwrap_or(Verdict::Open)
    }

    fn parsed(&self, url: &url::Url) -> Verdict {
        let rules = &self.rules;
        if let Some(scheme) = rules
            .about_scheme
            .as_deref()
            .filter(|name| !name.is_empty())
            && url.scheme() == "about"
            && !self.inherits(url.as_str())
        {
            return match parse_any(&format!("{scheme}://{}", url.path())) {
                Ok(page) => self.by_scheme(&page),
                Err(_) => self.unparseable(url.as_str()),
            };
        }
        self.by_scheme(url)
    }

    fn by_scheme(&self, url: &url::Url) -> Verdict {
        let rules = &self.rules;
        let scheme = url.scheme();
        if is_in(&rules.protected_schemes, scheme) {
            // A port or a user name makes it another page than the one that is excepted.
            let page = format!("{scheme}://{}", url.authority());
            if !is_in(&rules.scheme_exceptions, &page) {
                return Verdict::BrowserPage;
            }
        }
        if is_in(&rules.any_schemes, scheme) {
            return Verdict::Scheme;
        }
        if is_in(&rules.schemes, scheme)
            && let Some(host) = bare_host(url)
            && (is_in(&rules.hosts, &host)
                || rules.domains.iter().any(|known| is_under(&host, known)))
        {
            return Verdict::Domain;
        }
        match self.extra.iter().any(|origin| origin.is(url)) {
            true => Verdict::ExtraOrigin,
            false => Verdict::Open,
        }
    }

    fn unparseables_are_protected(&self) -> bool {
        self.rules.unparseable.as_deref() == Some("protected")
    }

    fn unparseable(&self, text: &str) -> Verdict {
        match self.unparseables_are_protected() && !NO_ADDRESS.contains(&text) {
            true => Verdict::Unparseable,
            false => Verdict::Open,
        }
    }

    /// Whether a document at this address has the origin of whoever made it.
    fn inherits(&self, text: &str) -> bool {
        parse_any(text).is_ok_and(|url| {
            self.rules.inheriting.iter().any(|known| {
                known.split_once(':').is_some_and(|(scheme, path)| {
                    url.scheme() == scheme && url.path().eq_ignore_ascii_case(path)
                })
            })
        })
    }
}

fn is_in(list: &[String], text: &str) -> bool {
    list.iter().any(|item| item == text)
}

/// Whether a host is a name, or has it at its end.
fn is_under(host: &str, name: &str) -> bool {
    host.strip_suffix(name)
        .is_some_and(|before| before.is_empty() || before.ends_with('.'))
        && !name.is_empty()
}

/// The host in lower case and without its final dot.
fn bare_host(url: &url::Url) -> Option<Cow<'_, str>> {
    let host = url.host_str().filter(|host| !host.is_empty())?;
    let host = host.strip_suffix('.').unwrap_or(host);
    Some(match host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(host.to_ascii_lowercase()),
        false => Cow::Borrowed(host),
    })
}
