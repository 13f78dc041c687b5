//! The keys of a calibration document that the host itself reads.

use serde_json::{Map, Value};
use sr_policy::json::Examined;

use crate::escape::escaped;
use crate::sitedata_error::{MOST_DOMAINS, SitedataError, SitedataFault};

const LONGEST_VERSION: usize = 64;
/// Faults that are told; more would only hide the first ones.
const MOST_FAULTS: usize = 100;

type Object = Map<String, Value>;

pub(crate) struct Check<'a> {
    file: &'a str,
    examined: &'a Examined,
    pub(crate) faults: Vec<SitedataFault>,
}

impl<'a> Check<'a> {
    pub(crate) fn new(file: &'a str, examined: &'a Examined) -> Self {
        let faults = examined.faults.iter().map(|error| SitedataFault {
            file: file.to_owned(),
            pointer: String::new(),
            place: Some((error.line, error.column)).filter(|(line, _)| *line > 0),
            rule: SitedataError::Json(error.clone()),
        });
        Self {
            faults: faults.collect(),
            file,
            examined,
        }
    }

    pub(crate) fn fault(&mut self, pointer: &str, rule: SitedataError) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(SitedataFault {
                file: self.file.to_owned(),
                pointer: pointer.to_owned(),
                place: self.examined.place(pointer),
                rule,
            });
        }
    }

    fn kind(&mut self, pointer: &str, key: String, kind: &'static str) {
        self.fault(pointer, SitedataError::Kind { key, kind });
    }

    pub(crate) fn version(&mut self, object: &Object) -> String {
        let version = object
            .get("version")
            .and_then(Value::as_str)
            .filter(|text| (1..=LONGEST_VERSION).contains(&text.len()));
        if version.is_none() {
            self.kind("/version", "version".to_owned(), "a text of 1 to 64 bytes");
        }
        version.unwrap_or_default().to_owned()
    }

    pub(crate) fn domains(&mut self, object: &Object) -> Vec<String> {
        const KIND: &str = "a list of texts";
        let Some(value) = object.get("domains") else {
            return Vec::new();
        };
        let Some(list) = value.as_array() else {
            self.kind("/domains", "domains".to_owned(), KIND);
            return Vec::new();
        };
        if list.len() > MOST_DOMAINS {
            self.fault("/domains", SitedataError::TooManyDomains(list.len()));
            return Vec::new();
        }
        let mut domains = Vec::with_capacity(list.len());
        for (index, entry) in list.iter().enumerate() {
            match entry.as_str() {
                Some(text) => domains.push(text.to_owned()),
                None => self.kind(&format!("/domains/{index}"), "domains".to_owned(), KIND),
            }
        }
        domains
    }

    pub(crate) fn commands(&mut self, object: &Object) {
        let Some(value) = object.get("commands") else {
            return;
        };
        let Some(commands) = value.as_object() else {
            return self.kind("/commands", "commands".to_owned(), "an object");
        };
        for (name, command) in commands {
            let key = format!("commands.{}", escaped(name));
            let at = format!("/commands/{}", name.replace('~', "~0").replace('/', "~1"));
            let Some(command) = command.as_object() else {
                self.kind(&at, key, "an object");
                continue;
            };
            let texts = command.get("selectors").is_none_or(|selectors| {
                selectors
                    .as_object()
                    .is_some_and(|map| map.values().all(Value::is_string))
            });
            if !texts {
                let at = format!("{at}/selectors");
                self.kind(&at, format!("{key}.selectors"), "an object of texts");
            }
        }
    }
}
