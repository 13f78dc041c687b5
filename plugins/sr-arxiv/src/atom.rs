//! The feed of the query API: Atom (RFC 4287) with arXiv's own elements.

use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;
use sr_guest::prelude::*;

const ATOM: &[u8] = b"http://www.w3.org/2005/Atom";
const ARXIV: &[u8] = b"http://arxiv.org/schemas/atom";
const OPENSEARCH: &[u8] = b"http://a9.com/-/spec/opensearch/1.1/";

const BROKEN: &str = "the feed is not XML";

/// Elements inside one another; the feed has five levels.
const MAX_DEPTH: usize = 32;

/// What a query found.
#[derive(Debug, Default)]
pub(crate) struct Feed {
    pub(crate) entries: Vec<Entry>,
    /// How many papers match in all.
    pub(crate) total: Option<u32>,
}

/// One paper as the feed has it.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    /// The identifier with its version.
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) summary: String,
    /// Their names, with a comma between.
    pub(crate) authors: String,
    pub(crate) published: String,
    pub(crate) updated: Option<String>,
    pub(crate) category: Option<String>,
    pub(crate) doi: Option<String>,
    pub(crate) comment: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Id,
    Title,
    Summary,
    Published,
    Updated,
    Author,
    AuthorName,
    Doi,
    Comment,
    Total,
}

/// Reads a feed. A document type is refused: with none there are no entities but XML's own.
pub(crate) fn parse(text: &str) -> Result<Feed> {
    let mut reader = NsReader::from_str(text);
    let mut state = State::default();
    loop {
        let (namespace, event) = reader.read_resolved_event().map_err(|_| BROKEN)?;
        let namespace = match namespace {
            ResolveResult::Bound(namespace) => namespace.into_inner(),
            _ => b"",
        };
        match event {
            Event::Start(element) => state.open(namespace, &element)?,
            Event::Empty(element) => {
                state.open(namespace, &element)?;
                state.close()?;
            }
            Event::End(_) => state.close()?,
            // Not `xml_content`: that makes line ends alike, and here all white space is.
            Event::Text(text) => state.text(&text.decode().map_err(|_| BROKEN)?),
            Event::CData(text) => state.text(&text.decode().map_err(|_| BROKEN)?),
            Event::GeneralRef(reference) => {
                let name = reference.decode().map_err(|_| BROKEN)?;
                state.text(character(&name)?.encode_utf8(&mut [0; 4]));
            }
            Event::DocType(_) => {
                return Err("the feed has a document type, which is not read".into());
            }
            Event::Eof => return state.finish(),
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
        }
    }
}

/// What stands between `&` and `;`.
fn character(reference: &str) -> Result<char> {
    let code = match reference.strip_prefix('#') {
        Some(number) => match number.strip_prefix('x') {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        },
        None => {
            return Ok(match reference {
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                "apos" => '\'',
                _ => return Err("the feed has an entity that XML does not define".into()),
            });
        }
    };
    // A sign is read by Rust and not by XML.
    let code = code
        .ok()
        .filter(|code| *code != 0 && !reference.contains('+'));
    Ok(code.and_then(char::from_u32).ok_or(BROKEN)?)
}

/// The value of an attribute.
fn unescaped(value: &str) -> Result<String> {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((plain, marked)) = rest.split_once('&') {
        let (reference, after) = marked.split_once(';').ok_or(BROKEN)?;
        text.push_str(plain);
        text.push(character(reference)?);
        rest = after;
    }
    text.push_str(rest);
    Ok(text)
}

#[derive(Default)]
struct State {
    feed: Feed,
    entry: Option<Entry>,
    /// The fields the current element lies in, outermost first; `None` for other elements.
    path: Vec<Option<Field>>,
    text: String,
    closed: bool,
}

