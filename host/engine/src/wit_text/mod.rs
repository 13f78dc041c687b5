//! A component's imports and exports as WIT text, for a person who wants to know what it is.
//!
//! Written from the validated types alone: names in a component are plain ASCII by the rules of the
//! format, so nothing of it can pose as something else.

mod types;
mod world;

pub use world::wit_text;
