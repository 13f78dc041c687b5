//! Reading facts, and noting which are missing.

use std::collections::BTreeSet;

use crate::ask::{Address, Answer, ArgvProcess, Ask, Bundle, Facts};

/// An answer that does not fit its question: the embedder's fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this answer does not fit its question: {ask:?}")]
pub struct UnfitAnswer {
    /// The question.
    pub ask: Ask,
}

/// What is known about something that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known<T> {
    /// It is asked for.
    Pending,
    /// It is not there.
    Absent,
    /// It cannot be looked at.
    Denied,
    /// It is this.
    Is(T),
}

impl<T> Known<T> {
    pub(crate) fn value(self) -> Option<T> {
        match self {
            Self::Is(value) => Some(value),
            _ => None,
        }
    }
}

/// What a peer said on its HTTP port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard<'f> {
    Refused,
    Timeout,
    Open,
    Http { status: u16, body: &'f str },
}

/// The processes in the form they were given in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ProcessList<'f> {
    Ps(&'f str),
    Cim(&'f str),
    Argv(&'f [ArgvProcess]),
}

/// The facts of a step, and the questions that came up in it.
pub(crate) struct Look<'f> {
    facts: &'f Facts,
    /// Questions whose answers lead to addresses: no address is asked before these are known, so
    /// that silent ports cost their time once.
    pub(crate) first: BTreeSet<Ask>,
    /// All others.
    pub(crate) wanted: BTreeSet<Ask>,
    pub(crate) unfit: Option<UnfitAnswer>,
}

impl<'f> Look<'f> {
    pub(crate) fn new(facts: &'f Facts) -> Self {
        Self {
            facts,
            first: BTreeSet::new(),
            wanted: BTreeSet::new(),
            unfit: None,
        }
    }

    fn get<T>(
        &mut self,
        ask: Ask,
        read: impl FnOnce(&'f Answer) -> Option<Known<T>>,
        leads: bool,
    ) -> Known<T> {
        let facts = self.facts;
        let Some(answer) = facts.get(&ask) else {
            match leads {
                true => self.first.insert(ask),
                false => self.wanted.insert(ask),
            };
            return Known::Pending;
        };
        let known = match answer {
            Answer::Absent => Some(Known::Absent),
            Answer::Denied => Some(Known::Denied),
            other => read(other),
        };
        known.unwrap_or_else(|| {
            self.unfit.get_or_insert(UnfitAnswer { ask });
            Known::Absent
        })
    }

    pub(crate) fn text(&mut self, path: &str, leads: bool) -> Known<&'f str> {
        let ask = Ask::ReadText {
            path: path.to_owned(),
        };
        self.get(ask, as_text, leads)
    }

    pub(crate) fn dirs(&mut self, path: &str, leads: bool) -> Known<Vec<&'f str>> {
        let ask = Ask::ListDirs {
            path: path.to_owned(),
        };
        self.get(ask, as_names, leads)
    }

    pub(crate) fn canonical(&mut self, path: &str, leads: bool) -> Known<&'f str> {
        let ask = Ask::Canonical {
            path: path.to_owned(),
        };
        self.get(ask, as_path, leads)
    }

    pub(crate) fn exists(&mut self, path: &str) -> Known<()> {
        let ask = Ask::Exists {
            path: path.to_owned(),
        };
        match self.get(ask, as_path, false) {
            Known::Is(_) => Known::Is(()),
            Known::Pending => Known::Pending,
            Known::Absent => Known::Absent,
            Known::Denied => Known::Denied,
        }
    }

    pub(crate) fn which(&mut self, name: &str) -> Known<&'f str> {
        let ask = Ask::Which {
            name: name.to_owned(),
        };
        self.get(ask, as_path, false)
    }

    pub(crate) fn registry_keys(&mut self, key: &str) -> Known<Vec<&'f str>> {
        let ask = Ask::RegistryKeys {
            key: key.to_owned(),
        };
        self.get(ask, as_names, false)
    }

    pub(crate) fn registry_value(&mut self, key: &str) -> Known<&'f str> {
        let ask = Ask::RegistryValue {
            key: key.to_owned(),
        };
        self.get(ask, as_text, false)
    }

    pub(crate) fn package_version(&mut self, kind: &str, name: &str) -> Known<&'f str> {
        let ask = Ask::PackageVersion {
            kind: kind.to_owned(),
            name: name.to_owned(),
        };
        self.get(ask, as_text, false)
    }

    pub(crate) fn bundles(&mut self) -> Known<&'f [Bundle]> {
        let read = |answer: &'f Answer| match answer {
            Answer::Bundles { bundles } => Some(Known::Is(bundles.as_slice())),
            _ => None,
        };
        self.get(Ask::Bundles, read, false)
    }

    pub(crate) fn processes(&mut self) -> Known<ProcessList<'f>> {
        let read = |answer: &'f Answer| {
            Some(Known::Is(match answer {
                Answer::Ps { text } => ProcessList::Ps(text),
                Answer::Cim { text } => ProcessList::Cim(text),
                Answer::Argv { processes } => ProcessList::Argv(processes),
                _ => return None,
            }))
        };
        self.get(Ask::Processes, read, true)
    }

    /// `/json/version`; nothing while it is asked for.
    pub(crate) fn version(&mut self, address: &Address) -> Option<Heard<'f>> {
        self.heard(Ask::Version(address.clone()))
    }

    /// `/json/list`; nothing while it is asked for.
    pub(crate) fn list(&mut self, address: &Address) -> Option<Heard<'f>> {
        self.heard(Ask::List(address.clone()))
    }

    fn heard(&mut self, ask: Ask) -> Option<Heard<'f>> {
        let read = |answer: &'f Answer| {
            Some(Known::Is(match answer {
                Answer::Refused => Heard::Refused,
                Answer::Timeout => Heard::Timeout,
                Answer::Open => Heard::Open,
                Answer::Http { status, body } => Heard::Http {
                    status: *status,
                    body,
                },
                _ => return None,
            }))
        };
        match self.get(ask, read, false) {
            Known::Pending => None,
            Known::Is(heard) => Some(heard),
            // Whoever cannot reach a port at all may say so.
            Known::Absent | Known::Denied => Some(Heard::Refused),
        }
    }
}

fn as_text(answer: &Answer) -> Option<Known<&str>> {
    match answer {
        Answer::Text { text } => Some(Known::Is(text)),
        _ => None,
    }
}

fn as_path(answer: &Answer) -> Option<Known<&str>> {
    match answer {
        Answer::Path { path } => Some(Known::Is(path)),
        _ => None,
    }
}

/// Names in one order, whatever order they came in.
fn as_names(answer: &Answer) -> Option<Known<Vec<&str>>> {
    match answer {
        Answer::Names { names } => {
            let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
            names.sort_unstable();
            names.dedup();
            Some(Known::Is(names))
        }
        _ => None,
    }
}
