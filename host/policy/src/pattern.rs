//! One entry of a domain allowlist.

use std::fmt;
use std::str::FromStr;

use crate::host_name::{host_name_fault, special_use};
use crate::untrusted::UntrustedText;
use crate::url::CheckedUrl;

/// A full host name, or `*.` and a name for everything below it (never the name itself).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DomainPattern {
    text: String,
}

/// An entry that is not a [`DomainPattern`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("domain entry {}: {rule}; {advice}", quoted(.entry))]
pub struct PatternError {
    /// The entry as it was written.
    pub entry: String,
    /// The rule it breaks.
    pub rule: &'static str,
    /// What to write instead.
    pub advice: String,
}

impl DomainPattern {
    /// The entry as it is written in a manifest.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it starts with `*.`.
    #[must_use]
    pub fn is_wildcard(&self) -> bool {
        self.text.starts_with("*.")
    }

    /// The name without `*.`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.text.strip_prefix("*.").unwrap_or(&self.text)
    }

    /// Whether a host, as [`CheckedUrl::host`] gives it, is meant. Compared whole, never as a prefix.
    #[must_use]
    pub fn matches(&self, host: &str) -> bool {
        match self.text.strip_prefix('*') {
            // The dot stays in `below`, so `evilshop.test` is not below `.shop.test`.
            Some(below) => host.len() > below.len() && host.ends_with(below),
            None => host == self.text,
        }
    }

    /// Whether every host of `other` is also one of this entry.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        self == other || (self.is_wildcard() && self.matches(other.name()))
    }
}

impl fmt::Display for DomainPattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl FromStr for DomainPattern {
    type Err = PatternError;

    /// Nothing is accepted and ignored: a scheme, port or path is an error, and so is another
    /// spelling of a name than the one requests carry.
    fn from_str(entry: &str) -> Result<Self, PatternError> {
        check(entry).map_err(|(rule, advice)| PatternError {
            entry: entry.to_owned(),
            rule,
            advice: advice.text(),
        })?;
        Ok(Self {
            text: entry.to_owned(),
        })
    }
}

type Fault = (&'static str, Advice);

/// What to write instead. Made into text once at the end: judging advice must not give advice.
enum Advice {
    HostAlone,
    NoAddress,
    /// This text, if it is an entry.
    Write(String),
    /// The host of this text, if it is a URL.
    HostOf(String),
}

impl Advice {
    fn text(self) -> String {
        let better = match self {
            Self::NoAddress => return NO_ADDRESS.to_owned(),
            Self::HostAlone => None,
            Self::Write(text) => Some(text),
            Self::HostOf(text) => CheckedUrl::parse(&text)
                .ok()
                .map(|url| url.host().to_owned()),
        };
        match better.filter(|text| check(text).is_ok()) {
            Some(text) => format!("write {text}"),
            None => HOST_ALONE.to_owned(),
        }
    }
}

const HOST_ALONE: &str = "write the host name alone, such as example.com or *.example.com";
const NO_ADDRESS: &str =
    "write the site's host name; a person can send it to an address with --resolve or --connect-to";

/// Longest text looked at closely; a host name in another script is a few times longer than in ASCII.
const MOST_BYTES: usize = 1024;

fn check(entry: &str) -> Result<(), Fault> {
    if entry.len() > MOST_BYTES {
        return Err(("a domain is at most 253 bytes", Advice::HostAlone));
    }
    check_shape(entry)?;
    check_name(entry.strip_prefix("*.").unwrap_or(entry), entry)
}

/// What no host name has: other parts of a URL, stars, white space.
fn check_shape(entry: &str) -> Result<(), Fault> {
    if entry.is_empty() {
        return Err(("an entry is not empty", Advice::HostAlone));
    }
    if entry
        .chars()
        .any(|letter| letter.is_whitespace() || letter.is_control())
    {
        return Err((
            "white space and control characters stand in no host name",
            Advice::Write(entry.trim().to_owned()),
        ));
    }
    if entry.contains("://") {
        return Err((
            "a scheme is not part of a domain",
            Advice::HostOf(entry.to_owned()),
        ));
    }
    if let Some((_, behind)) = entry.rsplit_once('@') {
        return Err((
            "a user name is not part of a domain",
            Advice::Write(behind.to_owned()),
        ));
    }
    if entry.contains(['/', '\\', '?', '#']) {
        return Err((
            "a path or query is not part of a domain",
            Advice::HostOf(format!("https://{entry}")),
        ));
    }
    if entry.starts_with('[') || entry.parse::<std::net::Ipv6Addr>().is_ok() {
        return Err(("an IP address is not a domain", Advice::NoAddress));
    }
    if let Some((before, _)) = entry.split_once(':') {
        return Err((
            "a port is not part of a domain: only the scheme's own port is reached",
            Advice::Write(before.to_owned()),
        ));
    }
    check_stars(entry)
}

fn check_stars(entry: &str) -> Result<(), Fault> {
    if entry == "*" || entry == "*." {
        return Err(("a star alone would allow every site", Advice::HostAlone));
    }
    if entry.strip_prefix("*.").unwrap_or(entry).contains('*') {
        let rest = entry.rsplit_once('*').map_or("", |(_, rest)| rest);
        let base = rest.split_once('.').map_or(rest, |(_, base)| base);
        return Err((
            "only one star is allowed, as the whole first label",
            Advice::Write(format!("*.{base}")),
        ));
    }
    Ok(())
}

fn check_name(name: &str, entry: &str) -> Result<(), Fault> {
    if !name.is_ascii() {
        let advice = match idna::domain_to_ascii(name) {
            Ok(ascii) => Advice::Write(entry.replace(name, &ascii)),
            Err(_) => Advice::HostAlone,
        };
        return Err(("a domain is written in ASCII (punycode)", advice));
    }
    if let Some(bare) = name.strip_suffix('.') {
        return Err((
            "a domain has no final dot",
            Advice::Write(entry.replace(name, bare)),
        ));
    }
    if let Some(rule) = host_name_fault(name) {
        return Err((rule, Advice::HostAlone));
    }
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Err((
            "a domain is written in lower case",
            Advice::Write(entry.to_ascii_lowercase()),
        ));
    }
    // Numbers in any spelling, and punycode that stands for nothing, are what the URL parser says they are.
    match url::Host::parse(name) {
        Ok(url::Host::Domain(parsed)) if parsed == name => {}
        Ok(url::Host::Domain(parsed)) => {
            return Err((
                "a domain is written as requests carry it",
                Advice::Write(entry.replace(name, &parsed)),
            ));
        }
        Ok(_) => {
            return Err((
                "an IP address is not a domain, in any spelling",
                Advice::NoAddress,
            ));
        }
        Err(url::ParseError::InvalidIpv4Address) => {
            return Err((
                "the last label of a domain is not a number",
                Advice::HostAlone,
            ));
        }
        Err(_) => return Err(("not a host name by the IDNA rules", Advice::HostAlone)),
    }
    if let Some(why) = special_use(name) {
        return Err((why, Advice::NoAddress));
    }
    if !name.contains('.') {
        return Err(("a domain has at least two labels", Advice::HostAlone));
    }
    Ok(())
}

fn quoted(entry: &str) -> String {
    format!("\"{}\"", UntrustedText::from(entry).one_line(80))
}
