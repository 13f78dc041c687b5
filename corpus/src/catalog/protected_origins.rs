//! What browser control must not reach.

use serde::{Deserialize, Serialize};

/// Rules of protection. A rule that a catalog lacks is empty and does not apply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProtectedOrigins {
    /// How a target that shows an error page is judged.
    #[serde(default, skip_serializing_if = "ErrorPageRule::is_empty")]
    pub error_page: ErrorPageRule,
    /// Domains that are protected with all below them.
    pub domains: Vec<String>,
    /// Hosts that are protected whatever `domains` says.
    pub hosts: Vec<String>,
    /// Schemes to which `domains` and `hosts` apply.
    pub schemes: Vec<String>,
    /// Schemes around another URL.
    pub inner_schemes: Vec<String>,
    /// Schemes that are protected whatever follows.
    pub any_schemes: Vec<String>,
    /// Schemes that are protected but for `scheme_exceptions`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub protected_schemes: Vec<String>,
    /// `scheme://host` that is not protected by its scheme.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scheme_exceptions: Vec<String>,
    /// Scheme as which `about:` URLs are judged, but for the inheriting ones.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about_scheme: String,
    /// Types of targets that are protected whatever their URL.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub target_types: Vec<String>,
    /// URLs whose document has the origin of whoever made it.
    pub inheriting: Vec<String>,
    /// `protected` if a text that is no URL is protected.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unparseable: String,
    /// What a refusal of such a text says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unparseable_refusal: String,
    /// What every other refusal says.
    pub refusal: String,
}

/// How a target that shows an error page is judged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorPageRule {
    /// URL of the document of an error page.
    pub url: String,
    /// `previous`: as before it failed to load.
    pub target: String,
    /// `origin`: only the origin of the address that failed may be told.
    pub redact: String,
}

impl ErrorPageRule {
    /// Whether the catalog has no such rule.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == ErrorPageRule::default()
    }
}
