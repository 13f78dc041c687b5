//! Which origins are seven's.

use sr_policy::{CheckedUrl, Origin};

use crate::core::Core;

/// Seven's own origins, and those that a person named besides.
pub(crate) struct SevenOrigins<'c> {
    core: &'c Core,
    extra: Vec<Origin>,
}

impl<'c> SevenOrigins<'c> {
    /// Words that are no origin are left out: who takes them from a person says so first.
    pub(crate) fn new(core: &'c Core, extra: &[String]) -> Self {
        let extra = extra.iter().filter_map(|text| CheckedUrl::parse(text).ok());
        Self {
            core,
            extra: extra.map(|url| url.origin()).collect(),
        }
    }

    /// The origin of an address, when it is one of seven's.
    pub(crate) fn of(&self, url: &str) -> Option<String> {
        let url = CheckedUrl::parse(url).ok()?;
        let origin = url.origin();
        let rules = &self.core.catalog.seven;
        let own = url.scheme().as_str() == rules.origin_scheme
            && url.has_default_port()
            && self
                .core
                .seven_host
                .captures(url.host())
                .and_then(|found| found.get(1))
                .is_some_and(|label| rules.is_seven_label(label.as_str()));
        (own || self.extra.contains(&origin)).then(|| origin.to_string())
    }
}
