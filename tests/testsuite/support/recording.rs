//! A recording written by a test: what a site would answer, and nothing else.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The exchanges of a recording that is being written.
#[derive(Default)]
pub(crate) struct Recording {
    exchanges: Vec<Value>,
}

impl Recording {
    pub(crate) fn get(self, url: &str, answer: &str) -> Self {
        self.exchange(json!({ "method": "GET", "url": url }), answer)
    }

    pub(crate) fn post(self, url: &str, body: &str, answer: &str) -> Self {
        let mut digits = String::new();
        for byte in Sha256::digest(body) {
            write!(digits, "{byte:02x}").unwrap();
        }
        let request = json!({ "method": "POST", "url": url, "body_sha256": digits });
        self.exchange(request, answer)
    }

    fn exchange(mut self, request: Value, answer: &str) -> Self {
        let response = json!({ "status": 200, "body": { "text": answer } });
        self.exchanges
            .push(json!({ "request": request, "response": response }));
        self
    }

    /// Writes it into the folder and gives the path for `--replay`.
    pub(crate) fn save(self, folder: &Path) -> String {
        let path: PathBuf = folder.join("recording.json");
        let recording = json!({
            "version": 1,
            "synthetic": true,
            "clock_ms": 1_700_000_000_000_i64,
            "seed": 7,
            "exchanges": self.exchanges,
        });
        fs::write(&path, recording.to_string()).unwrap();
        path.display().to_string()
    }
}
