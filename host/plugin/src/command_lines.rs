//! The command lines of the lock: what a list shows of a thousand commands, and no more.
//!
//! Columns, examples and files are most of a lock. A list does not show them, so they are skipped
//! instead of read into memory; whatever opens a plugin reads and judges everything.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::de::{EnumAccess, IgnoredAny, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer};
use sr_policy::command::{Access, ArgType, Command};
use sr_policy::json::{self, JsonRules, UniqueMap};

use crate::digest::Sha256Hex;
use crate::lock::Lock;
use crate::lock_file::{FILE, FIRST_VERSION, LockError, VERSION, parse_lock};
use crate::manifest::AccessClass;
use crate::name::PluginName;

/// One command as a list shows it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CommandLine<'l> {
    /// Its name.
    #[serde(borrow)]
    pub name: Cow<'l, str>,
    /// Read or write.
    pub access: Access,
    /// Its arguments in order.
    #[serde(default, borrow)]
    pub args: Vec<ArgLine<'l>>,
    /// One line.
    #[serde(borrow)]
    pub summary: Cow<'l, str>,
}

/// One argument as a list shows it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ArgLine<'l> {
    /// Its name.
    #[serde(borrow)]
    pub name: Cow<'l, str>,
    /// What it accepts.
    #[serde(deserialize_with = "arg_type")]
    pub kind: ArgType,
    /// By place instead of by name.
    #[serde(default)]
    pub positional: bool,
    /// Refused without it.
    #[serde(default)]
    pub required: bool,
    /// May be given more than once.
    #[serde(default)]
    pub many: bool,
}

/// A lock that was read for its command lines.
#[derive(Debug)]
pub struct CommandIndex {
    path: PathBuf,
    bytes: Vec<u8>,
    rules: JsonRules,
}

/// By plugin, in the order of their names.
pub type CommandLines<'l> = Vec<(PluginName, Vec<CommandLine<'l>>)>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text<'l> {
    version: u64,
    #[serde(borrow)]
    plugins: UniqueMap<Entry<'l>>,
}

/// Every key of an entry, so that one too many, one missing and one given twice are noticed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be judged, not to be used")]
struct Entry<'l> {
    hash: Sha256Hex,
    component_hash: Sha256Hex,
    files: IgnoredAny,
    source: IgnoredAny,
    installed_at: i64,
    version: String,
    #[serde(default)]
    description: String,
    world: String,
    #[serde(default)]
    access: AccessClass,
    grants: IgnoredAny,
    #[serde(borrow)]
    commands: Vec<CommandLine<'l>>,
}

impl CommandIndex {
    pub(crate) fn new(path: PathBuf, bytes: Vec<u8>, rules: JsonRules) -> Self {
        Self { path, bytes, rules }
    }

    /// The command lines. Whatever is odd about the text is left to the whole parser, so that a
    /// broken lock has one verdict and one message.
    ///
    /// # Errors
    /// A lock that cannot be used, each kind with its own message.
    pub fn lines(&self) -> Result<CommandLines<'_>, LockError> {
        let lean = json::parse_unique::<Text<'_>>(FILE, &self.bytes, &self.rules).ok();
        let lean = lean
            .filter(|text| (FIRST_VERSION..=VERSION).contains(&text.version))
            .and_then(|text| {
                let entries = text.plugins.into_iter();
                entries
                    .map(|(name, entry)| Some((name.parse().ok()?, entry.commands)))
                    .collect()
            });
        match lean {
            Some(lines) => Ok(lines),
            None => Ok(of(parse_lock(&self.path, &self.bytes)?)),
        }
    }
}

fn of(lock: Lock) -> CommandLines<'static> {
    let entries = lock.into_entries().into_iter();
    entries
        .map(|(name, entry)| (name, entry.commands.into_iter().map(line).collect()))
        .collect()
}

fn line(command: Command) -> CommandLine<'static> {
    let args = command.args.into_iter().map(|arg| ArgLine {
        kind: ArgType::from(&arg.kind),
        name: arg.name.into(),
        positional: arg.positional,
        required: arg.required,
        many: arg.many,
    });
    CommandLine {
        args: args.collect(),
        name: command.name.into(),
        access: command.access,
        summary: command.summary.into(),
    }
}

/// Reads the name of a kind and passes over its bounds or words.
fn arg_type<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ArgType, D::Error> {
    struct Kind;
    impl<'de> Visitor<'de> for Kind {
        type Value = ArgType;

        fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            out.write_str("a kind of argument")
        }

        fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<ArgType, A::Error> {
            let (kind, rest) = access.variant::<ArgType>()?;
            match kind {
                ArgType::Int | ArgType::Choice => {
                    rest.newtype_variant::<IgnoredAny>()?;
                }
                _ => rest.unit_variant()?,
            }
            Ok(kind)
        }
    }
    deserializer.deserialize_enum("ArgKind", &[], Kind)
}
