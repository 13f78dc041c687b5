//! `fetch`: HTTP to the plugin's own domains, and nowhere else.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::{StreamExt, stream};
use sr_egress::{FetchRequest, FetchResponse, Redirects};
use sr_engine::bindings::v0_1::sr::runtime::fetch as wit;
use sr_engine::bindings::v0_1::sr::runtime::types;
use sr_policy::failure::codes;
use sr_policy::limits::URL_BYTES;
use sr_policy::request::METHODS;
use sr_policy::{Denial, Failure, redact};

use crate::limits::{AT_ONCE, REQUESTS, SEND_ALL, SEND_ALL_BYTES};
use crate::state::RunState;

impl wit::Host for RunState {
    async fn send(&mut self, request: wit::Request) -> Result<wit::Response, types::Failure> {
        Ok(self
            .fetch("fetch.send", plain(request))
            .await
            .map(response)?)
    }

    async fn send_all(
        &mut self,
        requests: Vec<wit::Request>,
        at_once: u8,
    ) -> Result<Vec<Result<wit::Response, types::Failure>>, types::Failure> {
        let started = self.started();
        let acceptable = self
            .admit("fetch.send-all")
            .and_then(|()| check_several(requests.len(), at_once));
        if acceptable.is_err() {
            self.observe("fetch.send-all", "", started, &acceptable);
            acceptable?;
        }
        let mut subjects = Vec::with_capacity(requests.len());
        let mut admitted = Vec::with_capacity(requests.len());
        for request in requests {
            let request = plain(request);
            subjects.push(self.observer.as_ref().map(|_| subject(&request)));
            admitted.push(self.count().map(|()| request));
        }
        let Self {
            policy,
            transport,
            clock,
            ..
        } = self;
        let (policy, transport) = (&*policy, &**transport);
        let received = &AtomicUsize::new(0);
        let work = stream::iter(admitted)
            .map(|request| async move {
                if received.load(Ordering::Relaxed) > SEND_ALL_BYTES {
                    return Err(too_large());
                }
                let answer = sr_egress::fetch(policy, transport, request?).await?;
                received.fetch_add(answer.body.len(), Ordering::Relaxed);
                Ok(answer)
            })
            .buffered(at_once.into())
            .collect::<Vec<_>>();
        let answers = match Self::wait(clock, async { Ok(work.await) }).await {
            Ok(answers) => answers,
            Err(failure) => {
                let ended: Result<(), Failure> = Err(failure);
                for subject in &subjects {
                    let subject = subject.as_deref().unwrap_or_default();
                    self.observe("fetch.send-all", subject, started, &ended);
                }
                return ended.map(|()| vec![]).map_err(Into::into);
            }
        };
        for (subject, answer) in subjects.iter().zip(&answers) {
            let subject = subject.as_deref().unwrap_or_default();
            let size = |reply: &FetchResponse| reply.body.len();
            self.observe_reply("fetch.send-all", subject, started, answer, size);
        }
        Ok(answers
            .into_iter()
            .map(|answer| answer.map(response).map_err(Into::into))
            .collect())
    }

    async fn get_text(&mut self, url: String) -> Result<String, types::Failure> {
        let request = FetchRequest {
            method: "GET".into(),
            url,
            headers: vec![],
            body: None,
            redirects: Redirects::Follow,
            timeout_ms: 0,
            max_bytes: 0,
        };
        let answer = self.fetch("fetch.get-text", request).await?;
        if let Some(failure) = refusal(&answer) {
            return Err(failure.into());
        }
        Ok(sr_egress::decode_text(&answer.headers, &answer.body))
    }
}

