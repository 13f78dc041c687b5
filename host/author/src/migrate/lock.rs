//! The ancestor's `plugins.lock.json`.

use std::collections::BTreeMap;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use serde_json::Value;

use super::found::Origin;
use super::value::{self, text};

const FILE: &str = "plugins.lock.json";

/// What the lock records about one plugin.
#[derive(Debug)]
pub(super) struct Recorded {
    pub(super) origin: Option<Origin>,
    /// The commit; none for a folder without one.
    pub(super) commit: Option<String>,
}

/// Reads the lock in this folder. Without a readable one nothing is recorded.
pub(super) fn read(around: &Path, problems: &mut Vec<String>) -> BTreeMap<String, Recorded> {
    let Ok(folder) = Dir::open_ambient_dir(around, ambient_authority()) else {
        return BTreeMap::new();
    };
    let Some(document) = value::read(&folder, FILE, problems) else {
        return BTreeMap::new();
    };
    let Some(entries) = document.as_object() else {
        problems.push(format!("{FILE} is not an object"));
        return BTreeMap::new();
    };
    entries
        .iter()
        .map(|(name, entry)| (name.clone(), recorded(entry)))
        .collect()
}

fn recorded(entry: &Value) -> Recorded {
    Recorded {
        origin: entry.get("source").and_then(origin),
        commit: text(entry, "commitHash").filter(|commit| commit != "local"),
    }
}

fn origin(source: &Value) -> Option<Origin> {
    if let Some(legacy) = source.as_str() {
        let path = ["local:", "file://"]
            .iter()
            .find_map(|start| legacy.strip_prefix(start))
            .unwrap_or(legacy);
        return Some(match path.starts_with('/') {
            true => Origin::Local {
                path: path.to_owned(),
            },
            false => Origin::Text(legacy.to_owned()),
        });
    }
    Some(match source.get("kind")?.as_str()? {
        "git" => Origin::Git {
            url: text(source, "url")?,
        },
        "local" => Origin::Local {
            path: text(source, "path")?,
        },
        "monorepo" => Origin::Monorepo {
            url: text(source, "url")?,
            repository: text(source, "repoName").unwrap_or_default(),
            folder: text(source, "subPath").unwrap_or_default(),
        },
        other => Origin::Text(other.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_kind_of_source_is_read() {
        for (source, wanted) in [
            (
                json!({"kind": "git", "url": "https://a.test/r.git"}),
                Some(Origin::Git {
                    url: "https://a.test/r.git".to_owned(),
                }),
            ),
            (
                json!({"kind": "local", "path": "/a"}),
                Some(Origin::Local {
                    path: "/a".to_owned(),
                }),
            ),
            (
                json!({"kind": "monorepo", "url": "u", "repoName": "r", "subPath": "p/x"}),
                Some(Origin::Monorepo {
                    url: "u".to_owned(),
                    repository: "r".to_owned(),
                    folder: "p/x".to_owned(),
                }),
            ),
            (
                json!("https://a.test/r"),
                Some(Origin::Text("https://a.test/r".to_owned())),
            ),
            (
                json!("local:/a"),
                Some(Origin::Local {
                    path: "/a".to_owned(),
                }),
            ),
            (
                json!("file:///a/b"),
                Some(Origin::Local {
                    path: "/a/b".to_owned(),
                }),
            ),
            (json!({"kind": "git"}), None),
            (json!(7), None),
        ] {
            assert_eq!(origin(&source), wanted, "{source}");
        }
    }
}
