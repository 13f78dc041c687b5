//! In a native build: a host that a test kit installs for the current thread.

use std::cell::RefCell;
use std::rc::Rc;

use crate::bindings::sr::runtime::fetch::{Request, Response};
use crate::bindings::sr::runtime::log::Level;
use crate::{Cell, Failure, Result};

/// Every host call, as a native test sees it. See the WIT files for what each promises.
#[expect(missing_docs, reason = "the WIT files say what each call does")]
pub trait Host {
    fn log_write(&self, level: Level, message: &str);
    fn log_enabled(&self, level: Level) -> bool;
    fn progress(&self, done: u64, total: Option<u64>, label: &str) -> bool;
    fn cancelled(&self) -> bool;
    fn time_left(&self) -> u64;
    fn emit(&self, rows: &[Vec<Cell>]) -> Result<()>;
    fn pause(&self, ms: u32) -> Result<()>;
    fn send(&self, request: &Request) -> Result<Response>;
    fn send_all(&self, requests: &[Request], at_once: u8) -> Result<Vec<Result<Response>>>;
    fn get_text(&self, url: &str) -> Result<String>;
    fn sitedata_strategy(&self) -> Result<String>;
    fn sitedata_version(&self) -> Result<(String, String)>;
    fn sitedata_get(&self, pointer: &str) -> Result<Option<String>>;
    fn sitedata_selectors(&self, command: &str) -> Result<Vec<(String, String)>>;
    fn sitedata_text(&self, pointer: &str) -> Result<String>;
}

thread_local! {
    static HOST: RefCell<Option<Rc<dyn Host>>> = const { RefCell::new(None) };
}

/// Puts the earlier host back when it is dropped.
#[must_use = "the host is taken away again when this is dropped"]
pub struct Installed(Option<Rc<dyn Host>>);

/// Makes `host` the host of this thread.
pub fn install(host: Rc<dyn Host>) -> Installed {
    Installed(HOST.with_borrow_mut(|slot| slot.replace(host)))
}

impl Drop for Installed {
    fn drop(&mut self) {
        let earlier = self.0.take();
        HOST.with_borrow_mut(|slot| *slot = earlier);
    }
}

impl core::fmt::Debug for Installed {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str("Installed")
    }
}

fn current() -> Option<Rc<dyn Host>> {
    HOST.with_borrow(Clone::clone)
}

fn host() -> Result<Rc<dyn Host>> {
    current().ok_or_else(|| {
        Failure::Unavailable(
            "no host: this is a native build and no test kit is installed (sr-guest-testkit)"
                .to_owned(),
        )
    })
}

/// The host calls under the names the component's imports have.
pub(crate) mod calls {
    use super::{Cell, Level, Request, Response, Result, current, host};

    pub(crate) fn log_write(level: Level, message: &str) {
        if let Some(host) = current() {
            host.log_write(level, message);
        }
    }

    pub(crate) fn log_enabled(level: Level) -> bool {
        current().is_some_and(|host| host.log_enabled(level))
    }

    pub(crate) fn progress(done: u64, total: Option<u64>, label: &str) -> bool {
        current().is_none_or(|host| host.progress(done, total, label))
    }

    pub(crate) fn cancelled() -> bool {
        current().is_some_and(|host| host.cancelled())
    }

    pub(crate) fn time_left() -> u64 {
        current().map_or(0, |host| host.time_left())
    }

    pub(crate) fn emit(rows: &[Vec<Cell>]) -> Result<()> {
        host()?.emit(rows)
    }

    pub(crate) fn pause(ms: u32) -> Result<()> {
        host()?.pause(ms)
    }

    pub(crate) fn send(request: &Request) -> Result<Response> {
        host()?.send(request)
    }

    pub(crate) fn send_all(requests: &[Request], at_once: u8) -> Result<Vec<Result<Response>>> {
        host()?.send_all(requests, at_once)
    }

    pub(crate) fn get_text(url: &str) -> Result<String> {
        host()?.get_text(url)
    }

    pub(crate) fn sitedata_strategy() -> Result<String> {
        host()?.sitedata_strategy()
    }

    pub(crate) fn sitedata_version() -> Result<(String, String)> {
        host()?.sitedata_version()
    }

    pub(crate) fn sitedata_get(pointer: &str) -> Result<Option<String>> {
        host()?.sitedata_get(pointer)
    }

    pub(crate) fn sitedata_selectors(command: &str) -> Result<Vec<(String, String)>> {
        host()?.sitedata_selectors(command)
    }

    pub(crate) fn sitedata_text(pointer: &str) -> Result<String> {
        host()?.sitedata_text(pointer)
    }
}
