//! What can go wrong between a component file and code that runs.

use std::path::PathBuf;

/// Why a component cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// This processor or system cannot run the engine.
    #[error("the WebAssembly engine does not start: {0}")]
    Configuration(wasmtime::Error),
    /// The bytes are not a valid component.
    #[error("not a valid WebAssembly component: {reason}")]
    Invalid {
        /// What the validator says, with the offset.
        reason: String,
    },
    /// A core module, not a component.
    #[error("a core WebAssembly module, not a component: build for the target wasm32-wasip2")]
    CoreModule,
    /// Larger than a component may be.
    #[error("component of {bytes} bytes, limit {limit}")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// Imports what the runtime does not offer.
    #[error("the component imports what the sandbox does not offer: {}", offers(.names))]
    ImportNotOffered {
        /// Each instance or function by name.
        names: Vec<String>,
    },
    /// Built for a WIT version this host does not have.
    #[error("the component is built for sr:runtime@{found}, this host has {offered}")]
    Version {
        /// The component's version.
        found: String,
        /// The versions offered here.
        offered: &'static str,
    },
    /// Lacks the export of the world.
    #[error(
        "the component does not export sr:runtime/plugin: it is not built for the world adapter"
    )]
    NoPlugin,
    /// Compiling failed.
    #[error("the component does not compile: {0}")]
    Compile(wasmtime::Error),
    /// The compiler refused it, in its words.
    #[error("the component does not compile: {reason}")]
    NotCompiled {
        /// What the compiler said.
        reason: String,
    },
    /// The compiler needs more memory for it than it gets.
    #[error("the component needs more than {limit} bytes of memory to compile")]
    CompileMemory {
        /// The limit.
        limit: u64,
    },
    /// The compiler's process does not start, or cannot be talked to.
    #[error("the compiler's process fails: {0}")]
    CompilerProcess(std::io::Error),
    /// No thread to compile on.
    #[error("no thread to compile on: {0}")]
    CompileThread(std::io::Error),
    /// Compiling took too long and was given up.
    #[error("the component takes longer than {limit_ms} ms to compile")]
    CompileTooLong {
        /// The limit.
        limit_ms: u64,
    },
    /// The compiler panicked on it.
    #[error("the component breaks the compiler")]
    CompilePanicked,
    /// Components inside components inside components.
    #[error("components and modules are more than {limit} deep inside each other")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// A function that would take the compiler's time and memory.
    #[error(
        "a function of the component is too complex: {bytes} bytes of code with {locals} locals, limits: {most_bytes} bytes, {limit} for their product"
    )]
    TooComplex {
        /// Bytes of its body.
        bytes: usize,
        /// Its locals.
        locals: u64,
        /// The limit of the body.
        most_bytes: usize,
        /// The limit of the product.
        limit: u64,
    },
    /// A file of the store.
    #[error("{}: {source}", .path.display())]
    Store {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The store's folder belongs to someone else or is open to others.
    #[error("{}: {reason}", .path.display())]
    StoreUnsafe {
        /// Which folder.
        path: PathBuf,
        /// Why it is not used.
        reason: String,
    },
}

/// Each refused import with the version that is offered in its place.
fn offers(names: &[String]) -> String {
    let offers: Vec<String> = names
        .iter()
        .map(|name| format!("{name} ({})", crate::inspect::offered_for(name)))
        .collect();
    offers.join(", ")
}
