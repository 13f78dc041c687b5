//! `sitedata`: the calibration document of the site, read by pointer.

use serde_json::Value;
use sr_engine::bindings::v0_1::sr::runtime::sitedata::Host;
use sr_engine::bindings::v0_1::sr::runtime::types;
use sr_plugin::Sitedata;
use sr_policy::Failure;
use sr_policy::capability::Capability;

use crate::limits::VALUE_BYTES;
use crate::state::RunState;

/// The document of this run. A run without the capability has none.
#[derive(Debug, Clone)]
pub struct SitedataView {
    /// The document; none when the plugin ships none.
    pub sitedata: Option<Sitedata>,
    /// `bundled`, `cache` or `remote`.
    pub origin: &'static str,
    /// The strategy of this run.
    pub strategy: String,
}

impl Host for RunState {
    fn strategy(&mut self) -> Result<String, types::Failure> {
        let started = self.started();
        let answer = self
            .view("sitedata.strategy")
            .map(|view| view.strategy.clone());
        self.observe("sitedata.strategy", "", started, &answer);
        Ok(answer?)
    }

    fn version(&mut self) -> Result<(String, String), types::Failure> {
        let started = self.started();
        let answer = self.view("sitedata.version").map(|view| {
            let version = view.sitedata.as_ref().map_or("", Sitedata::version);
            (version.to_owned(), view.origin.to_owned())
        });
        self.observe("sitedata.version", "", started, &answer);
        Ok(answer?)
    }

    fn get(&mut self, pointer: String) -> Result<Option<String>, types::Failure> {
        let started = self.started();
        let answer = self.view("sitedata.get").and_then(|view| {
            let Some(value) = view.look_up(&pointer)? else {
                return Ok(None);
            };
            let text = value.to_string();
            if text.len() > VALUE_BYTES {
                return Err(too_long(&pointer, text.len()));
            }
            Ok(Some(text))
        });
        self.observe("sitedata.get", &pointer, started, &answer);
        Ok(answer?)
    }

    fn selectors(&mut self, command: String) -> Result<Vec<(String, String)>, types::Failure> {
        let started = self.started();
        let answer = self.view("sitedata.selectors").map(|view| {
            view.sitedata
                .iter()
                .flat_map(|sitedata| sitedata.selectors(&command))
                .map(|(key, css)| (key.to_owned(), css.to_owned()))
                .collect()
        });
        self.observe("sitedata.selectors", &command, started, &answer);
        Ok(answer?)
    }

    fn text(&mut self, pointer: String) -> Result<String, types::Failure> {
        let started = self.started();
        let answer = self
            .view("sitedata.text")
            .and_then(|view| match view.look_up(&pointer)? {
                Some(Value::String(text)) if text.len() > VALUE_BYTES => {
                    Err(too_long(&pointer, text.len()))
                }
                Some(Value::String(text)) => Ok(text.clone()),
                Some(_) => Err(Failure::Invalid {
                    name: "pointer".into(),
                    reason: format!("the value at {pointer} is not a string"),
                }),
                None => Err(Failure::SelectorMiss {
                    selector: String::new(),
                    key: Some(pointer.clone()),
                    strategy: view.strategy.clone(),
                }),
            });
        self.observe("sitedata.text", &pointer, started, &answer);
        Ok(answer?)
    }
}

impl RunState {
    fn view(&self, function: &'static str) -> Result<&SitedataView, Failure> {
        self.admit(function)?;
        self.sitedata
            .as_ref()
            .ok_or_else(|| Failure::Denied(Capability::Sitedata.denial()))
    }
}

impl SitedataView {
    fn look_up(&self, pointer: &str) -> Result<Option<&Value>, Failure> {
        let Some(sitedata) = &self.sitedata else {
            return Ok(None);
        };
        sitedata.get(pointer).map_err(|error| Failure::Invalid {
            name: "pointer".into(),
            reason: error.to_string(),
        })
    }
}

fn too_long(pointer: &str, bytes: usize) -> Failure {
    Failure::Invalid {
        name: "pointer".into(),
        reason: format!("the value at {pointer} has {bytes} bytes, limit {VALUE_BYTES}"),
    }
}
