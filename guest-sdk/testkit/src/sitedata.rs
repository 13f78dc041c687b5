//! The bundled sitedata of a test.

use serde_json::Value;

#[derive(Debug, Default, Clone)]
pub(crate) struct Sitedata(Option<Value>);

impl Sitedata {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let value: Value =
            serde_json::from_slice(bytes).map_err(|error| format!("sitedata: {error}"))?;
        Ok(Self(Some(value)))
    }

    pub(crate) fn version(&self) -> String {
        let version = self.at("/version").and_then(Value::as_str);
        version.unwrap_or_default().to_owned()
    }

    pub(crate) fn at(&self, pointer: &str) -> Option<&Value> {
        self.0.as_ref()?.pointer(pointer)
    }

    pub(crate) fn selectors(&self, command: &str) -> Vec<(String, String)> {
        let commands = self
            .at("/commands")
            .and_then(|commands| commands.get(command));
        let selectors = commands.and_then(|command| command.get("selectors"));
        let pairs = selectors.and_then(Value::as_object).into_iter().flatten();
        pairs
            .filter_map(|(key, css)| Some((key.clone(), css.as_str()?.to_owned())))
            .collect()
    }
}
