//! Smaller parts of the C library. Rust's standard library stands on wasi-libc, whose allocator,
//! environment and table of open files are a quarter of a small component; a component has no
//! environment and no files, and lives for one call.
//!
//! The linker takes a function of an archive only when nothing else defines it, so defining one here
//! is enough. Each is alone in its member of `libc.a`, or all of its member is defined, so nothing is
//! ever there twice. Without the feature `small` the C library's own are used.

#[cfg(target_os = "wasi")]
mod allocator;
mod heap;
#[cfg(target_os = "wasi")]
mod output;
