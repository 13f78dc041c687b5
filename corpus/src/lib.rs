//! The data that programs which find and start browsers share: the browser catalog, its schemas, and,
//! with feature `corpus`, the conformance cases and the protected-origin vectors.
//!
//! Names are those of the published crate `slicc-browsers`, so that a program which uses it changes one
//! line of its manifest:
//!
//! ```toml
//! slicc-browsers = { package = "sr-browsers", path = "../corpus" }
//! ```
//!
//! | feature | what it adds |
//! |---|---|
//! | none | the texts [`CATALOG`] and `*_SCHEMA`; no dependency |
//! | `serde` | [`Catalog`] and its types, [`catalog()`] |
//! | `corpus` | [`CORPUS`], [`PROTECTED`], modules [`mod@corpus`] and [`protected`]; for tests |
//!
//! Every feature builds for `wasm32-wasip1`. What the data means is in `corpus/README.md`.

#![forbid(unsafe_code)]

#[cfg(feature = "serde")]
mod catalog;
#[cfg(feature = "corpus")]
pub mod corpus;
#[cfg(feature = "corpus")]
pub mod protected;

#[cfg(feature = "serde")]
pub use catalog::*;

/// Version of the form of the catalog, of the discovery report, of the corpus and of the vectors.
pub const SCHEMA: u32 = 1;

/// Text of `catalog.json`: every known browser, where it lies, and the rules of discovery.
pub const CATALOG: &str = include_str!("../catalog.json");

/// JSON Schema (2020-12) of [`CATALOG`].
pub const CATALOG_SCHEMA: &str = include_str!("../schema/catalog.schema.json");

/// JSON Schema (2020-12) of the report that discovery prints.
pub const BROWSERS_SCHEMA: &str = include_str!("../schema/browsers.schema.json");

/// JSON Schema (2020-12) of `corpus.json`; refers to [`BROWSERS_SCHEMA`] as `browsers.schema.json`.
pub const CORPUS_SCHEMA: &str = include_str!("../schema/corpus.schema.json");

/// JSON Schema (2020-12) of `protected.json`.
pub const PROTECTED_SCHEMA: &str = include_str!("../schema/protected.schema.json");

/// Text of `corpus.json`: every conformance case in one document, made by `cargo xtask corpus`.
#[cfg(feature = "corpus")]
pub const CORPUS: &str = include_str!("../corpus.json");

/// Text of `protected.json`: URLs, targets, cookie domains and storage keys with the right answer.
#[cfg(feature = "corpus")]
pub const PROTECTED: &str = include_str!("../protected.json");
