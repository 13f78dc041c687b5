//! What a package may hold. A hostile folder costs at most this much before it is refused.

/// Files and folders, excluded ones counted once: bounds the walk.
pub const ENTRIES: usize = 4_096;
/// Folders inside folders: bounds recursion.
pub const DEPTH: usize = 16;
/// Bytes of one file: bounds one read.
pub const FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Bytes of all files: everything is held in memory while it is hashed.
pub const TOTAL_BYTES: u64 = 64 * 1024 * 1024;
