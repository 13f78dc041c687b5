//! Dates as the web writes them.

use crate::value::Time;

impl Time {
    /// From seconds since 1970, as most APIs count. Far out of range values are held at the end.
    #[must_use]
    pub fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1000))
    }

    /// Reads `2017-06-12`, `2017-06-12T17:57:34Z` or the same with a fraction or an offset
    /// (RFC 3339; digits beyond milliseconds are dropped, a leap second counts as the next minute).
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text.trim().as_bytes();
        let year = digits(&mut rest, 4)?;
        let month = prefixed(&mut rest, b"-", 1, 12)?;
        let day = prefixed(&mut rest, b"-", 1, days_in(year, month))?;
        let mut ms = days(year, month, day) * 86_400_000;
        if rest.is_empty() {
            return Some(Self(ms));
        }
        ms += prefixed(&mut rest, b"Tt ", 0, 23)? * 3_600_000;
        ms += prefixed(&mut rest, b":", 0, 59)? * 60_000;
        ms += prefixed(&mut rest, b":", 0, 60)? * 1000;
        ms += fraction(&mut rest)?;
        let (mark, after) = rest.split_first()?;
        rest = after;
        if !matches!(mark, b'Z' | b'z') {
            let hours = digits(&mut rest, 2).filter(|hours| *hours <= 23)?;
            let minutes = prefixed(&mut rest, b":", 0, 59)?;
            let offset = (hours * 60 + minutes) * 60_000;
            match mark {
                b'+' => ms -= offset,
                b'-' => ms += offset,
                _ => return None,
            }
        }
        rest.is_empty().then_some(Self(ms))
    }
}

fn digits(rest: &mut &[u8], count: usize) -> Option<i64> {
    let (head, tail) = rest.split_at_checked(count)?;
    *rest = tail;
    head.iter().try_fold(0, |sum, byte| {
        byte.is_ascii_digit()
            .then(|| sum * 10 + i64::from(byte - b'0'))
    })
}

fn prefixed(rest: &mut &[u8], marks: &[u8], min: i64, max: i64) -> Option<i64> {
    let (mark, tail) = rest.split_first()?;
    *rest = tail;
    let value = digits(rest, 2)?;
    (marks.contains(mark) && (min..=max).contains(&value)).then_some(value)
}

fn fraction(rest: &mut &[u8]) -> Option<i64> {
    let Some((b'.', tail)) = rest.split_first() else {
        return Some(0);
    };
    let length = tail.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (head, after) = tail.split_at_checked(length)?;
    *rest = after;
    let mut ms = 0;
    for place in 0..3 {
        ms = ms * 10 + head.get(place).map_or(0, |byte| i64::from(byte - b'0'));
    }
    (length > 0).then_some(ms)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar, years counted from March.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - 719_468
}
