//! Stub imports: every fetch gets the one reply, everything else as little as its type allows.

use wasmtime::component::ResourceTable;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

/// The contract's types and traits.
pub(crate) mod bindings {
    wasmtime::component::bindgen!({ path: "../../wit", world: "adapter" });
}

use bindings::sr::runtime::fetch::{self, Request, Response};
use bindings::sr::runtime::types::{self, Failure, Row};
use bindings::sr::runtime::{log, sitedata, task};

/// What the component talks to.
pub(crate) struct Host {
    wasi: WasiCtx,
    table: ResourceTable,
    reply: Vec<u8>,
    /// Rows handed over before the end.
    pub(crate) emitted: Vec<Row>,
}

impl Host {
    /// Answers each fetch with these bytes; without any, each is denied.
    pub(crate) fn new(reply: Vec<u8>) -> Self {
        Self {
            wasi: WasiCtx::builder().build(),
            table: ResourceTable::new(),
            reply,
            emitted: Vec::new(),
        }
    }

    fn answer(&self, url: String) -> Response {
        Response {
            status: 200,
            url,
            headers: Vec::new(),
            body: self.reply.clone(),
        }
    }
}

impl WasiView for Host {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

impl types::Host for Host {}

impl fetch::Host for Host {
    fn send(&mut self, request: Request) -> Result<Response, Failure> {
        Ok(self.answer(request.url))
    }

    fn send_all(
        &mut self,
        requests: Vec<Request>,
        _at_once: u8,
    ) -> Result<Vec<Result<Response, Failure>>, Failure> {
        let answers = requests.into_iter().map(|request| self.send(request));
        Ok(answers.collect())
    }

    fn get_text(&mut self, url: String) -> Result<String, Failure> {
        if self.reply.is_empty() {
            return Err(Failure::Denied(types::Denial {
                code: "DOMAIN_NOT_ALLOWED".to_owned(),
                rule: "allowlist".to_owned(),
                subject: url,
                fix: Some("\"domains\": [\"evil.test\"]".to_owned()),
            }));
        }
        Ok(String::from_utf8_lossy(&self.reply).into_owned())
    }
}

impl log::Host for Host {
    fn write(&mut self, _level: log::Level, _message: String) {}

    fn enabled(&mut self, _level: log::Level) -> bool {
        false
    }
}

impl task::Host for Host {
    fn progress(&mut self, _done: u64, _total: Option<u64>, _label: String) -> bool {
        true
    }

    fn cancelled(&mut self) -> bool {
        false
    }

    fn time_left(&mut self) -> u64 {
        60_000
    }

    fn emit(&mut self, rows: Vec<Row>) -> Result<(), Failure> {
        self.emitted.extend(rows);
        Ok(())
    }

    fn pause(&mut self, _ms: u32) -> Result<(), Failure> {
        Ok(())
    }
}

impl sitedata::Host for Host {
    fn strategy(&mut self) -> Result<String, Failure> {
        Ok("s0".to_owned())
    }

    fn version(&mut self) -> Result<(String, String), Failure> {
        Ok((String::new(), "bundled".to_owned()))
    }

    fn get(&mut self, _pointer: String) -> Result<Option<String>, Failure> {
        Ok(None)
    }

    fn selectors(&mut self, _command: String) -> Result<Vec<(String, String)>, Failure> {
        Ok(Vec::new())
    }

    fn text(&mut self, _pointer: String) -> Result<String, Failure> {
        Ok("2026.11.30".to_owned())
    }
}
