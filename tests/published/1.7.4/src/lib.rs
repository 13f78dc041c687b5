//! The published data set 1.7.4, held against this implementation: see `tests/`.
