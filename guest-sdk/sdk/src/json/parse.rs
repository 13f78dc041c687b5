//! RFC 8259, strictly.

use super::Value;
use crate::text::digits;
use crate::{Failure, Result, failure};

/// Lists and objects inside one another; deeper replies are refused, so that a reply cannot
/// use up the stack.
pub const MAX_DEPTH: usize = 64;

/// Reads one JSON document.
///
/// # Errors
/// `other` with code `UNEXPECTED_REPLY`, the byte where it stops being JSON, and why.
pub fn parse(text: &str) -> Result<Value> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0).and_then(|value| {
        reader.space();
        match reader.peek() {
            None => Ok(value),
            Some(_) => Err("more text after the document"),
        }
    });
    value.map_err(|reason| refused(reader.at, reason))
}

fn refused(at: usize, reason: &str) -> Failure {
    let mut text = "not JSON at byte ".to_owned();
    digits(&mut text, at as u64);
    text.push_str(": ");
    text.push_str(reason);
    failure::unexpected(text)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

type Step<T> = Result<T, &'static str>;

impl<'a> Reader<'a> {
    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn value(&mut self, depth: usize) -> Step<Value> {
        if depth > MAX_DEPTH {
            return Err("too deep: more than 64 levels");
        }
        self.space();
        match self.peek() {
            Some(b'{') => self.map(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => self.string().map(Value::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::Flag(true)),
            Some(b'f') => self.word("false", Value::Flag(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(_) => Err("no value starts here"),
            None => Err("the text ends too early"),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Step<Value> {
        if self.rest().starts_with(word) {
            self.at += word.len();
            Ok(value)
        } else {
            Err("no value starts here")
        }
    }

    fn list(&mut self, depth: usize) -> Step<Value> {
        self.at += 1;
        let mut values = Vec::new();
        self.space();
        if self.take(b']') {
            return Ok(Value::List(values));
        }
        loop {
            values.push(self.value(depth + 1)?);
            self.space();
            if self.take(b']') {
                return Ok(Value::List(values));
            }
            if !self.take(b',') {
                return Err("`,` or `]` is missing");
            }
        }
    }

    fn map(&mut self, depth: usize) -> Step<Value> {
        self.at += 1;
        let mut members = Vec::new();
        self.space();
        if self.take(b'}') {
            return Ok(Value::Map(members));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err("a member's name is missing");
            }
            let key = self.string()?;
            self.space();
            if !self.take(b':') {
                return Err("`:` is missing");
            }
            members.push((key, self.value(depth + 1)?));
            self.space();
            if self.take(b'}') {
                return Ok(Value::Map(members));
            }
            if !self.take(b',') {
                return Err("`,` or `}` is missing");
            }
        }
    }

    fn number(&mut self) -> Step<Value> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        let mut whole = true;
        if self.take(b'.') {
            whole = false;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            whole = false;
            self.at += 1;
            if !self.take(b'-') {
                self.take(b'+');
            }
            self.digits()?;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        Ok(match text.parse() {
            Ok(number) if whole && text != "-0" => Value::Int(number),
            _ => Value::Number(text.to_owned()),
        })
    }

    fn digits(&mut self) -> Step<()> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at > start {
            Ok(())
        } else {
            Err("a digit is missing")
        }
    }

    fn string(&mut self) -> Step<String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let plain = rest
                .bytes()
                .position(|byte| matches!(byte, b'"' | b'\\' | ..b' '))
                .ok_or("a string does not end")?;
            text.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => {
                    self.at += 1;
                    text.push(self.escape()?);
                }
                _ => return Err("a control character in a string"),
            }
        }
    }

    fn escape(&mut self) -> Step<char> {
        let letter = self.peek().ok_or("a string does not end")?;
        self.at += 1;
        Ok(match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err("an unknown escape"),
        })
    }

    /// A `\u` escape; a surrogate pair is one character, half a pair is refused.
    fn unicode(&mut self) -> Step<char> {
        let mut code = self.hex()?;
        if (0xD800..0xDC00).contains(&code) && self.rest().starts_with("\\u") {
            self.at += 2;
            let low = self.hex()?;
            if !(0xDC00..0xE000).contains(&low) {
                return Err("half a surrogate pair");
            }
            code = 0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        char::from_u32(code).ok_or("half a surrogate pair")
    }

    fn hex(&mut self) -> Step<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            code = code * 16 + digit.ok_or("four hexadecimal digits are missing")?;
            self.at += 1;
        }
        Ok(code)
    }
}
