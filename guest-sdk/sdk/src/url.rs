//! Building URLs; the `url!` macro writes the calls.

use crate::text::{decimal, digits};
use crate::value::Url;

/// A value that can stand in a URL.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in a URL",
    note = "use a text, a whole number, or an enum with #[derive(Choice)]"
)]
pub trait UrlValue {
    /// Hands over its text, before encoding.
    fn write_to(&self, out: &mut dyn FnMut(&str));
}

/// A URL being put together.
#[derive(Debug, Default)]
pub struct UrlBuilder(String);

impl UrlBuilder {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Fixed text, as it is.
    pub fn text(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// A value in the path. One made of dots alone is escaped twice: `..` and `%2E%2E` both mean
    /// "one level up" to a URL parser, and a value must not climb out of its place.
    pub fn path_value<V: UrlValue + ?Sized>(&mut self, value: &V) {
        value.write_to(&mut |text| {
            if !text.is_empty() && text.bytes().all(|byte| byte == b'.') {
                for _ in 0..text.len() {
                    self.0.push_str("%252E");
                }
            } else {
                encode(&mut self.0, text);
            }
        });
    }

    /// A value in the query or after it.
    pub fn query_value<V: UrlValue + ?Sized>(&mut self, value: &V) {
        value.write_to(&mut |text| encode(&mut self.0, text));
    }

    /// The URL.
    #[must_use]
    pub fn finish(self) -> Url {
        Url(self.0)
    }
}

/// Everything but RFC 3986's unreserved characters becomes `%XX`.
fn encode(out: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            out.push('%');
            for half in [byte >> 4, byte & 15] {
                let digit = char::from_digit(u32::from(half), 16).unwrap_or('0');
                out.push(digit.to_ascii_uppercase());
            }
        }
    }
}

impl UrlValue for str {
    fn write_to(&self, out: &mut dyn FnMut(&str)) {
        out(self);
    }
}

impl UrlValue for String {
    fn write_to(&self, out: &mut dyn FnMut(&str)) {
        out(self);
    }
}

impl UrlValue for Url {
    fn write_to(&self, out: &mut dyn FnMut(&str)) {
        out(&self.0);
    }
}

impl<V: UrlValue + ?Sized> UrlValue for &V {
    fn write_to(&self, out: &mut dyn FnMut(&str)) {
        (**self).write_to(out);
    }
}

macro_rules! whole_numbers {
    ($($ty:ty)*) => {$(
        impl UrlValue for $ty {
            fn write_to(&self, out: &mut dyn FnMut(&str)) {
                out(&decimal(i64::from(*self)));
            }
        }
    )*};
}

whole_numbers!(u8 u16 u32 i8 i16 i32 i64);

impl UrlValue for u64 {
    fn write_to(&self, out: &mut dyn FnMut(&str)) {
        let mut text = String::new();
        digits(&mut text, *self);
        out(&text);
    }
}

impl UrlValue for usize {
    fn write_to(&self, out: &mut dyn FnMut(&str)) {
        (*self as u64).write_to(out);
    }
}
