//! A transport that answers from a recording, for `--replay`. It owns no socket and no resolver.

use std::sync::{Mutex, MutexGuard, PoisonError};

use sr_policy::recording::{Player, Recording};
use sr_policy::{Failure, redact};

use crate::failures::{coded, response_too_large};
use crate::transport::{Hop, Pending, Reply, Transport};

/// Answers requests with recorded replies. What was not recorded is a failure, never a request.
#[derive(Debug)]
pub struct Replay {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    player: Player,
    missed: Option<Missed>,
}

/// A request that a recording has no reply for. Both texts are redacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missed {
    /// The request, as `GET https://...`.
    pub request: String,
    /// The recorded request that is nearest to it, of the same host.
    pub nearest: Option<String>,
}

impl Replay {
    /// Puts a recording in play.
    #[must_use]
    pub fn new(recording: Recording) -> Self {
        Self {
            state: Mutex::new(State {
                player: Player::new(recording),
                missed: None,
            }),
        }
    }

    /// The first request without a recorded reply.
    #[must_use]
    pub fn missed(&self) -> Option<Missed> {
        self.lock().missed.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, hop: &Hop<'_>) -> Result<Reply, Failure> {
        let mut state = self.lock();
        let Some(recorded) = state.player.answer(hop.method, hop.url, hop.body) else {
            let request = format!("{} {}", hop.method, redact::url(hop.url.as_str()));
            let message = format!("no recorded reply for {request}");
            let nearest = state.player.nearest(hop.url);
            state.missed.get_or_insert(Missed { request, nearest });
            return Err(coded(
                "REPLAY_MISS",
                message,
                Some("make a new recording with --record FILE"),
            ));
        };
        let body = recorded.body.bytes();
        if body.len() > hop.max_bytes {
            return Err(response_too_large(hop.url.host(), hop.max_bytes));
        }
        // A recording written by hand may spell its names in any case.
        let headers = recorded
            .headers
            .iter()
            .map(|(name, value)| (name.to_ascii_lowercase(), value.clone()))
            .collect();
        Ok(Reply {
            status: recorded.status,
            headers,
            body,
        })
    }
}

impl Transport for Replay {
    fn exchange<'a>(&'a self, hop: Hop<'a>) -> Pending<'a, Result<Reply, Failure>> {
        let answer = self.answer(&hop);
        Box::pin(async move { answer })
    }
}
