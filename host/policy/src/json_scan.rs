//! One pass over a JSON text that finds what a deserializer would let through in silence:
//! keys given twice, numbers that change, deep nesting.

use std::collections::HashSet;

use crate::json::JsonFault;
use crate::untrusted::UntrustedText;

/// `serde_json` gives up at 128; this stays below it, so that the message is ours.
const DEEPEST: usize = 120;

type Fault = (usize, JsonFault);

/// Checks a text; an error has its byte offset.
pub(crate) fn check(text: &str, max_depth: usize) -> Result<(), Fault> {
    Scan::new(text, max_depth).document()
}

/// Every fault with its byte offset, in order. After `most` of them, and at the first one that
/// leaves the rest unreadable, the scan ends.
pub(crate) fn faults(text: &str, max_depth: usize, most: usize) -> Vec<Fault> {
    let mut scan = Scan::new(text, max_depth);
    scan.room_for_faults = most.saturating_sub(1);
    let last = scan.document().err();
    let mut faults = scan.faults;
    faults.extend(last);
    faults
}

pub(crate) struct Scan<'a> {
    text: &'a str,
    at: usize,
    room: usize,
    max_depth: usize,
    faults: Vec<Fault>,
    room_for_faults: usize,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(text: &'a str, max_depth: usize) -> Self {
        Self {
            text,
            at: 0,
            room: max_depth.min(DEEPEST),
            max_depth: max_depth.min(DEEPEST),
            faults: Vec::new(),
            room_for_faults: 0,
        }
    }

    /// From a value inside a text, on; stops only where the text does not read.
    pub(crate) fn starting_at(text: &'a str, at: usize, max_depth: usize) -> Self {
        Self {
            at,
            room_for_faults: usize::MAX,
            ..Self::new(text, max_depth)
        }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    fn document(&mut self) -> Result<(), Fault> {
        self.value()?;
        self.space();
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.syntax("text after the end of the document")),
        }
    }

    /// A fault behind which the text still reads: kept as long as there is room.
    fn keep(&mut self, fault: Fault) -> Result<(), Fault> {
        if self.faults.len() >= self.room_for_faults {
            return Err(fault);
        }
        self.faults.push(fault);
        Ok(())
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(crate) fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn syntax(&self, what: &str) -> Fault {
        (self.at, JsonFault::Syntax(what.to_owned()))
    }

    fn expected(&self, what: &str) -> Fault {
        let found = match self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next())
        {
            None => "the file ends here".to_owned(),
            Some(letter) => format!(
                "found {}",
                UntrustedText::from(format!("{letter:?}")).one_line(20)
            ),
        };
        self.syntax(&format!("expected {what}, {found}"))
    }

    pub(crate) fn value(&mut self) -> Result<(), Fault> {
        self.space();
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(drop),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            _ => Err(self.expected("a value")),
        }
    }

    fn nested(&mut self, inside: fn(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        if self.room == 0 {
            return Err((self.at, JsonFault::Depth(self.max_depth)));
        }
        self.room -= 1;
        self.at += 1;
        inside(self)?;
        self.room += 1;
        Ok(())
    }

    fn object(&mut self) -> Result<(), Fault> {
        let mut keys = HashSet::new();
        self.space();
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.expected("a key in double quotes"));
            }
            let at = self.at;
            let key = self.string()?;
            if !keys.insert(key.clone()) {
                self.keep((at, JsonFault::DuplicateKey(key)))?;
            }
            self.space();
            if !self.take(b':') {
                return Err(self.expected("`:` after a key"));
            }
            self.value()?;
            self.space();
            if self.take(b'}') {
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    fn array(&mut self) -> Result<(), Fault> {
        self.space();
        if self.take(b']') {
            return Ok(());
        }
        loop {
            self.value()?;
            self.space();
            if self.take(b']') {
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        if there {
            self.at += 1;
        }
        there
    }

    fn word(&mut self, word: &str) -> Result<(), Fault> {
        if self
            .text
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(word))
        {
            self.at += word.len();
            return Ok(());
        }
        Err(self.expected("a value"))
    }

    pub(crate) fn string(&mut self) -> Result<String, Fault> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err(self.expected("the end of a string")),
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(0..=0x1f) => {
                    return Err(
                        self.syntax("a control character in a string is written as an escape")
                    );
                }
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        let raw = self.text.get(start..self.at).unwrap_or_default();
        // Escapes, surrogate pairs among them, are decoded by the parser that reads the document.
        serde_json::from_str(raw).map_err(|error| {
            let message = error.to_string();
            let message = message
                .rsplit_once(" at line ")
                .map_or(message.as_str(), |(message, _)| message);
            (start, JsonFault::Syntax(format!("{message} in a string")))
        })
    }

    fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while matches!(
            self.peek(),
            Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
        ) {
            self.at += 1;
        }
        let literal = self.text.get(start..self.at).unwrap_or_default();
        if !is_number(literal) {
            let shown = UntrustedText::from(literal).one_line(40);
            return Err((start, JsonFault::Syntax(format!("not a number: {shown}"))));
        }
        if is_kept(literal) {
            Ok(())
        } else {
            self.keep((
                start,
                JsonFault::Number(UntrustedText::from(literal).one_line(40)),
            ))
        }
    }
}

/// The grammar of RFC 8259, section 6.
fn is_number(literal: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = literal.strip_prefix('-').unwrap_or(literal);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent
            .is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

/// Whether reading and writing the number gives the same value back.
fn is_kept(literal: &str) -> bool {
    if !literal.contains(['.', 'e', 'E']) {
        return literal != "-0"
            && (literal.parse::<i64>().is_ok() || literal.parse::<u64>().is_ok());
    }
    match literal.parse::<f64>() {
        Ok(value) if value.is_finite() => decimal(literal) == decimal(&format!("{value:e}")),
        _ => false,
    }
}

/// A decimal number as its digits without outer zeros, and its power of ten.
fn decimal(literal: &str) -> Option<(String, i64)> {
    let unsigned = literal.strip_prefix('-').unwrap_or(literal);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let short = all.trim_end_matches('0');
    let digits = short.trim_start_matches('0');
    if digits.is_empty() {
        return Some((String::new(), 0));
    }
    let dropped = i64::try_from(all.len() - short.len()).ok()?;
    let fraction = i64::try_from(fraction.len()).ok()?;
    let power = exponent
        .parse::<i64>()
        .ok()?
        .checked_sub(fraction)?
        .checked_add(dropped)?;
    Some((digits.to_owned(), power))
}
