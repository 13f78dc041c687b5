//! Memory in blocks of fixed sizes, four sizes to each doubling. A block that is given back is kept
//! for the next one of its size, or cut up for smaller ones before more memory is asked for.

use core::ptr;

/// Blocks are multiples of this, and what is in them is aligned to it, as C wants it.
pub(super) const UNIT: usize = 16;

/// Every block starts with one.
const HEADER: usize = size_of::<Header>();

/// The largest block.
const LARGEST: usize = 1 << 31;

/// How many sizes there are up to the largest.
const CLASSES: usize = class_of(LARGEST) + 1;

#[repr(C)]
struct Header {
    /// Which size the block has.
    class: u32,
    /// From the start of the block to its content.
    offset: u32,
}

/// Where a heap gets its memory.
pub(super) trait Memory {
    /// At least so many more bytes, aligned to [`UNIT`]: where they start and end. They may join
    /// what was given before.
    fn more(&mut self, bytes: usize) -> Option<(*mut u8, *mut u8)>;
}

/// An allocator that owns what its memory gives.
pub(super) struct Heap<M> {
    memory: M,
    /// The blocks given back, by size; each holds the address of the next.
    free: [*mut u8; CLASSES],
    /// Memory that was never cut into blocks.
    fresh: *mut u8,
    end: *mut u8,
}

impl<M: Memory> Heap<M> {
    pub(super) const fn new(memory: M) -> Self {
        Self {
            memory,
            free: [ptr::null_mut(); CLASSES],
            fresh: ptr::null_mut(),
            end: ptr::null_mut(),
        }
    }

    /// Room for `size` bytes at a multiple of `align`, a power of two; null when there is none.
    pub(super) fn allocate(&mut self, size: usize, align: usize) -> *mut u8 {
        let padding = if align > UNIT { align } else { 0 };
        let needed = size.saturating_add(padding).saturating_add(HEADER);
        if needed > LARGEST {
            return ptr::null_mut();
        }
        let class = class_of(needed);
        let block = self.block(class);
        if block.is_null() {
            return block;
        }
        let unaligned = block.addr().wrapping_add(HEADER);
        let offset = HEADER + (unaligned.wrapping_neg() & padding.saturating_sub(1));
        let content = block.wrapping_add(offset);
        let header = Header {
            class: class as u32,
            offset: offset as u32,
        };
        // SAFETY: the block has room for the header, the padding and `size` bytes.
        unsafe { header_of(content).write(header) };
        content
    }

    /// Takes back what [`Heap::allocate`] gave.
    ///
    /// # Safety
    /// `content` came from this heap and is not used any more.
    pub(super) unsafe fn release(&mut self, content: *mut u8) {
        // SAFETY: the caller's promise: there is a header before it.
        let header = unsafe { header_of(content).read() };
        let block = content.wrapping_sub(header.offset as usize);
        self.keep(block, header.class as usize);
    }

    /// The same content in room for `size` bytes; null when there is none, and then it stays.
    ///
    /// # Safety
    /// As [`Heap::release`], except when the answer is null.
    pub(super) unsafe fn resize(&mut self, content: *mut u8, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        let room = unsafe { capacity(content) };
        if size <= room {
            return content;
        }
        let moved = self.allocate(size, UNIT);
        if !moved.is_null() {
            // SAFETY: both are valid for `room` bytes and are different blocks.
            unsafe {
                ptr::copy_nonoverlapping(content, moved, room);
                self.release(content);
            }
        }
        moved
    }

    fn block(&mut self, class: usize) -> *mut u8 {
        let size = size_of_class(class);
        let kept = self.take(class);
        if !kept.is_null() {
            return kept;
        }
        if self.left() < size && !self.refill(class, size) {
            return ptr::null_mut();
        }
        let block = self.fresh;
        self.fresh = block.wrapping_add(size);
        block
    }

    /// Fresh memory for one block: a larger one that was given back, or more from outside.
    fn refill(&mut self, class: usize, size: usize) -> bool {
        for larger in class + 1..CLASSES {
            let block = self.take(larger);
            if !block.is_null() {
                self.keep_rest();
                self.fresh = block;
                self.end = block.wrapping_add(size_of_class(larger));
                return true;
            }
        }
        let Some((start, end)) = self.memory.more(size + UNIT) else {
            return false;
        };
        if start != self.end.wrapping_add(UNIT - HEADER) {
            self.keep_rest();
            // So that the content, after the header, is aligned.
            self.fresh = start.wrapping_add(UNIT - HEADER);
        }
        self.end = end.wrapping_sub(UNIT - HEADER);
        true
    }

    fn left(&self) -> usize {
        self.end.addr() - self.fresh.addr()
    }

    /// Makes a block of what is left of the fresh memory.
    fn keep_rest(&mut self) {
        let left = self.left();
        if left >= UNIT {
            let above = class_of(left);
            let class = if size_of_class(above) > left {
                above - 1
            } else {
                above
            };
            self.keep(self.fresh, class);
        }
    }

    fn keep(&mut self, block: *mut u8, class: usize) {
        if let Some(first) = self.free.get_mut(class) {
            // SAFETY: the block is this heap's own and nobody uses it; the smallest has room.
            unsafe { link_of(block).write(*first) };
            *first = block;
        }
    }

    fn take(&mut self, class: usize) -> *mut u8 {
        let Some(first) = self.free.get_mut(class) else {
            return ptr::null_mut();
        };
        let block = *first;
        if !block.is_null() {
            // SAFETY: `keep` wrote it, and nobody has used the block since.
            *first = unsafe { link_of(block).read() };
        }
        block
    }
}

/// How many bytes the content may grow to where it is.
///
/// # Safety
/// `content` came from a heap and was not given back.
pub(super) unsafe fn capacity(content: *mut u8) -> usize {
    // SAFETY: the caller's promise: there is a header before it.
    let header = unsafe { header_of(content).read() };
    size_of_class(header.class as usize) - header.offset as usize
}

fn header_of(content: *mut u8) -> *mut Header {
    content.wrapping_sub(HEADER).cast()
}

fn link_of(block: *mut u8) -> *mut *mut u8 {
    block.cast()
}

/// The smallest class whose blocks have so many bytes.
const fn class_of(bytes: usize) -> usize {
    let last = bytes.saturating_sub(1) / UNIT;
    if last < 4 {
        return last;
    }
    let doubling = last.ilog2() as usize - 2;
    4 * doubling + (last >> doubling)
}

const fn size_of_class(class: usize) -> usize {
    if class < 4 {
        return (class + 1) * UNIT;
    }
    ((class % 4 + 5) << (class / 4 - 1)) * UNIT
}

#[cfg(test)]
#[path = "heap_tests.rs"]
mod tests;
