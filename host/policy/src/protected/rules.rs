//! The rules as they stand in a catalog: plain data, read and never decided on here.

use serde::{Deserialize, Serialize};

/// `protectedOrigins` of a catalog. A field that a catalog leaves out switches its rule off.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProtectedRules {
    /// Registered names; every host at or under one is protected.
    pub domains: Vec<String>,
    /// Hosts that are protected by name.
    pub hosts: Vec<String>,
    /// Schemes whose host is looked at.
    pub schemes: Vec<String>,
    /// Schemes that wrap another URL.
    pub inner_schemes: Vec<String>,
    /// Schemes that are protected whatever follows.
    pub any_schemes: Vec<String>,
    /// Addresses of documents that have the origin of whoever made them.
    pub inheriting: Vec<String>,
    /// What is said when something is refused.
    pub refusal: String,
    /// Schemes of the browser itself, protected but for [`Self::scheme_exceptions`].
    #[serde(default)]
    pub protected_schemes: Vec<String>,
    /// `scheme://host` of pages that anybody may see.
    #[serde(default)]
    pub scheme_exceptions: Vec<String>,
    /// The scheme that `about:NAME` stands for.
    #[serde(default)]
    pub about_scheme: Option<String>,
    /// Types of targets that are protected whatever they show.
    #[serde(default)]
    pub target_types: Vec<String>,
    /// The document a browser shows when a page could not be loaded.
    #[serde(default)]
    pub error_page: Option<ErrorPage>,
    /// `protected`, or nothing: what a text is that is no URL.
    #[serde(default)]
    pub unparseable: Option<String>,
    /// What is said of a text that is no URL.
    #[serde(default)]
    pub unparseable_refusal: Option<String>,
}

/// How a failed load is judged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorPage {
    /// The address of its document.
    pub url: String,
    /// Whose origin it counts as: `previous`, the page that was there before.
    pub target: String,
    /// What may be told of the address that failed: `origin`.
    pub redact: String,
}
