//! Inside a component: the imports themselves.

pub(crate) use crate::bindings::sr::runtime::fetch::{get_text, send, send_all};
pub(crate) use crate::bindings::sr::runtime::log::{enabled as log_enabled, write as log_write};
pub(crate) use crate::bindings::sr::runtime::sitedata::{
    get as sitedata_get, selectors as sitedata_selectors, strategy as sitedata_strategy,
    text as sitedata_text, version as sitedata_version,
};
pub(crate) use crate::bindings::sr::runtime::task::{cancelled, emit, pause, progress, time_left};
