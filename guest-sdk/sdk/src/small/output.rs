//! The environment, which is empty, and the two streams a component can write to.

use core::ffi::{c_char, c_int};
use core::ptr;

/// Bytes that WASI takes in one call.
const BYTES_A_WRITE: usize = 4096;

/// C's values of `errno` for a descriptor that is not open, and for a failed write.
const EBADF: c_int = 8;
const EIO: c_int = 29;

#[repr(C)]
struct Bytes {
    start: *const u8,
    length: usize,
}

#[repr(C)]
struct StreamError {
    case: u8,
    error: i32,
}

// The C library's own bindings of WASI (`wasi/wasip2.h`).
unsafe extern "C" {
    safe fn stdout_get_stdout() -> i32;
    safe fn stderr_get_stderr() -> i32;
    fn streams_method_output_stream_blocking_write_and_flush(
        stream: i32,
        bytes: *mut Bytes,
        error: *mut StreamError,
    ) -> bool;
    fn streams_stream_error_free(error: *mut StreamError);
    fn streams_output_stream_drop_own(stream: i32);
    safe fn __errno_location() -> *mut c_int;
}

#[unsafe(no_mangle)]
extern "C" fn getenv(_name: *const c_char) -> *mut c_char {
    ptr::null_mut()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn write(descriptor: c_int, start: *const u8, length: usize) -> isize {
    let stream = match descriptor {
        1 => stdout_get_stdout(),
        2 => stderr_get_stderr(),
        _ => return refused(EBADF),
    };
    let length = length.min(BYTES_A_WRITE);
    let mut bytes = Bytes { start, length };
    let mut error = StreamError { case: 0, error: 0 };
    // SAFETY: the caller's bytes are read and nothing is kept; the stream is open and dropped once.
    unsafe {
        let written =
            streams_method_output_stream_blocking_write_and_flush(stream, &mut bytes, &mut error);
        streams_output_stream_drop_own(stream);
        if !written {
            streams_stream_error_free(&mut error);
            return refused(EIO);
        }
    }
    length as isize
}

/// Writes of the first part that is not empty: fewer bytes than were asked for are C's rule too.
#[unsafe(no_mangle)]
unsafe extern "C" fn writev(descriptor: c_int, parts: *const Bytes, count: c_int) -> isize {
    for at in 0..count as usize {
        // SAFETY: C's rule for `writev`.
        let part = unsafe { &*parts.wrapping_add(at) };
        if part.length > 0 {
            // SAFETY: as above.
            return unsafe { write(descriptor, part.start, part.length) };
        }
    }
    0
}

fn refused(why: c_int) -> isize {
    // SAFETY: the C library's own variable; one thread.
    unsafe { __errno_location().write(why) };
    -1
}
