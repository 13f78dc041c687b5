//! See `tests/published/shared`.

#[path = "../../shared/corpus.rs"]
mod corpus;
#[path = "../../shared/protected.rs"]
mod protected;
