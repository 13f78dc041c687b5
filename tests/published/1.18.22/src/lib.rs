//! The published data set 1.18.22, held against this implementation: see `tests/`.
