//! What the WIT package says, as Rust: generated once here, so that an adapter has no WIT in it.

#![allow(
    missing_docs,
    reason = "generated; the WIT files carry the documentation"
)]
#![allow(unsafe_code, reason = "generated; the canonical ABI is pointers")]

wit_bindgen::generate!({
    path: "../wit",
    world: "adapter",
    additional_derives: [PartialEq],
    generate_unused_types: true,
    pub_export_macro: true,
    default_bindings_module: "::sr_guest::bindings",
});
