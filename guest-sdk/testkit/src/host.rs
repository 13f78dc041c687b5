//! A host that answers from a recording and applies the policy of the real one.

use std::cell::{Cell as Slot, RefCell};

use sr_guest::bindings::sr::runtime::fetch::{Header, Request, Response};
use sr_guest::bindings::sr::runtime::log::Level;
use sr_guest::bindings::sr::runtime::types::{Coded, Miss};
use sr_guest::fetch::Reply;
use sr_guest::host::Host;
use sr_guest::{Cell, Failure, Result, failure};
use sr_policy::recording::{Player, RecordedResponse};
use sr_policy::request::{METHODS, Phase, RequestPolicy};
use sr_policy::{Capability, CheckedUrl, Denial, headers, limits};

use crate::convert::denied;
use crate::redirect;
use crate::sitedata::Sitedata;

/// Limits of `fetch` in the contract (section "limits" of the WIT documentation).
const TIMEOUT_MS: u32 = 60_000;
const REQUEST_BODY: usize = 16 * 1024 * 1024;
const RESPONSE_BODY: u32 = 16 * 1024 * 1024;
const RESPONSE_BODY_UNSAID: u32 = 4 * 1024 * 1024;
const REQUESTS_A_CALL: usize = 32;
const AT_ONCE: u8 = 8;
const POINTER_BYTES: usize = 256;
const PAUSE_MS: u32 = 60_000;
const REQUESTS_A_RUN: usize = 500;

/// The strategy of every native run: the command's own selectors.
const STRATEGY: &str = "s0";

pub(crate) struct RecordedHost {
    pub(crate) policy: RefCell<RequestPolicy>,
    pub(crate) player: RefCell<Player>,
    /// None without the capability.
    pub(crate) sitedata: Option<Sitedata>,
    pub(crate) cancelled: bool,
    pub(crate) lines: RefCell<Vec<(Level, String)>>,
    pub(crate) labels: RefCell<Vec<String>>,
    pub(crate) requests: RefCell<Vec<String>>,
    pub(crate) early: RefCell<Vec<Vec<Cell>>>,
    pub(crate) asked: Slot<usize>,
}

impl RecordedHost {
    pub(crate) fn set_phase(&self, phase: Phase) {
        self.policy.borrow_mut().phase = phase;
    }

    /// What every fallible call answers first.
    fn ready(&self, call: &str) -> Result<()> {
        if self.policy.borrow().phase == Phase::Metadata {
            let denial = Denial::new("NOT_DURING_METADATA", "metadata", call, None);
            return Err(denied(denial));
        }
        if self.cancelled {
            return Err(Failure::Cancelled);
        }
        Ok(())
    }

    fn sitedata(&self, call: &str) -> Result<&Sitedata> {
        self.ready(call)?;
        self.sitedata
            .as_ref()
            .ok_or_else(|| denied(Capability::Sitedata.denial()))
    }

    /// One request with its redirects, in the order of checks the host has.
    fn exchange(&self, request: &Request) -> Result<Response> {
        self.ready("fetch")?;
        self.count()?;
        let mut url =
            CheckedUrl::parse(&request.url).map_err(|error| denied(Denial::from(error)))?;
        if !METHODS.contains(&request.method.as_str()) {
            return Err(failure::invalid(
                "method",
                format!("one of {} in upper case", METHODS.join(", ")),
            ));
        }
        self.policy
            .borrow()
            .check(&request.method, &url)
            .map_err(denied)?;
        let headers: Vec<(String, String)> = request
            .headers
            .iter()
            .map(|header| (header.name.clone(), header.value.clone()))
            .collect();
        headers::check_request_headers(&headers).map_err(denied)?;
        let most = body_limit(request)?;
        let mut method = request.method.clone();
        let mut body = request.body.as_deref();
        for hop in 1..=redirect::HOPS + 1 {
            let response = self.hop(&method, &url, body)?;
            let next = redirect::next(request.redirects, &method, &url, &response);
            let Some((next_method, next_url)) =
                next.map_err(|denial| redirect::at_hop(denial, hop, &url))?
            else {
                return answer(&url, &response, most);
            };
            self.policy
                .borrow()
                .check(&next_method, &next_url)
                .map_err(|denial| redirect::at_hop(denial, hop, &url))?;
            if next_method != method {
                body = None;
            }
            (method, url) = (next_method, next_url);
        }
        Err(redirect::too_many())
    }

    fn count(&self) -> Result<()> {
        let asked = self.asked.get() + 1;
        self.asked.set(asked);
        if asked > REQUESTS_A_RUN {
            let denial = Denial::new("LIMIT_REACHED", "requests-per-run", "fetch", None);
            return Err(denied(denial));
        }
        Ok(())
    }

    fn hop(&self, method: &str, url: &CheckedUrl, body: Option<&[u8]>) -> Result<RecordedResponse> {
        self.requests.borrow_mut().push(format!("{method} {url}"));
        let mut player = self.player.borrow_mut();
        let answer = player.answer(method, url, body);
        answer.cloned().ok_or_else(|| {
            failure::coded(
                "REPLAY_MISS",
                format!("the recording has no reply to {method} {url}"),
                Some("add the exchange to the recording".to_owned()),
            )
        })
    }
}

