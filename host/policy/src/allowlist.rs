//! Which hosts a plugin may reach.

use crate::address::check_address;
use crate::failure::{Denial, codes};
use crate::host_name::special_use;
pub use crate::pattern::{DomainPattern, PatternError};
use crate::url::CheckedUrl;

/// The hosts a plugin may reach, by exact name or by `*.name` for everything below a name.
///
/// An empty list allows nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Allowlist {
    patterns: Vec<DomainPattern>,
}

impl Allowlist {
    /// The legal entries as a list, and an error for each of the others.
    ///
    /// With the feature `suffixes` a wildcard on a public suffix is one of the others.
    pub fn from_entries<I>(entries: I) -> (Self, Vec<PatternError>)
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let mut list = Self::default();
        let mut errors = Vec::new();
        for entry in entries {
            match parse_entry(entry.as_ref()) {
                Ok(pattern) => list.add(pattern),
                Err(error) => errors.push(error),
            }
        }
        (list, errors)
    }

    /// Whether a request may go there: host on the list, port the scheme's own.
    ///
    /// Allocates nothing when the answer is yes.
    ///
    /// # Errors
    /// A denial with the manifest line that would allow the host; without one where none would.
    pub fn check(&self, url: &CheckedUrl) -> Result<(), Denial> {
        let host = url.host();
        if let Some(ip) = url.ip() {
            check_address(host, ip)?;
            return Err(Denial::new(
                codes::DOMAIN_NOT_ALLOWED,
                "allowlist",
                host,
                None,
            ));
        }
        if self.patterns.iter().any(|pattern| pattern.matches(host)) {
            return if url.has_default_port() {
                Ok(())
            } else {
                Err(Denial::new(
                    codes::PORT_NOT_ALLOWED,
                    "default-port",
                    &url.authority(),
                    None,
                ))
            };
        }
        Err(not_listed(url))
    }

    /// Whether it allows nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The entries, in the order they were given.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.patterns.iter().map(DomainPattern::as_str)
    }

    /// The entries as patterns.
    #[must_use]
    pub fn patterns(&self) -> &[DomainPattern] {
        &self.patterns
    }

    /// What either list allows.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut list = self.clone();
        for pattern in &other.patterns {
            list.add(pattern.clone());
        }
        list
    }

    /// What both lists allow.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        let mut list = Self::default();
        for pattern in self.patterns.iter().filter(|pattern| other.covers(pattern)) {
            list.add(pattern.clone());
        }
        for pattern in other.patterns.iter().filter(|pattern| self.covers(pattern)) {
            list.add(pattern.clone());
        }
        list
    }

    /// Whether one entry of this list covers all that `pattern` means.
    #[must_use]
    pub fn covers(&self, pattern: &DomainPattern) -> bool {
        self.patterns.iter().any(|held| held.covers(pattern))
    }

    fn add(&mut self, pattern: DomainPattern) {
        if !self.patterns.contains(&pattern) {
            self.patterns.push(pattern);
        }
    }
}

fn parse_entry(entry: &str) -> Result<DomainPattern, PatternError> {
    let pattern: DomainPattern = entry.parse()?;
    #[cfg(feature = "suffixes")]
    crate::suffix::refuse_public_suffix(&pattern)?;
    Ok(pattern)
}

fn not_listed(url: &CheckedUrl) -> Denial {
    let host = url.host();
    if special_use(host).is_some() {
        return Denial::new(
            codes::ADDRESS_NOT_ALLOWED,
            "special-use-name",
            &special_subject(host),
            None,
        );
    }
    // Another port would still be refused, and an illegal name cannot be listed.
    let line = (url.has_default_port() && parse_entry(host).is_ok())
        .then(|| format!("\"domains\": [\"{host}\"]"));
    Denial::new(codes::DOMAIN_NOT_ALLOWED, "allowlist", host, line)
}

fn special_subject(host: &str) -> String {
    match host.rsplit('.').next() {
        Some("localhost" | "localdomain") => format!("{host} (loopback)"),
        _ => format!("{host} (local name)"),
    }
}
