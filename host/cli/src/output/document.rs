//! What a command of the program itself reports: objects whose keys keep their order.

use std::borrow::Cow;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

/// One object.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(Vec<(Cow<'static, str>, Item)>);

/// A value of an object.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(crate) enum Item {
    /// Whatever JSON has.
    Value(Value),
    /// Objects whose keys keep their order too.
    List(Vec<Fields>),
}

impl From<Value> for Item {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl From<Vec<Fields>> for Item {
    fn from(list: Vec<Fields>) -> Self {
        Self::List(list)
    }
}

impl Fields {
    /// An object with these keys, in this order.
    pub(crate) fn new<const N: usize>(pairs: [(&'static str, Value); N]) -> Self {
        Self(
            pairs
                .into_iter()
                .map(|(name, value)| (Cow::Borrowed(name), value.into()))
                .collect(),
        )
    }

    /// One key more, at the end.
    pub(crate) fn push(&mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Item>) {
        self.0.push((name.into(), value.into()));
    }

    /// The same, in a chain.
    pub(crate) fn with(
        mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<Item>,
    ) -> Self {
        self.push(name, value);
        self
    }

    /// The text of a cell; empty where the key is missing.
    fn text(&self, name: &str) -> String {
        match self.0.iter().find(|(key, _)| key == name) {
            None => String::new(),
            Some((_, Item::Value(value))) => super::cell::value_text(value),
            Some((_, Item::List(list))) => serde_json::to_string(list).unwrap_or_default(),
        }
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// A report: one object, or a list of them.
#[derive(Debug, Clone)]
pub(crate) enum Document {
    /// One thing that was done or looked at.
    One(Fields),
    /// One object for each thing.
    Many(Vec<Fields>),
}

impl Document {
    /// The keys of all objects, each once, in the order they come.
    pub(super) fn headers(&self) -> Vec<&str> {
        let mut headers: Vec<&str> = vec![];
        for (name, _) in self.objects().iter().flat_map(|fields| &fields.0) {
            if !headers.contains(&name.as_ref()) {
                headers.push(name);
            }
        }
        headers
    }

    /// The values of every object by those keys.
    pub(super) fn rows<'a>(
        &'a self,
        headers: &'a [&str],
    ) -> impl ExactSizeIterator<Item = Vec<String>> + 'a {
        self.objects()
            .iter()
            .map(move |fields| headers.iter().map(|name| fields.text(name)).collect())
    }

    pub(super) fn objects(&self) -> &[Fields] {
        match self {
            Self::One(fields) => std::slice::from_ref(fields),
            Self::Many(list) => list,
        }
    }
}

impl From<Fields> for Document {
    fn from(fields: Fields) -> Self {
        Self::One(fields)
    }
}

impl From<Vec<Fields>> for Document {
    fn from(list: Vec<Fields>) -> Self {
        Self::Many(list)
    }
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::One(fields) => fields.serialize(serializer),
            Self::Many(list) => list.serialize(serializer),
        }
    }
}
