//! The host, as the rest of the crate sees it: the component's imports, or in a native build
//! whatever a test kit installed. Functions a component does not call are not in it.

#[cfg(target_family = "wasm")]
mod component;
#[cfg(not(target_family = "wasm"))]
mod native;

#[cfg(target_family = "wasm")]
pub(crate) use component::*;
#[cfg(not(target_family = "wasm"))]
pub(crate) use native::calls::*;
#[cfg(not(target_family = "wasm"))]
pub use native::{Host, Installed, install};
