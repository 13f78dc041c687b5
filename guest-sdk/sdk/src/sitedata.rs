//! The site's calibration data: what changes when the site does. Needs the capability `sitedata`.

use crate::bindings::sr::runtime::types::Miss;
use crate::{Failure, Result, host, json};

/// A string by JSON pointer (RFC 6901), such as `/commands/list/base`.
///
/// # Errors
/// `selector-miss` when it is not there, `invalid` when it is no string, `denied` without the
/// capability.
pub fn text(pointer: &str) -> Result<String> {
    host::sitedata_text(pointer)
}

/// Any value by JSON pointer; `None` when it is not there.
///
/// # Errors
/// `denied` without the capability, `invalid` for what is no pointer.
pub fn get(pointer: &str) -> Result<Option<json::Value>> {
    raw(pointer)?.as_deref().map(json::parse).transpose()
}

/// Any value by JSON pointer, as JSON text.
///
/// # Errors
/// As [`get`].
pub fn raw(pointer: &str) -> Result<Option<String>> {
    host::sitedata_get(pointer)
}

/// The selectors of a command under this run's strategy: key and CSS.
///
/// # Errors
/// `denied` without the capability.
pub fn selectors(command: &str) -> Result<Vec<(String, String)>> {
    host::sitedata_selectors(command)
}

/// One selector of a command.
///
/// # Errors
/// `selector-miss` naming key and strategy when it is not there; `denied` without the capability.
pub fn selector(command: &str, key: &str) -> Result<String> {
    let mut known = selectors(command)?.into_iter();
    if let Some((_, css)) = known.find(|(name, _)| name == key) {
        return Ok(css);
    }
    Err(Failure::SelectorMiss(Miss {
        selector: String::new(),
        key: Some(key.to_owned()),
        strategy: strategy()?,
    }))
}

/// The strategy of this run; `s0` is the command's own selectors.
///
/// # Errors
/// `denied` without the capability.
pub fn strategy() -> Result<String> {
    host::sitedata_strategy()
}

/// The data's version and where it came from: bundled, cache or remote.
///
/// # Errors
/// `denied` without the capability.
pub fn version() -> Result<(String, String)> {
    host::sitedata_version()
}