fn body_limit(request: &Request) -> Result<u32> {
    if request.timeout_ms > TIMEOUT_MS {
        return Err(failure::invalid(
            "timeout-ms",
            format!("at most {TIMEOUT_MS}"),
        ));
    }
    if request.max_bytes > RESPONSE_BODY {
        return Err(failure::invalid(
            "max-bytes",
            format!("at most {RESPONSE_BODY}"),
        ));
    }
    if request
        .body
        .as_ref()
        .is_some_and(|body| body.len() > REQUEST_BODY)
    {
        return Err(failure::invalid(
            "body",
            format!("at most {REQUEST_BODY} bytes"),
        ));
    }
    Ok(match request.max_bytes {
        0 => RESPONSE_BODY_UNSAID,
        most => most,
    })
}

fn answer(url: &CheckedUrl, response: &RecordedResponse, most: u32) -> Result<Response> {
    let body = response.body.bytes();
    if body.len() > most as usize {
        return Err(failure::coded(
            "RESPONSE_TOO_LARGE",
            format!("the reply has {} bytes, at most {most}", body.len()),
            Some("ask for less, or raise max_bytes".to_owned()),
        ));
    }
    let headers = response.headers.iter().map(|(name, value)| Header {
        name: name.clone(),
        value: value.clone(),
    });
    Ok(Response {
        status: response.status,
        url: url.as_str().to_owned(),
        headers: headers.collect(),
        body,
    })
}

impl Host for RecordedHost {
    fn log_write(&self, level: Level, message: &str) {
        self.lines.borrow_mut().push((level, message.to_owned()));
    }

    fn log_enabled(&self, _: Level) -> bool {
        true
    }

    fn progress(&self, _: u64, _: Option<u64>, label: &str) -> bool {
        self.labels.borrow_mut().push(label.to_owned());
        !self.cancelled
    }

    fn cancelled(&self) -> bool {
        self.cancelled
    }

    fn time_left(&self) -> u64 {
        u64::from(limits::DEFAULT_TIMEOUT_MS)
    }

    fn emit(&self, rows: &[Vec<Cell>]) -> Result<()> {
        self.ready("task.emit")?;
        if rows.len() > limits::ROWS_A_CALL {
            return Err(failure::invalid(
                "rows",
                format!("at most {} a call", limits::ROWS_A_CALL),
            ));
        }
        self.early.borrow_mut().extend_from_slice(rows);
        Ok(())
    }

    fn pause(&self, ms: u32) -> Result<()> {
        self.ready("task.pause")?;
        if ms > PAUSE_MS {
            return Err(failure::invalid(
                "ms",
                format!("at most {PAUSE_MS} for one pause"),
            ));
        }
        Ok(())
    }

    fn send(&self, request: &Request) -> Result<Response> {
        self.exchange(request)
    }

    fn send_all(&self, requests: &[Request], at_once: u8) -> Result<Vec<Result<Response>>> {
        self.ready("fetch.send-all")?;
        if requests.len() > REQUESTS_A_CALL {
            return Err(failure::invalid(
                "requests",
                format!("at most {REQUESTS_A_CALL} a call"),
            ));
        }
        if !(1..=AT_ONCE).contains(&at_once) {
            return Err(failure::invalid("at-once", format!("1 to {AT_ONCE}")));
        }
        Ok(requests
            .iter()
            .map(|request| self.exchange(request))
            .collect())
    }

    fn get_text(&self, url: &str) -> Result<String> {
        let request = sr_guest::fetch::get(url).into_request();
        Reply::from(self.exchange(&request)?).ok()?.text()
    }

    fn sitedata_strategy(&self) -> Result<String> {
        self.sitedata("sitedata.strategy")?;
        Ok(STRATEGY.to_owned())
    }

    fn sitedata_version(&self) -> Result<(String, String)> {
        let sitedata = self.sitedata("sitedata.version")?;
        Ok((sitedata.version(), "bundled".to_owned()))
    }

    fn sitedata_get(&self, pointer: &str) -> Result<Option<String>> {
        let sitedata = self.sitedata("sitedata.get")?;
        check_pointer(pointer)?;
        Ok(sitedata.at(pointer).map(ToString::to_string))
    }

    fn sitedata_selectors(&self, command: &str) -> Result<Vec<(String, String)>> {
        Ok(self.sitedata("sitedata.selectors")?.selectors(command))
    }

    fn sitedata_text(&self, pointer: &str) -> Result<String> {
        let sitedata = self.sitedata("sitedata.text")?;
        check_pointer(pointer)?;
        match sitedata.at(pointer) {
            Some(serde_json::Value::String(text)) => Ok(text.clone()),
            Some(_) => Err(failure::invalid(
                "pointer",
                format!("the value at {pointer} is not a string"),
            )),
            None => Err(Failure::SelectorMiss(Miss {
                selector: String::new(),
                key: Some(pointer.to_owned()),
                strategy: STRATEGY.to_owned(),
            })),
        }
    }
}

fn check_pointer(pointer: &str) -> Result<()> {
    if pointer.len() > POINTER_BYTES {
        return Err(failure::invalid(
            "pointer",
            format!("at most {POINTER_BYTES} bytes"),
        ));
    }
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Err(failure::invalid(
            "pointer",
            "a JSON pointer is empty or starts with /",
        ));
    }
    Ok(())
}

/// A mistake of the test itself, as the failure that `run` returns.
pub(crate) fn mistake(message: &str) -> Failure {
    Failure::Other(Coded {
        code: crate::TESTKIT.to_owned(),
        message: message.to_owned(),
        hint: None,
        retryable: false,
    })
}
