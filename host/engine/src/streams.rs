//! Whether standard output was open when the process started.
//!
//! The standard library opens `/dev/null` in place of a closed stream before `main`, so that a
//! program whose rows went nowhere would end with 0. Only code that runs earlier can tell.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether the process was started without standard output, as by `>&-`. Always false where it
/// cannot be told.
#[must_use]
pub fn started_without_stdout() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

#[cfg(target_os = "linux")]
extern "C" fn look() {
    // SAFETY: no stream of this process is closed or opened while its constructors run.
    #[expect(
        unsafe_code,
        reason = "the stream may not be open: that is the question"
    )]
    let stdout = unsafe { rustix::fd::BorrowedFd::borrow_raw(1) };
    let closed = rustix::io::fcntl_getfd(stdout).is_err();
    CLOSED.store(closed, Ordering::Relaxed);
}

// SAFETY: the loader calls each function of this section once, before `main`; this one makes a
// system call and writes an atomic.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the one way to run before the standard library")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;
