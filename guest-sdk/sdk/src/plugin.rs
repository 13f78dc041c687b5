//! Dispatch by name, for the component's exports and for native tests.

use crate::arguments::Arguments;
use crate::bindings::exports::sr::runtime::plugin::{GuestPrepared, Plan};
use crate::bindings::sr::runtime::types::Invalid;
use crate::output::PreparedWrite;
use crate::spec::{CommandSpec, Entry};
use crate::text::joined;
use crate::{Call, Command, Failure, Output, Result};

/// The commands of a plugin.
#[derive(Debug, Clone, Copy)]
pub struct Plugin {
    commands: &'static [&'static CommandSpec],
}

impl Plugin {
    /// `plugin!` calls this.
    #[must_use]
    pub const fn new(commands: &'static [&'static CommandSpec]) -> Self {
        Self { commands }
    }

    /// The commands as the host reads them.
    #[must_use]
    pub fn commands(&self) -> Vec<Command> {
        self.commands
            .iter()
            .map(|command| command.to_wit())
            .collect()
    }

    /// Whether any command changes something.
    #[must_use]
    pub const fn has_writes(&self) -> bool {
        let mut rest = self.commands;
        while let Some((command, others)) = rest.split_first() {
            if let Entry::Write(_) = command.entry {
                return true;
            }
            rest = others;
        }
        false
    }

    /// Runs a read command.
    ///
    /// # Errors
    /// `invalid` for an unknown name, a write command or wrong arguments; the command's own.
    pub fn run(&self, call: Call) -> Result<Output> {
        let command = self.find(&call.command).map_err(Failure::Invalid)?;
        let Entry::Read(entry) = command.entry else {
            return Err(Failure::Invalid(refused(&[
                command.name,
                " changes something: it is prepared, then committed",
            ])));
        };
        entry(&mut Arguments::new(command.args, call))
    }

    /// Prepares a write command.
    ///
    /// # Errors
    /// `invalid` for an unknown name, a read command or wrong arguments; the command's own.
    pub fn prepare(&self, call: Call) -> Result<PreparedWrite> {
        let command = self.find(&call.command).map_err(Failure::Invalid)?;
        let Entry::Write(entry) = command.entry else {
            return Err(Failure::Invalid(only_reads(command)));
        };
        entry(&mut Arguments::new(command.args, call))
    }

    fn find(&self, name: &str) -> Result<&'static CommandSpec, Invalid> {
        let mut commands = self.commands.iter();
        let found = commands.find(|command| command.name == name);
        found
            .copied()
            .ok_or_else(|| refused(&["no command ", name]))
    }
}

fn only_reads(command: &CommandSpec) -> Invalid {
    refused(&[command.name, " only reads: there is nothing to prepare"])
}

fn refused(reason: &[&str]) -> Invalid {
    Invalid {
        name: "command".to_owned(),
        reason: joined(reason),
    }
}

/// How a component prepares writes. One that has none is spared the code that hands them over.
pub trait PrepareWrites {
    /// What the host holds until the commit.
    type Prepared: GuestPrepared;

    /// Prepares a write command.
    ///
    /// # Errors
    /// As [`Plugin::prepare`].
    fn prepare(plugin: &Plugin, call: Call) -> Result<Self::Prepared>;
}

/// `plugin!` chooses the implementation by [`Plugin::has_writes`].
#[derive(Debug)]
pub struct Writes<const ANY: bool>;

impl PrepareWrites for Writes<true> {
    type Prepared = PreparedWrite;

    fn prepare(plugin: &Plugin, call: Call) -> Result<PreparedWrite> {
        plugin.prepare(call)
    }
}

impl PrepareWrites for Writes<false> {
    type Prepared = NoWrite;

    fn prepare(plugin: &Plugin, call: Call) -> Result<NoWrite> {
        let found = plugin.find(&call.command);
        Err(Failure::Invalid(
            found.map_or_else(|unknown| unknown, only_reads),
        ))
    }
}

/// A write of a plugin that has none: there is no such value.
#[derive(Debug)]
pub enum NoWrite {}

impl GuestPrepared for NoWrite {
    fn plan(&self) -> Plan {
        match *self {}
    }

    fn commit(&self) -> Result<Output> {
        match *self {}
    }
}
