//! The limit of the system for the size of files.

use std::ffi::c_int;

/// `SIG_IGN` of every Unix.
const IGNORE: usize = 1;

#[expect(
    unsafe_code,
    reason = "nothing safe here sets a signal aside without opening files"
)]
// SAFETY: the C library's own function, as it is declared; a handler is as wide as a pointer.
unsafe extern "C" {
    fn signal(number: c_int, handler: usize) -> usize;
}

/// From now on a write beyond the limit for the size of files fails, instead of ending the process:
/// so it is told, and what was begun is undone.
pub fn outlive_file_limits() {
    let number = rustix::process::Signal::XFSZ.as_raw();
    // SAFETY: to ignore a signal runs no code of this process; no other part of it sets this one.
    #[expect(unsafe_code, reason = "see above")]
    unsafe {
        signal(number, IGNORE);
    }
}