impl State {
    fn open(&mut self, namespace: &[u8], element: &BytesStart<'_>) -> Result<()> {
        let name = element.local_name();
        let name = name.as_ref();
        if self.closed || self.path.len() >= MAX_DEPTH {
            return Err("the feed is nested too deeply, or goes on after its end".into());
        }
        let parent = self.path.last().copied().flatten();
        let field = match (self.path.len(), namespace, name) {
            (0, ATOM, b"feed") => None,
            (0, ..) => return Err("the reply is not an Atom feed".into()),
            (1, ATOM, b"entry") => {
                self.entry = Some(Entry::default());
                None
            }
            (1, OPENSEARCH, b"totalResults") => Some(Field::Total),
            (2, ATOM, name) if self.entry.is_some() => match name {
                b"id" => Some(Field::Id),
                b"title" => Some(Field::Title),
                b"summary" => Some(Field::Summary),
                b"published" => Some(Field::Published),
                b"updated" => Some(Field::Updated),
                b"author" => Some(Field::Author),
                _ => None,
            },
            (2, ARXIV, name) if self.entry.is_some() => match name {
                b"doi" => Some(Field::Doi),
                b"comment" => Some(Field::Comment),
                b"primary_category" => {
                    self.category(element)?;
                    None
                }
                _ => None,
            },
            (3, ATOM, b"name") if parent == Some(Field::Author) => Some(Field::AuthorName),
            _ => None,
        };
        self.path.push(field);
        self.text.clear();
        Ok(())
    }

    fn category(&mut self, element: &BytesStart<'_>) -> Result<()> {
        let term = element.try_get_attribute("term").map_err(|_| BROKEN)?;
        if let (Some(term), Some(entry)) = (term, &mut self.entry) {
            entry.category = Some(unescaped(core::str::from_utf8(&term.value)?)?);
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if self.path.last().copied().flatten().is_some() {
            self.text.push_str(text);
        }
    }

    fn close(&mut self) -> Result<()> {
        let field = self.path.pop().flatten();
        let text = core::mem::take(&mut self.text);
        // Titles and abstracts are wrapped in the feed.
        let text = unwrapped(&text);
        if field == Some(Field::Total) {
            self.feed.total = text.parse().ok();
        } else if let (Some(field), Some(entry)) = (field, &mut self.entry) {
            entry.set(field, text);
        } else if self.path.len() == 1
            && let Some(entry) = self.entry.take()
        {
            self.feed.entries.push(entry.checked()?);
        }
        self.closed = self.path.is_empty();
        Ok(())
    }

    fn finish(self) -> Result<Feed> {
        if !self.closed {
            return Err("the feed ends too early".into());
        }
        Ok(self.feed)
    }
}

impl Entry {
    fn set(&mut self, field: Field, text: String) {
        match field {
            Field::Id => self.id = text,
            Field::Title => self.title = text,
            Field::Summary => self.summary = text,
            Field::Published => self.published = text,
            Field::Updated => self.updated = Some(text),
            Field::AuthorName => {
                if !self.authors.is_empty() {
                    self.authors.push_str(", ");
                }
                self.authors.push_str(&text);
            }
            Field::Doi => self.doi = Some(text),
            Field::Comment => self.comment = Some(text),
            Field::Author | Field::Total => {}
        }
    }

    /// arXiv answers a question it does not accept with an entry that says why.
    fn checked(mut self) -> Result<Self> {
        if self.id.split('/').any(|part| part.starts_with("errors#")) {
            let says = &self.summary;
            fail!(ARXIV_ERROR, "arXiv answered: {says}");
        }
        let id = ["http://arxiv.org/abs/", "https://arxiv.org/abs/"]
            .iter()
            .find_map(|address| self.id.strip_prefix(address));
        let Some(id) = id else {
            return Err("an entry of the feed has no arXiv identifier".into());
        };
        self.id = id.to_owned();
        Ok(self)
    }
}

/// Words with one space between them.
fn unwrapped(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_ascii_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[cfg(test)]
#[path = "atom_tests.rs"]
mod tests;
