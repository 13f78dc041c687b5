//! Which origins are seven's.

use sr_policy::Origin;

use crate::core::Core;

/// Seven's own origins, and those that a person named besides.
pub(crate) struct SevenOrigins<'c> {
    core: &'c Core,
    extra: Vec<Origin>,
}

impl<'c> SevenOrigins<'c> {
    /// Words that are no origin are left out: who takes them from a person says so first.
    pub(crate) fn new(core: &'c Core, extra: &[String]) -> Self {
        Self {
            core,
            extra: extra
                .iter()
                .filter_map(|text| Origin::of_page(text))
                .collect(),
        }
    }

    /// The origin of an address, when it is one of seven's.
    pub(crate) fn of(&self, url: &str) -> Option<String> {
        let origin = Origin::of_page(url)?;
        let rules = &self.core.catalog.seven;
        let own = origin.scheme().as_str() == rules.origin_scheme
            && origin.has_default_port()
            && self
                .core
                .seven_host
                .captures(origin.host())
                .and_then(|found| found.get(1))
                .is_some_and(|label| rules.is_seven_label(label.as_str()));
        (own || self.extra.contains(&origin)).then(|| origin.to_string())
    }
}
