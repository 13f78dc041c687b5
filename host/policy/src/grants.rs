//! What a package asks for, and what its lock entry allows.

use serde::{Deserialize, Serialize};

use crate::allowlist::Allowlist;
use crate::capability::Capability;
use crate::pattern::DomainPattern;

/// Domains, POSTs and capabilities: asked by a package, or granted by a person.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Grants {
    /// Entries of an [`Allowlist`].
    pub domains: Vec<String>,
    /// URLs a read command may POST to.
    pub posts: Vec<String>,
    /// Capabilities.
    pub capabilities: Vec<Capability>,
}

impl Grants {
    /// What these ask for that `held` lacks. A domain below a held wildcard is not lacking.
    #[must_use]
    pub fn beyond(&self, held: &Self) -> Self {
        let (list, _) = Allowlist::from_entries(&held.domains);
        let lacks_domain = |entry: &&String| match entry.parse::<DomainPattern>() {
            Ok(pattern) => !list.covers(&pattern),
            Err(_) => !held.domains.contains(entry),
        };
        Self {
            domains: self.domains.iter().filter(lacks_domain).cloned().collect(),
            posts: self
                .posts
                .iter()
                .filter(|post| !held.posts.contains(post))
                .cloned()
                .collect(),
            capabilities: self
                .capabilities
                .iter()
                .filter(|capability| !held.capabilities.contains(capability))
                .copied()
                .collect(),
        }
    }

    /// What is in both: the grants in force for a package that asks for these and holds `held`.
    /// Illegal domain entries are in neither.
    #[must_use]
    pub fn within(&self, held: &Self) -> Self {
        let (asked, _) = Allowlist::from_entries(&self.domains);
        let (list, _) = Allowlist::from_entries(&held.domains);
        Self {
            domains: asked
                .intersect(&list)
                .entries()
                .map(str::to_owned)
                .collect(),
            posts: self
                .posts
                .iter()
                .filter(|post| held.posts.contains(post))
                .cloned()
                .collect(),
            capabilities: self
                .capabilities
                .iter()
                .filter(|capability| held.capabilities.contains(capability))
                .copied()
                .collect(),
        }
    }

    /// Whether nothing is asked or granted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.domains.is_empty() && self.posts.is_empty() && self.capabilities.is_empty()
    }

    /// Whether a capability is among them.
    #[must_use]
    pub fn has(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }
}
