//! The commands of a component that is not installed.

use sr_engine::{Compiler, Loaded};
use sr_policy::command::Command;

use crate::fault::Fault;
use crate::runtime::{Machine, block_on};

/// A component that was compiled in memory and asked for its commands.
pub(crate) struct Described {
    pub(crate) commands: Vec<Command>,
    pub(crate) loaded: Loaded,
}

pub(crate) fn describe(machine: &Machine, component: &[u8]) -> Result<Described, Fault> {
    let loaded = Compiler::OwnProgram.in_memory(&machine.engine, component)?;
    let commands = block_on(machine.host.metadata(&loaded.component))??;
    Ok(Described { commands, loaded })
}

/// Compiles a component in memory and asks it for its commands in the sandbox, as `install` does.
/// Nothing is written. For a program whose `main` answers [`sr_engine::COMPILER_WORD`].
///
/// # Errors
/// It does not compile, or its commands cannot be read or break a rule.
pub fn read_commands(component: &[u8]) -> Result<Vec<Command>, Fault> {
    Ok(describe(&Machine::start()?, component)?.commands)
}
