//! What a component may use. Each number says what a guest could do without it.

use wasmtime::ResourceLimiter;

/// The numbers. Units are in the names.
pub mod constants {
    /// Without it one plugin could take all memory of the machine.
    pub const MEMORY_BYTES: usize = 128 * 1024 * 1024;
    /// Without it a table of function references grows until memory is gone.
    pub const TABLE_ENTRIES: usize = 10_000;
    /// Core instances, memories and tables of one component: a generated component could hold
    /// a hundred thousand and spend the start-up on them.
    pub const INSTANCES: usize = 64;
    /// Memories of one component; each may grow to [`MEMORY_BYTES`] together.
    pub const MEMORIES: usize = 8;
    /// Tables of one component.
    pub const TABLES: usize = 64;
    /// Bytes handed to the host in one call. Without it a guest passes a 2 GiB string and the
    /// host copies it. More than this traps.
    pub const HOSTCALL_BYTES: usize = 20 * 1024 * 1024;
    /// Live handles in the component's own tables; leaking a million costs memory in the host.
    pub const COMPONENT_HANDLES: usize = 10_000;
    /// Entries of the host's resource table (streams, pollables).
    pub const HOST_RESOURCES: usize = 10_000;
    /// Bytes one `get-random-bytes` may ask for.
    pub const RANDOM_BYTES: u64 = 64 * 1024;
    /// A component file; compiling is superlinear in hostile cases.
    pub const COMPONENT_BYTES: usize = 16 * 1024 * 1024;
    /// Bytes of one function's code times its locals. The compiler's work grows with both: a
    /// function of 112 KB with 1,000 locals, just over this, took 1.7 s. The largest product in
    /// the plugins and test guests of this repository is 0.3 million.
    pub const FUNCTION_COMPLEXITY: u64 = 100_000_000;
    /// Bytes of one function's code. The compiler's work grows with the square of its blocks:
    /// crafted functions of 385 KB and 1.1 MB took 15 s and 127 s. The largest function in the
    /// plugins and test guests of this repository has 6.4 KB.
    pub const FUNCTION_BYTES: usize = 256 * 1024;
    /// Components and modules inside each other. The compiler's memory grows with the square of
    /// the depth: 20,000 took more than a gigabyte. What tools make is three deep.
    pub const NESTING: usize = 32;
    /// Milliseconds one compilation may take before it is given up.
    pub const COMPILE_MS: u64 = 60_000;
    /// Bytes of memory the compiler may write to. A function of 100 KB whose blocks each pass a
    /// thousand values asks for gigabytes; the components of this repository take 35 MiB.
    pub const COMPILE_MEMORY_BYTES: u64 = 1024 * 1024 * 1024;
    /// Functions compiled at a time: on a machine of many processors the memory would be shared
    /// by as many.
    pub const COMPILE_THREADS: usize = 8;
    /// Bytes of native code of one component. Usual code becomes three times as large as it was;
    /// code made to grow would be held in memory several times.
    pub const COMPILED_BYTES: u64 = 64 * 1024 * 1024;
    /// Stack for guest frames: endless recursion ends here with a trap.
    pub const WASM_STACK_BYTES: usize = 512 * 1024;
    /// Stack of the fiber: guest frames plus the host functions they call.
    pub const ASYNC_STACK_BYTES: usize = 2 * 1024 * 1024;
    /// Milliseconds between two epoch ticks: how late an interrupt may be.
    pub const TICK_MS: u64 = 10;
    /// Milliseconds a guest may compute without a host call that waits. An endless loop ends here.
    pub const COMPUTE_MS: u64 = 10_000;
    /// Milliseconds for a run when the command names none.
    pub const RUN_MS: u32 = 60_000;
    /// The most a command may name.
    pub const RUN_MS_MAX: u32 = 600_000;
    /// Milliseconds an overdue run gets to end by itself.
    pub const GRACE_MS: u64 = 2_000;
    /// Milliseconds a cancelled run gets to end by itself; a person waits for it.
    pub const CANCEL_GRACE_MS: u64 = 300;
    /// Milliseconds for the metadata call, compute and all.
    pub const METADATA_MS: u64 = 2_000;
    /// Bytes of guest stdout and stderr that are kept, each.
    pub const OUTPUT_BYTES: usize = 64 * 1024;
}

/// Enforces memory and tables, and remembers which limit was hit so that the message can say so.
#[derive(Debug, Default)]
pub struct Limiter {
    memory: usize,
    hit: Option<String>,
}

impl Limiter {
    /// The limit that was hit first, in words.
    #[must_use]
    pub fn hit(&self) -> Option<&str> {
        self.hit.as_deref()
    }

    fn refuse(&mut self, what: String) -> bool {
        self.hit.get_or_insert(what);
        false
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        // All memories of the component together: several small ones are no way round.
        let total = self.memory.saturating_sub(current).saturating_add(desired);
        if total > constants::MEMORY_BYTES {
            return Ok(self.refuse(format!("memory limit: {} bytes", constants::MEMORY_BYTES)));
        }
        self.memory = total;
        Ok(true)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if desired > constants::TABLE_ENTRIES {
            return Ok(self.refuse(format!("table limit: {} entries", constants::TABLE_ENTRIES)));
        }
        Ok(true)
    }

    fn instances(&self) -> usize {
        constants::INSTANCES
    }

    fn tables(&self) -> usize {
        constants::TABLES
    }

    fn memories(&self) -> usize {
        constants::MEMORIES
    }
}
