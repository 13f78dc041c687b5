//! See `tests/published/shared`.

extern crate slicc_browsers as sr_browsers;
#[path = "../../shared/corpus.rs"]
mod corpus;
#[path = "../../shared/protected.rs"]
mod protected;
