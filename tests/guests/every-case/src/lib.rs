//! A guest that returns every failure case and every cell kind, and echoes every argument kind:
//! what the contract can carry, the host must bring through unchanged.

mod calls;
mod failures;
mod values;

use sr_guest::prelude::*;

/// Two texts side by side.
#[derive(Row)]
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) value: String,
}

impl Pair {
    pub(crate) fn new(name: &str, value: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            value: value.into(),
        }
    }
}

plugin!(
    failures::fail_with,
    values::cells,
    values::echo,
    calls::fetch,
    calls::fetch_all,
    calls::get_text,
    calls::sitedata,
    calls::log,
    calls::print,
    calls::progress,
    calls::emit,
    calls::pause,
    calls::repeat,
);