impl RunState {
    async fn fetch(
        &mut self,
        function: &'static str,
        request: FetchRequest,
    ) -> Result<FetchResponse, Failure> {
        let started = self.started();
        let subject = self.observer.as_ref().map(|_| subject(&request));
        let answer = match self.admit(function).and_then(|()| self.count()) {
            Err(failure) => Err(failure),
            Ok(()) => {
                let Self {
                    policy,
                    transport,
                    clock,
                    ..
                } = self;
                Self::wait(clock, sr_egress::fetch(policy, &**transport, request)).await
            }
        };
        let subject = subject.as_deref().unwrap_or_default();
        let size = |reply: &FetchResponse| reply.body.len();
        self.observe_reply(function, subject, started, &answer, size);
        answer
    }

    fn count(&mut self) -> Result<(), Failure> {
        if self.requests >= REQUESTS {
            return Err(Failure::Denied(Denial {
                code: codes::LIMIT_REACHED.into(),
                rule: "requests-per-run".into(),
                subject: format!("{REQUESTS} requests in one run"),
                fix: None,
            }));
        }
        self.requests += 1;
        Ok(())
    }
}

/// Method and URL without secrets. A method that does not exist is not repeated.
fn subject(request: &FetchRequest) -> String {
    let method = METHODS
        .iter()
        .find(|method| **method == request.method)
        .unwrap_or(&"?");
    // Cut in the middle of a secret it would no longer look like one.
    match request.url.len() {
        bytes if bytes > URL_BYTES => format!("{method} a URL of {bytes} bytes"),
        _ => format!("{method} {}", redact::url(&request.url)),
    }
}

fn check_several(requests: usize, at_once: u8) -> Result<(), Failure> {
    let invalid = |name: &str, reason: String| {
        Err(Failure::Invalid {
            name: name.into(),
            reason,
        })
    };
    if requests > SEND_ALL {
        let reason = format!("{requests} requests in one call, limit {SEND_ALL}");
        return invalid("requests", reason);
    }
    if !(1..=AT_ONCE).contains(&at_once) {
        let reason = format!("{at_once} is not between 1 and {AT_ONCE}");
        return invalid("at-once", reason);
    }
    Ok(())
}

fn too_large() -> Failure {
    Failure::Other {
        code: "RESPONSE_TOO_LARGE".into(),
        message: format!("the replies of one send-all are more than {SEND_ALL_BYTES} bytes"),
        hint: None,
        retryable: false,
    }
}

/// What a status of 400 or more means to a caller that only wants the text.
fn refusal(answer: &FetchResponse) -> Option<Failure> {
    let url = redact::url(answer.url.as_str());
    match answer.status {
        429 => Some(Failure::Throttled {
            evidence: format!("{url} answered 429"),
            retry_after_ms: retry_after_ms(&answer.headers),
        }),
        status if status >= 400 => Some(Failure::Other {
            code: "HTTP_STATUS".into(),
            message: format!("{url} answered {status}"),
            hint: None,
            retryable: false,
        }),
        _ => None,
    }
}

/// `Retry-After` in seconds; the form with a date is left to the plugin.
fn retry_after_ms(headers: &[(String, String)]) -> Option<u64> {
    let (_, value) = headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("retry-after"))?;
    value.trim().parse::<u64>().ok()?.checked_mul(1_000)
}

fn plain(request: wit::Request) -> FetchRequest {
    FetchRequest {
        method: request.method,
        url: request.url,
        headers: request
            .headers
            .into_iter()
            .map(|header| (header.name, header.value))
            .collect(),
        body: request.body,
        redirects: match request.redirects {
            wit::Redirects::Follow => Redirects::Follow,
            wit::Redirects::SameOrigin => Redirects::SameOrigin,
            wit::Redirects::Manual => Redirects::Manual,
        },
        timeout_ms: request.timeout_ms,
        max_bytes: request.max_bytes,
    }
}

fn response(response: FetchResponse) -> wit::Response {
    wit::Response {
        status: response.status,
        url: response.url.as_str().to_owned(),
        headers: response
            .headers
            .into_iter()
            .map(|(name, value)| wit::Header { name, value })
            .collect(),
        body: response.body,
    }
}
