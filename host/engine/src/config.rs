//! The one engine configuration. Compiling and running share it, so a stored entry can only
//! have been made for the engine that reads it.

use wasmtime::{Config, Engine, OptLevel, Strategy};

use crate::EngineError;
use crate::limits::constants::{ASYNC_STACK_BYTES, WASM_STACK_BYTES};

/// The engine of this process.
///
/// # Errors
/// [`EngineError::Configuration`] when this processor cannot run it.
pub fn engine() -> Result<Engine, EngineError> {
    Engine::new(&config()).map_err(EngineError::Configuration)
}

fn config() -> Config {
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .cranelift_opt_level(OptLevel::Speed)
        .wasm_component_model(true)
        // Set even though the feature is not compiled in: another crate could switch it on,
        // and plain calls then become many times slower.
        .concurrency_support(false)
        .epoch_interruption(true)
        .consume_fuel(false)
        .max_wasm_stack(WASM_STACK_BYTES)
        .async_stack_size(ASYNC_STACK_BYTES)
        // A quarter of the compiled size; guests carry no names to map addresses to.
        .generate_address_map(false)
        .native_unwind_info(false)
        .memory_init_cow(true);
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_starts_with_concurrency_support_off() {
        let engine = engine().unwrap();
        // A component that needs async support is refused by this engine.
        let text = r#"(component (import "f" (func async)))"#;
        assert!(wasmtime::component::Component::new(&engine, text).is_err());
    }
}
