//! Dates and moments as a person types and reads them.

use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, OffsetDateTime};

/// A day, `YYYY-MM-DD`, or a moment of RFC 3339, in milliseconds since 1970 UTC. A day is its
/// first moment in UTC. `None` for anything else.
#[must_use]
pub fn parse(text: &str) -> Option<i64> {
    let at = match OffsetDateTime::parse(text, &Rfc3339) {
        Ok(at) => at,
        Err(_) => {
            let day = format_description!("[year repr:full range:standard]-[month]-[day]");
            Date::parse(text, day).ok()?.midnight().assume_utc()
        }
    };
    i64::try_from(at.unix_timestamp_nanos().div_euclid(1_000_000)).ok()
}

/// Milliseconds since 1970 UTC as RFC 3339 in UTC; a moment no calendar holds stays a number.
#[must_use]
pub fn text(ms: i64) -> String {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000)
        .ok()
        .and_then(|at| at.format(&Rfc3339).ok())
        .unwrap_or_else(|| ms.to_string())
}
