//! What every operation shares: the home, the strict modes, the engine when it is needed.

use sr_capabilities::Host;
use sr_engine::wasmtime::Engine;
use sr_engine::{AotStore, Compiler};
use sr_plugin::Home;

use crate::fault::Fault;

/// The strict modes of the first seed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Strictness {
    /// A plugin without domains is refused instead of warned about.
    pub domains: bool,
    /// A plugin that differs from its lock entry is refused instead of warned about.
    pub integrity: bool,
}

/// The runtime of one process, whose `main` answers [`sr_engine::COMPILER_WORD`].
#[derive(Debug)]
pub struct Runtime {
    pub(crate) home: Home,
    pub(crate) strictness: Strictness,
}

impl Runtime {
    /// A runtime over a person's home. Creates and reads nothing yet.
    #[must_use]
    pub fn new(home: Home, strictness: Strictness) -> Self {
        Self { home, strictness }
    }

    pub(crate) fn store(&self) -> AotStore {
        AotStore::at(self.home.store_path()).compiled_by(Compiler::OwnProgram)
    }
}

/// The engine and its linked functions; made only by operations that touch a component.
pub(crate) struct Machine {
    pub(crate) engine: Engine,
    pub(crate) host: Host,
}

impl Machine {
    pub(crate) fn start() -> Result<Self, Fault> {
        let engine = sr_engine::engine()?;
        let host = Host::new(&engine)?;
        Ok(Self { engine, host })
    }
}

/// A runtime for one operation: a single thread, timers and sockets only.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> Result<T, Fault> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Fault::NoRuntime)?;
    Ok(runtime.block_on(work))
}
