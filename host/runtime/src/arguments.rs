//! From words on a command line to the cells a component gets.

use std::path::{Path, PathBuf};

use sr_policy::command::{Arg, ArgKind, Call, Command};
use sr_policy::command_rules::{read_word, settled};
use sr_policy::value::{Cell, Named};

/// Bytes a `content` argument may hold: it travels in one call, under the hostcall limit.
const CONTENT_BYTES: u64 = 4 * 1024 * 1024;

/// Values of one argument as typed; a flag has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// The argument's declared name.
    pub name: String,
    /// The words, in order.
    pub values: Vec<String>,
}

/// Why a word is not acceptable.
#[derive(Debug, thiserror::Error)]
pub enum ArgumentError {
    /// The word does not fit the argument's kind.
    #[error("{name}: {reason}: {value}")]
    Value {
        /// The argument.
        name: String,
        /// Why.
        reason: String,
        /// The word.
        value: String,
    },
    /// A required argument is missing.
    #[error("{name}: required and not given")]
    Missing {
        /// The argument.
        name: String,
    },
    /// A file for a `content` argument cannot be read.
    #[error("{name}: {}: {source}", .path.display())]
    Content {
        /// The argument.
        name: String,
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Applies kinds, spans, choices and defaults. The component never sees the command line.
///
/// # Errors
/// The first word that does not fit, by argument name.
pub fn call(command: &Command, typed: &[Typed]) -> Result<Call, ArgumentError> {
    let mut args = Vec::with_capacity(command.args.len());
    let mut given = Vec::with_capacity(typed.len());
    for arg in &command.args {
        let name = arg.name.clone();
        match typed.iter().find(|typed| typed.name == arg.name) {
            Some(typed) => {
                given.push(name.clone());
                if arg.kind == ArgKind::Flag {
                    args.push(Named {
                        name,
                        value: Cell::Flag(true),
                    });
                    continue;
                }
                for value in &typed.values {
                    let value = coerce(arg, value)?;
                    args.push(Named {
                        name: name.clone(),
                        value,
                    });
                }
            }
            None if arg.required => return Err(ArgumentError::Missing { name: label(arg) }),
            None => match &arg.default {
                Some(value) => {
                    let value = settled(&arg.kind, value.clone());
                    args.push(Named { name, value });
                }
                None if arg.kind == ArgKind::Flag => {
                    args.push(Named {
                        name,
                        value: Cell::Flag(false),
                    });
                }
                None => {}
            },
        }
    }
    Ok(Call {
        command: command.name.clone(),
        args,
        given,
    })
}

/// The argument as a person types it: `--limit`, or `QUERY` for one by place.
fn label(arg: &Arg) -> String {
    match arg.positional {
        true => arg.name.to_uppercase(),
        false => format!("--{}", arg.name),
    }
}

/// One word as a cell of the argument's kind.
///
/// # Errors
/// [`ArgumentError::Value`] or [`ArgumentError::Content`].
pub(crate) fn coerce(arg: &Arg, word: &str) -> Result<Cell, ArgumentError> {
    if arg.kind == ArgKind::Content {
        return content(arg, word);
    }
    read_word(&arg.kind, word).map_err(|reason| ArgumentError::Value {
        name: label(arg),
        reason,
        value: word.to_owned(),
    })
}

/// `-` is standard input, `@file` or a path is a file; the component gets the text only.
fn content(arg: &Arg, word: &str) -> Result<Cell, ArgumentError> {
    use std::io::Read;
    let (path, reader): (PathBuf, Box<dyn Read>) = if word == "-" {
        ("standard input".into(), Box::new(std::io::stdin()))
    } else {
        let path = Path::new(word.strip_prefix('@').unwrap_or(word)).to_owned();
        match std::fs::File::open(&path) {
            Ok(file) => (path, Box::new(file)),
            Err(source) => {
                return Err(ArgumentError::Content {
                    name: label(arg),
                    path,
                    source,
                });
            }
        }
    };
    let failed = |source| ArgumentError::Content {
        name: label(arg),
        path,
        source,
    };
    let mut text = String::new();
    let read = reader.take(CONTENT_BYTES + 1).read_to_string(&mut text);
    match read {
        Err(source) => Err(failed(source)),
        Ok(bytes) if bytes as u64 > CONTENT_BYTES => Err(failed(std::io::Error::other(format!(
            "more than {CONTENT_BYTES} bytes"
        )))),
        Ok(_) => Ok(Cell::Text(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arg(kind: ArgKind) -> Arg {
        Arg {
            name: "x".into(),
            kind,
            short: None,
            positional: false,
            required: false,
            many: false,
            default: None,
            help: String::new(),
            notes: vec![],
        }
    }

    #[test]
    fn words_become_cells_of_the_declared_kind() {
        let int = arg(ArgKind::Int {
            min: Some(1),
            max: Some(100),
        });
        assert_eq!(coerce(&int, "100").unwrap(), Cell::Int(100));
        assert_eq!(
            coerce(&int, "101").unwrap_err().to_string(),
            "--x: not from 1 to 100: 101"
        );
        assert!(coerce(&int, "1e2").is_err());
        assert_eq!(
            coerce(&arg(ArgKind::Date), "1970-01-02").unwrap(),
            Cell::Time(86_400_000)
        );
        assert_eq!(
            coerce(&arg(ArgKind::Date), "1970-01-01T01:00:00.5+01:00").unwrap(),
            Cell::Time(500)
        );
        assert!(coerce(&arg(ArgKind::Date), "yesterday").is_err());
        assert!(coerce(&arg(ArgKind::Float), "NaN").is_err());
        assert!(coerce(&arg(ArgKind::Json), "{").is_err());
        assert!(coerce(&arg(ArgKind::Url), "javascript:alert(1)").is_err());
        let choice = arg(ArgKind::Choice(vec!["a".into(), "b".into()]));
        assert!(coerce(&choice, "c").is_err());
    }
}
