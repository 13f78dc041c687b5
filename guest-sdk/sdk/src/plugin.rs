//! Dispatch by name, for the component's exports and for native tests.

use crate::arguments::Arguments;
use crate::output::PreparedWrite;
use crate::spec::{CommandSpec, Entry};
use crate::text::joined;
use crate::{Call, Command, Output, Result, failure};

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

    /// Runs a read command.
    ///
    /// # Errors
    /// `invalid` for an unknown name, a write command or wrong arguments; the command's own.
    pub fn run(&self, call: Call) -> Result<Output> {
        let command = self.find(&call.command)?;
        let Entry::Read(entry) = command.entry else {
            return Err(failure::invalid(
                "command",
                joined(&[
                    command.name,
                    " changes something: it is prepared, then committed",
                ]),
            ));
        };
        entry(&mut Arguments::new(command.args, call))
    }

    /// Prepares a write command.
    ///
    /// # Errors
    /// `invalid` for an unknown name, a read command or wrong arguments; the command's own.
    pub fn prepare(&self, call: Call) -> Result<PreparedWrite> {
        let command = self.find(&call.command)?;
        let Entry::Write(entry) = command.entry else {
            return Err(failure::invalid(
                "command",
                joined(&[command.name, " only reads: there is nothing to prepare"]),
            ));
        };
        entry(&mut Arguments::new(command.args, call))
    }

    fn find(&self, name: &str) -> Result<&'static CommandSpec> {
        let mut commands = self.commands.iter();
        let found = commands.find(|command| command.name == name);
        found
            .copied()
            .ok_or_else(|| failure::invalid("command", joined(&["no command ", name])))
    }
}
