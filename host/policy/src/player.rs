//! Answering requests from a recording.

use std::collections::HashMap;

use crate::recording::{RecordedResponse, Recording, body_hash};
use crate::redact;
use crate::url::CheckedUrl;

/// A recording in play. Requests are matched by method, redacted URL and hash of the body.
///
/// Equal requests get their replies in the recorded order; the last one repeats.
#[derive(Debug)]
pub struct Player {
    recording: Recording,
    tracks: HashMap<Key, Track>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    method: String,
    url: String,
    body: Option<String>,
}

#[derive(Debug, Default)]
struct Track {
    exchanges: Vec<usize>,
    played: usize,
}

impl Player {
    /// Puts a recording in play.
    #[must_use]
    pub fn new(recording: Recording) -> Self {
        let mut tracks: HashMap<Key, Track> = HashMap::new();
        for (index, exchange) in recording.exchanges.iter().enumerate() {
            let request = &exchange.request;
            // Both sides in the parser's spelling; a hand-written file may leave out the slash.
            let url = CheckedUrl::parse(&request.url)
                .map_or_else(|_| request.url.clone(), |url| url_key(&url));
            let key = Key {
                method: request.method.clone(),
                url,
                body: request.body_sha256.clone(),
            };
            tracks.entry(key).or_default().exchanges.push(index);
        }
        Self { recording, tracks }
    }

    /// The reply to a request; `None` when the recording has none.
    pub fn answer(
        &mut self,
        method: &str,
        url: &CheckedUrl,
        body: Option<&[u8]>,
    ) -> Option<&RecordedResponse> {
        let key = Key {
            method: method.to_owned(),
            url: url_key(url),
            body: body_hash(body),
        };
        let track = self.tracks.get_mut(&key)?;
        let index = track
            .exchanges
            .get(track.played)
            .or_else(|| track.exchanges.last())?;
        track.played += 1;
        self.recording
            .exchanges
            .get(*index)
            .map(|exchange| &exchange.response)
    }

    /// The recorded request of the same host whose address begins most alike, as
    /// `GET https://...`: what was probably meant by one that has no reply.
    #[must_use]
    pub fn nearest(&self, url: &CheckedUrl) -> Option<String> {
        let wanted = url_key(url);
        let host = url.origin().to_string();
        let alike = |key: &&Key| {
            let pairs = key.url.bytes().zip(wanted.bytes());
            pairs.take_while(|(one, other)| one == other).count()
        };
        // The first of those that are equally near, whatever order a table has.
        let mut keys: Vec<&Key> = self.tracks.keys().collect();
        keys.sort_by(|one, other| one.url.cmp(&other.url));
        keys.into_iter()
            .filter(|key| alike(key) >= host.len())
            .rev()
            .max_by_key(alike)
            .map(|key| format!("{} {}", key.method, key.url))
    }

    /// The recording, for its clock and seed.
    #[must_use]
    pub fn recording(&self) -> &Recording {
        &self.recording
    }
}

/// Redacted, and without the fragment, which no request carries.
fn url_key(url: &CheckedUrl) -> String {
    redact::url(url.as_str().split('#').next().unwrap_or_default())
}
