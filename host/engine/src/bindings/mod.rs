//! Bindings, one module per breaking WIT version. The newest holds the implementation; older
//! ones would convert onto it and hold no logic.

pub mod v0_1;
