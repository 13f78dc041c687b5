//! A place in a JSON document: the value there, if any, and how one got to it.

use super::Value;
use crate::text::{digits, joined};
use crate::{Failure, Result, failure};

/// Steps of a path that are kept; deeper ones are left out of messages.
const STEPS: usize = 6;

/// A member's name or an entry's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key<'a> {
    /// A member of an object.
    Name(&'a str),
    /// An entry of a list, from 0.
    Index(usize),
}

impl<'a> From<&'a str> for Key<'a> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}

impl From<usize> for Key<'_> {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// A place in a document.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    value: Option<&'a Value>,
    steps: [Option<Key<'a>>; STEPS],
    deeper: bool,
}

impl<'a> At<'a> {
    pub(super) fn root(value: &'a Value) -> Self {
        Self {
            value: Some(value),
            steps: [None; STEPS],
            deeper: false,
        }
    }

    /// One step down.
    #[must_use]
    pub fn at(mut self, key: impl Into<Key<'a>>) -> Self {
        let key = key.into();
        self.value = match (self.value, key) {
            (Some(Value::Map(members)), Key::Name(name)) => {
                let mut members = members.iter().rev();
                members.find(|(key, _)| key == name).map(|(_, value)| value)
            }
            (Some(Value::List(values)), Key::Index(index)) => values.get(index),
            _ => None,
        };
        match self.steps.iter_mut().find(|step| step.is_none()) {
            Some(step) => *step = Some(key),
            None => self.deeper = true,
        }
        self
    }

    /// The value, when there is one; `null` counts as one.
    #[must_use]
    pub fn value(self) -> Option<&'a Value> {
        self.value
    }

    /// Whether nothing or `null` is here.
    #[must_use]
    pub fn is_null(self) -> bool {
        matches!(self.value, None | Some(Value::Null))
    }

    /// A string.
    ///
    /// # Errors
    /// `other` with code `UNEXPECTED_REPLY` and the path, when it is missing or of another type.
    pub fn str(self) -> Result<&'a str> {
        match self.value {
            Some(Value::Text(text)) => Ok(text),
            _ => Err(self.unexpected("a text")),
        }
    }

    /// A whole number that an `i64` holds exactly.
    ///
    /// # Errors
    /// As [`At::str`].
    pub fn int(self) -> Result<i64> {
        match self.value {
            Some(Value::Int(number)) => Ok(*number),
            _ => Err(self.unexpected("a whole number")),
        }
    }

    /// A number.
    ///
    /// # Errors
    /// As [`At::str`].
    pub fn float(self) -> Result<f64> {
        let number = match self.value {
            Some(Value::Int(number)) => Some(*number as f64),
            Some(Value::Number(text)) => text.parse().ok(),
            _ => None,
        };
        number.ok_or_else(|| self.unexpected("a number"))
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// As [`At::str`].
    pub fn flag(self) -> Result<bool> {
        match self.value {
            Some(Value::Flag(on)) => Ok(*on),
            _ => Err(self.unexpected("true or false")),
        }
    }

    /// The entries of a list, each with its own path.
    ///
    /// # Errors
    /// As [`At::str`].
    pub fn list(self) -> Result<impl ExactSizeIterator<Item = At<'a>>> {
        match self.value {
            Some(Value::List(values)) => Ok((0..values.len()).map(move |index| self.at(index))),
            _ => Err(self.unexpected("a list")),
        }
    }

    /// The members of an object, in order.
    ///
    /// # Errors
    /// As [`At::str`].
    pub fn members(self) -> Result<impl ExactSizeIterator<Item = (&'a str, &'a Value)>> {
        match self.value {
            Some(Value::Map(members)) => {
                Ok(members.iter().map(|(key, value)| (key.as_str(), value)))
            }
            _ => Err(self.unexpected("an object")),
        }
    }

    /// A string; `None` when nothing or `null` is here.
    ///
    /// # Errors
    /// As [`At::str`], for another type.
    pub fn opt_str(self) -> Result<Option<&'a str>> {
        self.optional(Self::str)
    }

    /// A whole number; `None` when nothing or `null` is here.
    ///
    /// # Errors
    /// As [`At::str`], for another type.
    pub fn opt_int(self) -> Result<Option<i64>> {
        self.optional(Self::int)
    }

    /// A number; `None` when nothing or `null` is here.
    ///
    /// # Errors
    /// As [`At::str`], for another type.
    pub fn opt_float(self) -> Result<Option<f64>> {
        self.optional(Self::float)
    }

    /// `true` or `false`; `None` when nothing or `null` is here.
    ///
    /// # Errors
    /// As [`At::str`], for another type.
    pub fn opt_flag(self) -> Result<Option<bool>> {
        self.optional(Self::flag)
    }

    fn optional<T>(self, read: impl FnOnce(Self) -> Result<T>) -> Result<Option<T>> {
        if self.is_null() {
            Ok(None)
        } else {
            read(self).map(Some)
        }
    }

    fn unexpected(self, wanted: &str) -> Failure {
        let found = match self.value {
            None => "nothing",
            Some(Value::Null) => "null",
            Some(Value::Flag(_)) => "true or false",
            Some(Value::Int(_)) => "a whole number",
            Some(Value::Number(_)) => "a number",
            Some(Value::Text(_)) => "a text",
            Some(Value::List(_)) => "a list",
            Some(Value::Map(_)) => "an object",
        };
        failure::unexpected(joined(&[
            &self.path(),
            ": ",
            found,
            " where ",
            wanted,
            " should be",
        ]))
    }

    /// The way here, such as `items[0].title`.
    #[must_use]
    pub fn path(self) -> String {
        let mut path = String::new();
        for step in self.steps.into_iter().flatten() {
            match step {
                Key::Name(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
                Key::Index(index) => {
                    path.push('[');
                    digits(&mut path, index as u64);
                    path.push(']');
                }
            }
        }
        if self.deeper {
            path.push('…');
        }
        if path.is_empty() {
            path.push_str("the reply");
        }
        path
    }
}
