//! `protected.json`: what is protected and what is not, as vectors.

use crate::ErrorPageRule;
use serde::{Deserialize, Serialize};
use std::ops::Not;

/// The opener is protected.
pub const OPENER_PROTECTED: &str = "protected";
/// The opener is not protected.
pub const OPENER_UNPROTECTED: &str = "unprotected";
/// The opener closed before anyone saw it; it counts as protected.
pub const OPENER_UNKNOWN: &str = "unknown";

/// All vectors. Reads every published `protected.json`: what an older one lacks is empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Vectors {
    /// The rule of the catalog for error pages.
    #[serde(default, skip_serializing_if = "ErrorPageRule::is_empty")]
    pub error_page: ErrorPageRule,
    /// Version of the form.
    pub schema: u32,
    /// The rule of the catalog for a text that is no URL.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unparseable: String,
    /// The refusal of such a text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unparseable_refusal: String,
    /// The extra origins with which every vector is judged.
    pub origins: Vec<String>,
    /// URLs.
    pub urls: Vec<UrlVector>,
    /// Targets.
    pub targets: Vec<TargetVector>,
    /// Cookie domains.
    pub cookie_domains: Vec<CookieVector>,
    /// Storage keys.
    pub storage_keys: Vec<KeyVector>,
}

/// A URL as text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UrlVector {
    /// The text.
    pub url: String,
    /// The answer.
    pub protected: bool,
}

/// A target as the browser describes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TargetVector {
    /// URL of the document of the main frame.
    #[serde(
        default,
        rename = "documentURL",
        skip_serializing_if = "Option::is_none"
    )]
    pub document_url: Option<String>,
    /// Address that failed to load.
    #[serde(
        default,
        rename = "unreachableURL",
        skip_serializing_if = "Option::is_none"
    )]
    pub unreachable_url: Option<String>,
    /// Whether it is on its way to another document.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub navigating: bool,
    /// `TargetInfo.url`.
    pub url: String,
    /// `TargetInfo.type`.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Whether it was protected before it had this URL.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub previous: bool,
    /// One of the `OPENER_*`; none for a target without an opener.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opener: Option<String>,
    /// The answer.
    pub protected: bool,
}

/// Domain of a cookie.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CookieVector {
    /// The domain.
    pub domain: String,
    /// The answer.
    pub protected: bool,
}

/// Storage key in the browser's serialised form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KeyVector {
    /// The key.
    pub key: String,
    /// The answer.
    pub protected: bool,
}

/// The vectors of this crate. A test parses their text, so this is never the default.
#[must_use]
pub fn vectors() -> Vectors {
    serde_json::from_str(crate::PROTECTED).unwrap_or_default()
}
