//! An allocator that counts, for what must not allocate.

#![expect(
    unsafe_code,
    reason = "an allocator is an unsafe trait; this one hands everything to the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, counting what each thread asks for.
pub struct Counting;

impl Counting {
    /// How often `work` asks for memory, and what it gives back.
    pub fn count<T>(work: impl FnOnce() -> T) -> (u64, T) {
        let before = ALLOCATIONS.get();
        let made = work();
        (ALLOCATIONS.get() - before, made)
    }
}

fn counted() {
    // A thread that ends has no counter any more, and nobody who asks.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: each call is the system allocator's own, with the caller's arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        counted();
        // SAFETY: as for this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        counted();
        // SAFETY: as for this function.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        counted();
        // SAFETY: as for this function.
        unsafe { System.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as for this function.
        unsafe { System.dealloc(place, layout) }
    }
}
