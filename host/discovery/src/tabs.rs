//! The pages of a browser, from its `/json/list`: seven's, and those that may be told of.

use serde_json::Value;
use sr_policy::protected::Protected;

use crate::core::Core;
use crate::machine::SevenTabs;
use crate::origins::SevenOrigins;
use crate::report::Tab;

/// What a list is read with.
pub(crate) struct TabRules<'c> {
    pub(crate) seven: SevenOrigins<'c>,
    pub(crate) protected: &'c Protected,
    pub(crate) form: SevenTabs,
}

/// Seven's tabs and all others that are not protected.
#[derive(Debug, Default)]
pub(crate) struct Tabs {
    pub(crate) seven: Vec<Tab>,
    pub(crate) others: Vec<Tab>,
}

impl<'c> TabRules<'c> {
    pub(crate) fn new(
        core: &'c Core,
        protected: &'c Protected,
        origins: &[String],
        form: SevenTabs,
    ) -> Self {
        Self {
            seven: SevenOrigins::new(core, origins),
            protected,
            form,
        }
    }

    /// Reads a list in its order. What is not of its form is passed over.
    pub(crate) fn read(&self, body: &str) -> Tabs {
        let mut tabs = Tabs::default();
        let Ok(Value::Array(items)) = serde_json::from_str(body) else {
            return tabs;
        };
        for item in &items {
            let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
            if text("type") != "page" {
                continue;
            }
            let (id, url, title) = (text("id"), text("url"), text("title"));
            let tab = |url: &str, title: &str| Tab {
                id: id.to_owned(),
                url: url.to_owned(),
                title: title.to_owned(),
            };
            match self.seven.of(url) {
                Some(origin) => tabs.seven.push(match self.form {
                    SevenTabs::Origin => tab(&origin, &origin),
                    SevenTabs::Raw => tab(url, title),
                }),
                None if !self.protected.url(url).is_protected() => {
                    tabs.others.push(tab(url, title));
                }
                None => {}
            }
        }
        tabs
    }
}
