//! The clock behind epoch deadlines: a plain thread, so that a guest that never yields cannot
//! stop it the way it could stop a timer of the async runtime.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wasmtime::Engine;

use crate::limits::constants::TICK_MS;

/// Ticks an engine's epoch every [`TICK_MS`] milliseconds until dropped.
#[derive(Debug)]
pub struct Ticker {
    stop: Arc<AtomicBool>,
}

impl Ticker {
    /// Starts the thread. It holds the engine weakly and ends by itself.
    ///
    /// # Errors
    /// The operating system's when no thread can be started; without ticks no guest may run.
    pub fn start(engine: &Engine) -> std::io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let engine = engine.weak();
        std::thread::Builder::new()
            .name("epoch".into())
            .stack_size(64 * 1024)
            .spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(TICK_MS));
                    match engine.upgrade() {
                        Some(engine) => engine.increment_epoch(),
                        None => break,
                    }
                }
            })?;
        Ok(Self { stop })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
