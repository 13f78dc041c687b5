//! Takes the values of a manifest one by one and keeps what is wrong with each.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use sr_policy::capability::{Capability, TABLE};
use sr_policy::json::Examined;

use crate::escape::{closest, escaped};
use crate::manifest::{MOST_ENTRIES, SitedataSource, checked_update_url, path};
use crate::manifest_error::{ManifestError, ManifestFault};

const SITEDATA_KEYS: &[&str] = &["path", "update_url"];

/// Faults that are told; more would only hide the first ones.
const MOST_FAULTS: usize = 100;

type Object = Map<String, Value>;

pub(crate) struct Reader<'a> {
    examined: &'a Examined,
    pub(crate) faults: Vec<ManifestFault>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(examined: &'a Examined) -> Self {
        let faults = examined.faults.iter().map(|error| ManifestFault {
            pointer: String::new(),
            place: Some((error.line, error.column)).filter(|(line, _)| *line > 0),
            rule: ManifestError::Json(error.clone()),
        });
        Self {
            faults: faults.collect(),
            examined,
        }
    }

    pub(crate) fn fault(&mut self, pointer: &str, rule: ManifestError) {
        if self.faults.len() >= MOST_FAULTS {
            return;
        }
        let place = match &rule {
            ManifestError::MissingKey(_) => None,
            ManifestError::UnknownKey { .. } => self.examined.key_place(pointer),
            _ => self.examined.place(pointer),
        };
        self.faults.push(ManifestFault {
            pointer: pointer.to_owned(),
            place,
            rule,
        });
    }

    pub(crate) fn known_keys(&mut self, at: &str, object: &Object, known: &[&'static str]) {
        for key in object.keys() {
            if !known.contains(&key.as_str()) {
                let rule = ManifestError::UnknownKey {
                    key: escaped(key),
                    meant: closest(key, known),
                };
                self.fault(&step(at, key), rule);
            }
        }
    }

    pub(crate) fn needed<T>(
        &mut self,
        object: &Object,
        key: &'static str,
        read: impl FnOnce(&str) -> Result<T, ManifestError>,
    ) -> Option<T> {
        if !object.contains_key(key) {
            self.fault("", ManifestError::MissingKey(key));
        }
        self.optional(object, key, read)
    }

    pub(crate) fn optional<T>(
        &mut self,
        object: &Object,
        key: &'static str,
        read: impl FnOnce(&str) -> Result<T, ManifestError>,
    ) -> Option<T> {
        let value = object.get(key)?;
        let read = match value.as_str() {
            Some(text) => read(text),
            None => Err(wrong(key, "a text", value)),
        };
        read.map_err(|rule| self.fault(&step("", key), rule)).ok()
    }

    /// A list of texts, each once; what is no text is left out.
    fn texts<'v>(&mut self, object: &'v Object, key: &'static str) -> Vec<(usize, &'v str)> {
        let Some(value) = object.get(key) else {
            return Vec::new();
        };
        let at = step("", key);
        let Some(list) = value.as_array() else {
            self.fault(&at, wrong(key, "a list of texts", value));
            return Vec::new();
        };
        if list.len() > MOST_ENTRIES {
            let count = list.len();
            self.fault(&at, ManifestError::TooMany { key, count });
            return Vec::new();
        }
        let mut seen = BTreeSet::new();
        let mut texts = Vec::new();
        for (index, value) in list.iter().enumerate() {
            let at = step(&at, &index.to_string());
            match value.as_str() {
                None => self.fault(&at, wrong(key, "a list of texts", value)),
                Some(text) if seen.insert(text) => texts.push((index, text)),
                Some(text) => {
                    let entry = escaped(text);
                    self.fault(&at, ManifestError::Repeated { key, entry });
                }
            }
        }
        texts
    }

    pub(crate) fn entries(&mut self, object: &Object, key: &'static str) -> Vec<String> {
        let texts = self.texts(object, key);
        texts.into_iter().map(|(_, text)| text.to_owned()).collect()
    }

    pub(crate) fn capabilities(&mut self, object: &Object) -> Vec<Capability> {
        let mut known = Vec::new();
        for (index, word) in self.texts(object, "capabilities") {
            match word.parse() {
                Ok(capability) => known.push(capability),
                Err(_) => {
                    let names: Vec<&'static str> = TABLE.iter().map(|row| row.name).collect();
                    let rule = ManifestError::Capability {
                        word: escaped(word),
                        meant: closest(word, &names),
                    };
                    self.fault(&format!("/capabilities/{index}"), rule);
                }
            }
        }
        known
    }

    pub(crate) fn sitedata(&mut self, object: &Object) -> Option<SitedataSource> {
        const AT: &str = "/sitedata";
        let value = object.get("sitedata")?;
        let source = match value {
            Value::String(bundled) => path("sitedata", bundled).map(|path| SitedataSource {
                path,
                update_url: None,
            }),
            Value::Object(keys) => {
                self.known_keys(AT, keys, SITEDATA_KEYS);
                return self.full_sitedata(keys);
            }
            other => Err(wrong(
                "sitedata",
                "a path, or {\"path\": .., \"update_url\": ..}",
                other,
            )),
        };
        source.map_err(|rule| self.fault(AT, rule)).ok()
    }

    fn full_sitedata(&mut self, keys: &Object) -> Option<SitedataSource> {
        let bundled = match keys.get("path") {
            None => {
                self.fault("", ManifestError::MissingKey("sitedata.path"));
                None
            }
            Some(Value::String(text)) => self.keep("path", path("sitedata", text)),
            Some(other) => self.keep("path", Err(wrong("sitedata.path", "a text", other))),
        };
        let update_url = match keys.get("update_url") {
            None => None,
            Some(Value::String(url)) => self.keep("update_url", checked_update_url(url)),
            Some(other) => self.keep(
                "update_url",
                Err(wrong("sitedata.update_url", "a text", other)),
            ),
        };
        Some(SitedataSource {
            path: bundled?,
            update_url,
        })
    }

    fn keep<T>(&mut self, key: &str, read: Result<T, ManifestError>) -> Option<T> {
        read.map_err(|rule| self.fault(&step("/sitedata", key), rule))
            .ok()
    }
}

fn step(at: &str, key: &str) -> String {
    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))
}

fn wrong(key: &'static str, wanted: &'static str, value: &Value) -> ManifestError {
    ManifestError::Kind {
        key,
        wanted,
        found: kind(value),
    }
}

/// What a value is, for a message.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
