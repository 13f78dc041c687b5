//! The command lines of the lock: what a list shows of a thousand commands, and no more.
//!
//! Columns, examples and files are most of a lock. A list does not show them, so they are skipped
//! instead of read into memory; whatever opens a plugin reads and judges everything.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use sr_policy::command::{Access, ArgKind, Command};
use sr_policy::json::{self, JsonRules, UniqueMap};

use crate::digest::Sha256Hex;
use crate::lock::Lock;
use crate::lock_file::{FILE, FIRST_VERSION, LockError, VERSION, parse_lock};
use crate::manifest::AccessClass;
use crate::name::PluginName;

/// One command as a list shows it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CommandLine {
    /// Its name.
    pub name: String,
    /// Read or write.
    pub access: Access,
    /// Its arguments in order.
    #[serde(default)]
    pub args: Vec<ArgLine>,
    /// One line.
    pub summary: String,
}

/// One argument as a list shows it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ArgLine {
    /// Its name.
    pub name: String,
    /// What it accepts.
    pub kind: ArgKind,
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    version: u64,
    plugins: UniqueMap<Entry>,
}

/// Every key of an entry, so that one too many, one missing and one given twice are noticed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be judged, not to be used")]
struct Entry {
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
    commands: Vec<CommandLine>,
}

/// By plugin, in the order of their names.
pub(crate) type CommandLines = Vec<(PluginName, Vec<CommandLine>)>;

/// Reads a lock's command lines. Whatever is odd about the text is left to the whole parser, so
/// that a broken lock has one verdict and one message.
pub(crate) fn parse(
    path: &Path,
    bytes: &[u8],
    rules: &JsonRules,
) -> Result<CommandLines, LockError> {
    let lean = json::parse_unique::<Text>(FILE, bytes, rules).ok();
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
        None => Ok(of(parse_lock(path, bytes)?)),
    }
}

fn of(lock: Lock) -> CommandLines {
    let entries = lock.into_entries().into_iter();
    entries
        .map(|(name, entry)| (name, entry.commands.into_iter().map(line).collect()))
        .collect()
}

fn line(command: Command) -> CommandLine {
    let args = command.args.into_iter().map(|arg| ArgLine {
        name: arg.name,
        kind: arg.kind,
        positional: arg.positional,
        required: arg.required,
        many: arg.many,
    });
    CommandLine {
        name: command.name,
        access: command.access,
        args: args.collect(),
        summary: command.summary,
    }
}
