//! What makes a tab a seven tab, and what a browser gets that is started for seven.

use serde::{Deserialize, Serialize};

/// Seven's origins, switches and preferences.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Seven {
    /// Scheme of a seven origin.
    pub origin_scheme: String,
    /// Pattern of its host; the first group is the label.
    pub origin_host_pattern: String,
    /// Labels that match and are no seven origin.
    pub excluded_labels: Vec<String>,
    /// Starts of such labels.
    #[serde(default)]
    pub excluded_label_prefixes: Vec<String>,
    /// The site in the form that preferences take.
    pub site_pattern: String,
    /// Switches for the command line.
    pub switches: Vec<String>,
    /// Features to switch off, all in one switch.
    pub disabled_features: Vec<String>,
    /// Preferences of the profile.
    pub prefs: Vec<Pref>,
    /// Where the sites go whose tabs are not discarded.
    pub discard_exceptions: Vec<DiscardException>,
    /// Values that mark the last exit as clean.
    pub clean_exit: Vec<Pref>,
}

impl Seven {
    /// Whether a label that matched [`origin_host_pattern`](Self::origin_host_pattern) is not excluded.
    #[must_use]
    pub fn is_seven_label(&self, label: &str) -> bool {
        let excluded = self.excluded_labels.iter().any(|other| other == label);
        let prefixes = &self.excluded_label_prefixes;
        let prefixed = prefixes
            .iter()
            .any(|start| label.starts_with(start.as_str()));
        !(label.is_empty() || excluded || prefixed)
    }
}

/// A value in `Default/Preferences`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pref {
    /// Keys from the top of the file.
    pub path: Vec<String>,
    /// The value.
    pub value: serde_json::Value,
    /// Who reads the key: `six` or `chrome-154`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
}

/// A place in `Default/Preferences` for sites whose tabs are not discarded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DiscardException {
    /// Keys from the top of the file.
    pub path: Vec<String>,
    /// `list`, or `chrome-time-map`: a map from site to microseconds since 1601 as a decimal string.
    #[serde(rename = "type")]
    pub kind: String,
    /// Who reads the key: `six` or `chrome-154`.
    pub form: String,
}
