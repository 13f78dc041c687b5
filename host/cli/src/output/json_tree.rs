//! JSON text as a tree that keeps what `serde_json::Value` does not: the order of keys, and the
//! digits of numbers of any size.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

/// A JSON value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Node<'a> {
    /// A number, `true`, `false` or `null`, as it was written.
    Word(&'a str),
    /// A string.
    Text(Cow<'a, str>),
    /// An array.
    List(Vec<Self>),
    /// An object. Of a key that is given twice the last value counts, as everywhere.
    Map(Vec<(Cow<'a, str>, Self)>),
}

impl<'a> Node<'a> {
    /// Reads text that `serde_json` wrote or accepted; so its depth has a bound.
    ///
    /// # Errors
    /// It is not JSON.
    pub(super) fn of(text: &'a str) -> io::Result<Self> {
        let mut rest = Rest(text);
        let node = rest.value()?;
        match rest.peek() {
            None => Ok(node),
            Some(_) => Err(wrong()),
        }
    }
}

struct Rest<'a>(&'a str);

/// Keys of an object that are looked through one by one before a table of them is made.
const FEW: usize = 16;

impl<'a> Rest<'a> {
    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let blanks = self
            .0
            .bytes()
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
            .count();
        self.0 = self.0.get(blanks..).unwrap_or_default();
        self.0.bytes().next()
    }

    fn take(&mut self, bytes: usize) -> io::Result<&'a str> {
        let (taken, rest) = self.0.split_at_checked(bytes).ok_or_else(wrong)?;
        self.0 = rest;
        Ok(taken)
    }

    fn value(&mut self) -> io::Result<Node<'a>> {
        match self.peek() {
            Some(b'{') => self.map().map(Node::Map),
            Some(b'[') => self.list().map(Node::List),
            Some(b'"') => self.text().map(Node::Text),
            _ => {
                let is_end =
                    |byte| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n');
                let end = self.0.bytes().position(is_end).unwrap_or(self.0.len());
                match self.take(end)? {
                    "" => Err(wrong()),
                    word => Ok(Node::Word(word)),
                }
            }
        }
    }

    fn list(&mut self) -> io::Result<Vec<Node<'a>>> {
        self.take(1)?;
        let mut items = vec![];
        while self.goes_on(b']', items.is_empty())? {
            items.push(self.value()?);
        }
        Ok(items)
    }

    fn map(&mut self) -> io::Result<Vec<(Cow<'a, str>, Node<'a>)>> {
        self.take(1)?;
        let mut entries: Vec<(Cow<'a, str>, Node<'a>)> = vec![];
        let mut places: HashMap<Cow<'a, str>, usize> = HashMap::new();
        while self.goes_on(b'}', entries.is_empty())? {
            self.peek();
            let key = self.text()?;
            match self.peek() {
                Some(b':') => self.take(1)?,
                _ => return Err(wrong()),
            };
            let value = self.value()?;
            let place = match entries.len() {
                ..FEW => entries.iter().position(|(known, _)| *known == key),
                _ => {
                    if places.is_empty() {
                        let known = entries.iter().enumerate();
                        places.extend(known.map(|(place, (key, _))| (key.clone(), place)));
                    }
                    places.get(&key).copied()
                }
            };
            match place.and_then(|place| entries.get_mut(place)) {
                Some(entry) => entry.1 = value,
                None => {
                    if !places.is_empty() {
                        places.insert(key.clone(), entries.len());
                    }
                    entries.push((key, value));
                }
            }
        }
        Ok(entries)
    }

    /// Whether another item comes; takes the comma before it, or the closing bracket.
    fn goes_on(&mut self, close: u8, first: bool) -> io::Result<bool> {
        match self.peek() {
            Some(next) if next == close => self.take(1).map(|_| false),
            Some(b',') if !first => self.take(1).map(|_| true),
            Some(_) if first => Ok(true),
            _ => Err(wrong()),
        }
    }

    fn text(&mut self) -> io::Result<Cow<'a, str>> {
        let mut has_escapes = false;
        let mut at = 1;
        loop {
            let rest = self.0.as_bytes().get(at..).ok_or_else(wrong)?;
            let mark = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'));
            at += mark.ok_or_else(wrong)?;
            if self.0.as_bytes().get(at) == Some(&b'"') {
                break;
            }
            // What stands behind a backslash ends no string.
            has_escapes = true;
            at += 2;
        }
        let token = self.take(at + 1)?;
        match has_escapes {
            true => Ok(Cow::Owned(serde_json::from_str(token)?)),
            false => token.get(1..at).map(Cow::Borrowed).ok_or_else(wrong),
        }
    }
}

fn wrong() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_digits_are_kept_and_the_last_of_two_keys_counts() {
        let text = " {\"z\" : [1e400, 123456789012345678901234567890 ,true],\n\"a\\n\":\"x\\\"\", \"z\":{}, \"e\": [ ] } ";
        assert_eq!(
            Node::of(text).unwrap(),
            Node::Map(vec![
                ("z".into(), Node::Map(vec![])),
                ("a\n".into(), Node::Text("x\"".into())),
                ("e".into(), Node::List(vec![])),
            ])
        );
        let list = "[1e400, 123456789012345678901234567890 ,null]";
        let words = ["1e400", "123456789012345678901234567890", "null"];
        assert_eq!(
            Node::of(list).unwrap(),
            Node::List(words.map(Node::Word).into())
        );
    }

    #[test]
    fn what_is_no_json_is_an_error_and_never_a_loop() {
        for text in [
            "", "[", "{", "{\"a\"", "{\"a\":", "[1 2]", "\"a", "[,]", "{1:2}", "1 2",
        ] {
            assert!(Node::of(text).is_err(), "{text}");
        }
    }
}
