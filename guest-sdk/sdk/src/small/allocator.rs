//! C's `malloc` and its family: all that is in the same member of `libc.a`.

use core::arch::wasm32::memory_grow;
use core::cell::UnsafeCell;
use core::ffi::c_int;
use core::ptr;

use super::heap::{self, Heap, Memory, UNIT};

const PAGE: usize = 65_536;

/// Pages asked for at once when fewer would do.
const PAGES: usize = 4;

struct Pages;

impl Memory for Pages {
    fn more(&mut self, bytes: usize) -> Option<(*mut u8, *mut u8)> {
        let pages = bytes.div_ceil(PAGE).max(PAGES);
        let before = memory_grow::<0>(pages);
        if before == usize::MAX {
            return None;
        }
        let end = before.checked_add(pages)?.checked_mul(PAGE)?;
        let start = ptr::with_exposed_provenance_mut::<u8>(before * PAGE);
        Some((start, start.with_addr(end)))
    }
}

struct Shared(UnsafeCell<Heap<Pages>>);

// SAFETY: a component of this target has one thread.
unsafe impl Sync for Shared {}

static HEAP: Shared = Shared(UnsafeCell::new(Heap::new(Pages)));

// Not inlined: they are called all over a component.

#[inline(never)]
fn allocate(size: usize, align: usize) -> *mut u8 {
    // SAFETY: one thread, and nothing in the heap calls back.
    unsafe { &mut *HEAP.0.get() }.allocate(size, align)
}

#[inline(never)]
unsafe fn release(content: *mut u8) {
    // SAFETY: as above, and the caller's promise.
    unsafe { (*HEAP.0.get()).release(content) };
}

/// C's value of `errno` for "no memory", and for an alignment that is none.
const ENOMEM: c_int = 48;
const EINVAL: c_int = 28;

#[unsafe(no_mangle)]
extern "C" fn malloc(size: usize) -> *mut u8 {
    allocate(size, UNIT)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn free(content: *mut u8) {
    if !content.is_null() {
        // SAFETY: C's rule for `free`.
        unsafe { release(content) };
    }
}

#[unsafe(no_mangle)]
extern "C" fn calloc(count: usize, size: usize) -> *mut u8 {
    let bytes = count.saturating_mul(size);
    let content = allocate(bytes, UNIT);
    if !content.is_null() {
        // SAFETY: it has room for so many bytes.
        unsafe { content.write_bytes(0, bytes) };
    }
    content
}

#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn realloc(content: *mut u8, size: usize) -> *mut u8 {
    if content.is_null() {
        return allocate(size, UNIT);
    }
    // SAFETY: one thread, nothing in the heap calls back, and C's rule for `realloc`.
    unsafe { (*HEAP.0.get()).resize(content, size) }
}

#[unsafe(no_mangle)]
extern "C" fn aligned_alloc(align: usize, size: usize) -> *mut u8 {
    if align.is_power_of_two() {
        allocate(size, align)
    } else {
        ptr::null_mut()
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(out: *mut *mut u8, align: usize, size: usize) -> c_int {
    if !align.is_power_of_two() {
        return EINVAL;
    }
    let content = allocate(size, align);
    if content.is_null() {
        return ENOMEM;
    }
    // SAFETY: C's rule for `posix_memalign`.
    unsafe { out.write(content) };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn malloc_usable_size(content: *mut u8) -> usize {
    if content.is_null() {
        return 0;
    }
    // SAFETY: C's rule for `malloc_usable_size`.
    unsafe { heap::capacity(content) }
}

/// The names the C library itself calls them by.
#[unsafe(no_mangle)]
extern "C" fn __libc_malloc(size: usize) -> *mut u8 {
    allocate(size, UNIT)
}

#[unsafe(no_mangle)]
extern "C" fn __libc_calloc(count: usize, size: usize) -> *mut u8 {
    calloc(count, size)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __libc_free(content: *mut u8) {
    // SAFETY: C's rule for `free`.
    unsafe { free(content) };
}
