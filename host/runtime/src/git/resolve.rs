//! From what was asked for to one commit, by one look at the server's list of references.

use sr_plugin::{GitAddress, GitReference, ObjectId, RefName};

use super::fault::GitFault;

/// One object of the server, and what it must turn out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// What is asked of the server: for an annotated tag the tag itself, because every server
    /// gives out what its list names.
    pub(crate) wanted: ObjectId,
    /// The commit.
    pub(crate) commit: ObjectId,
    /// The branch or tag in full; none for the default branch and a commit.
    pub(crate) full_ref: Option<RefName>,
}

/// The question to the server; none when the commit itself was named.
pub(crate) enum Question {
    Commit(ObjectId),
    Default,
    Names(Vec<RefName>),
}

impl Question {
    /// A plugin that is installed keeps to the branch or tag that it came from, also when there is
    /// by now one of the other kind with the same name.
    pub(crate) fn about(address: &GitAddress, known: Option<&RefName>) -> Self {
        match (address.reference(), known) {
            (Some(GitReference::Commit(id)), _) => Self::Commit(id.clone()),
            (_, Some(known)) => Self::Names(vec![known.clone()]),
            (Some(GitReference::Name(name)), None) => Self::Names(name.meanings()),
            (None, None) => Self::Default,
        }
    }

    /// The patterns for `git ls-remote`.
    pub(crate) fn patterns(&self) -> Vec<String> {
        match self {
            Self::Commit(_) => vec![],
            Self::Default => vec!["HEAD".to_owned()],
            Self::Names(names) => names
                .iter()
                .flat_map(|name| [name.to_string(), peeled(name)])
                .collect(),
        }
    }

    /// Reads the answer.
    pub(crate) fn answered(self, address: &GitAddress, list: &[u8]) -> Result<Resolved, GitFault> {
        let url = || address.url().to_string();
        let names = match self {
            Self::Commit(id) => {
                return Ok(Resolved {
                    wanted: id.clone(),
                    commit: id,
                    full_ref: None,
                });
            }
            Self::Default => {
                let head = find(list, "HEAD")?.ok_or_else(|| GitFault::NoDefault { url: url() })?;
                return Ok(Resolved {
                    wanted: head.clone(),
                    commit: head,
                    full_ref: None,
                });
            }
            Self::Names(names) => names,
        };
        let asked = match address.reference() {
            Some(GitReference::Name(asked)) => asked,
            _ => return Err(GitFault::NoDefault { url: url() }),
        };
        let mut found = Vec::new();
        for name in names {
            if let Some(wanted) = find(list, name.as_str())? {
                let commit = find(list, &peeled(&name))?.unwrap_or_else(|| wanted.clone());
                found.push(Resolved {
                    wanted,
                    commit,
                    full_ref: Some(name),
                });
            }
        }
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one),
            (None, _) if asked.looks_like_a_commit() => Err(GitFault::ShortCommit {
                name: asked.clone(),
            }),
            (None, _) => Err(GitFault::NoReference {
                url: url(),
                name: asked.clone(),
            }),
            (Some(_), Some(_)) => Err(GitFault::Ambiguous {
                url: url(),
                name: asked.clone(),
            }),
        }
    }
}

/// How the list names what an annotated tag leads to.
fn peeled(name: &RefName) -> String {
    format!("{name}^{{}}")
}

/// The object of exactly this name: a pattern matches the ends of other names too.
fn find(list: &[u8], name: &str) -> Result<Option<ObjectId>, GitFault> {
    let odd = || GitFault::Answer {
        command: "ls-remote",
        reason: "a line is not an object id and a name".to_owned(),
    };
    let text = str::from_utf8(list).map_err(|_| odd())?;
    for line in text.lines() {
        let (id, found) = line.split_once('\t').ok_or_else(odd)?;
        if found == name {
            return Ok(Some(id.parse().map_err(|_| odd())?));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "1111111111111111111111111111111111111111";
    const TWO: &str = "2222222222222222222222222222222222222222";

    fn answered(reference: &str, lines: &[(&str, &str)]) -> Result<Resolved, GitFault> {
        let address: GitAddress = format!("git+https://x.test/r.git{reference}")
            .parse()
            .unwrap();
        let list: String = lines
            .iter()
            .map(|(id, name)| format!("{id}\t{name}\n"))
            .collect();
        Question::about(&address, None).answered(&address, list.as_bytes())
    }

    #[test]
    fn an_annotated_tag_is_asked_for_and_its_commit_expected() {
        let lines = [(ONE, "refs/tags/v1"), (TWO, "refs/tags/v1^{}")];
        let resolved = answered("#v1", &lines).unwrap();
        assert_eq!(
            (resolved.wanted.as_str(), resolved.commit.as_str()),
            (ONE, TWO)
        );
        assert_eq!(resolved.full_ref.unwrap().as_str(), "refs/tags/v1");
    }

    #[test]
    fn a_name_that_only_ends_alike_is_not_taken() {
        let other = answered("#v1", &[(ONE, "refs/heads/evil/refs/tags/v1")]);
        assert!(
            matches!(other, Err(GitFault::NoReference { .. })),
            "{other:?}"
        );
        let other = answered("", &[(ONE, "refs/remotes/x/HEAD")]);
        assert!(
            matches!(other, Err(GitFault::NoDefault { .. })),
            "{other:?}"
        );
    }

    #[test]
    fn a_name_of_two_things_is_ambiguous_until_it_is_written_in_full() {
        let lines = [(ONE, "refs/heads/v1"), (TWO, "refs/tags/v1")];
        let both = answered("#v1", &lines);
        assert!(matches!(both, Err(GitFault::Ambiguous { .. })), "{both:?}");
        assert_eq!(
            answered("#refs/tags/v1", &lines).unwrap().commit.as_str(),
            TWO
        );
    }

    #[test]
    fn a_short_id_is_a_branch_or_nothing() {
        let short = answered("#1111111", &[]);
        assert!(
            matches!(short, Err(GitFault::ShortCommit { .. })),
            "{short:?}"
        );
        assert!(answered("#1111111", &[(ONE, "refs/heads/1111111")]).is_ok());
        assert_eq!(
            answered(&format!("#{ONE}"), &[]).unwrap().commit.as_str(),
            ONE
        );
    }

    #[test]
    fn a_list_that_is_none_is_refused() {
        let odd = answered("#v1", &[("not-an-id", "refs/tags/v1")]);
        assert!(matches!(odd, Err(GitFault::Answer { .. })), "{odd:?}");
    }
}
