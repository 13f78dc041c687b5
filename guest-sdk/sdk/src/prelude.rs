//! Everything an adapter needs: `use sr_guest::prelude::*;`

pub use crate::arguments::Given;
pub use crate::failure::{Context, OrEmpty, OrUnexpected, Result};
pub use crate::output::{Prepared, Row, Table, prepared};
pub use crate::task::Seconds;
pub use crate::value::{Json, Time, Url};
pub use crate::{Cell, Failure, Output, fail, fetch, json, log, sitedata, task};
pub use sr_guest_macros::{Choice, Row, command, plugin, url};
