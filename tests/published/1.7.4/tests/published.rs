//! See `tests/published/shared`.

#[path = "../../shared/protected.rs"]
mod protected;
