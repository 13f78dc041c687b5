use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::BTreeMap;

use super::{CLASSES, Heap, LARGEST, Memory, UNIT, capacity, class_of, size_of_class};

const PAGE: usize = 4096;

/// Memory in pages out of one place; a hole now and then, as when somebody else grows it too.
struct Pages {
    start: *mut u8,
    layout: Layout,
    used: usize,
    holes: bool,
}

impl Pages {
    fn new(pages: usize, holes: bool) -> Self {
        let layout = Layout::from_size_align(pages * PAGE, PAGE).unwrap();
        // SAFETY: the layout is not empty.
        let start = unsafe { alloc_zeroed(layout) };
        Self {
            start,
            layout,
            used: 0,
            holes,
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: it came from `alloc_zeroed` with this layout.
        unsafe { dealloc(self.start, self.layout) };
    }
}

impl Memory for Pages {
    fn more(&mut self, bytes: usize) -> Option<(*mut u8, *mut u8)> {
        if self.holes {
            self.used += PAGE;
        }
        let bytes = bytes.next_multiple_of(PAGE);
        let end = self.used.checked_add(bytes)?;
        if end > self.layout.size() {
            return None;
        }
        let start = self.start.wrapping_add(self.used);
        self.used = end;
        Some((start, start.wrapping_add(bytes)))
    }
}

/// The same numbers every time (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

#[test]
fn each_size_falls_into_the_smallest_class_that_holds_it() {
    for class in 0..CLASSES {
        let size = size_of_class(class);
        assert_eq!(class_of(size), class, "{size}");
        assert_eq!(class_of(size - UNIT + 1), class, "{size}");
        assert_eq!(size % UNIT, 0);
        if class > 3 {
            assert!(size * 4 <= size_of_class(class - 1) * 5, "{size}");
        }
    }
    assert_eq!(size_of_class(CLASSES - 1), LARGEST);
}

#[test]
fn contents_stay_whole_while_blocks_come_and_go() {
    for holes in [false, true] {
        let mut heap = Heap::new(Pages::new(4096, holes));
        let mut numbers = Numbers(0x5EED);
        let mut live: BTreeMap<usize, (*mut u8, usize, u8)> = BTreeMap::new();
        for step in 0..40_000_usize {
            let mark = step as u8;
            if live.len() > 300 || (numbers.below(3) == 0 && !live.is_empty()) {
                let nth = numbers.below(live.len());
                let (_, (content, size, mark)) = live.iter().nth(nth).unwrap();
                let (content, size, mark) = (*content, *size, *mark);
                assert!(all(content, size, mark), "step {step}");
                live.remove(&content.addr());
                // SAFETY: it came from this heap and is forgotten now.
                unsafe { heap.release(content) };
                continue;
            }
            let size = 1 << numbers.below(14);
            let size = size + numbers.below(size);
            let align = 1 << numbers.below(9);
            let content = heap.allocate(size, align);
            assert!(!content.is_null(), "step {step}");
            assert_eq!(content.addr() % align.max(UNIT), 0, "step {step}");
            // SAFETY: the heap promises so much room.
            unsafe { content.write_bytes(mark, size) };
            let before = live.range(..content.addr()).next_back();
            let (_, end) = before.map_or((0, 0), |(at, (_, size, _))| (*at, at + size));
            assert!(end <= content.addr(), "step {step}: into the one before");
            if let Some((at, _)) = live.range(content.addr()..).next() {
                assert!(content.addr() + size <= *at, "step {step}: into the next");
            }
            live.insert(content.addr(), (content, size, mark));
        }
        for (content, size, mark) in live.into_values() {
            assert!(all(content, size, mark));
        }
    }
}

fn all(content: *mut u8, size: usize, mark: u8) -> bool {
    // SAFETY: the test wrote so many bytes there.
    let bytes = unsafe { std::slice::from_raw_parts(content, size) };
    bytes.iter().all(|byte| *byte == mark)
}

#[test]
fn growing_keeps_the_content_and_moves_only_when_it_must() {
    let mut heap = Heap::new(Pages::new(64, false));
    let content = heap.allocate(3, 1);
    // SAFETY: the heap gave it, and each answer replaces the one before.
    unsafe {
        content.copy_from_nonoverlapping(b"abc".as_ptr(), 3);
        let room = capacity(content);
        assert!(room >= 3);
        assert_eq!(heap.resize(content, room), content);
        assert_eq!(heap.resize(content, 1), content);
        let moved = heap.resize(content, room + 1);
        assert_ne!(moved, content);
        assert_eq!(std::slice::from_raw_parts(moved, 3), b"abc");
        assert_eq!(heap.allocate(3, 1), content, "the old block is used again");
    }
}

#[test]
fn the_same_work_over_and_over_needs_no_more_memory() {
    let mut heap = Heap::new(Pages::new(256, false));
    let mut used = Vec::new();
    for _ in 0..200 {
        let body = heap.allocate(300_000, 1);
        let texts: Vec<_> = (0..2_000).map(|n| heap.allocate(n % 90, 1)).collect();
        assert!(!body.is_null() && texts.iter().all(|text| !text.is_null()));
        for content in texts.into_iter().chain([body]) {
            // SAFETY: it came from this heap and is not used again.
            unsafe { heap.release(content) };
        }
        used.push(heap.memory.used);
    }
    assert_eq!(used[1], used[199]);
}

#[test]
fn a_large_block_given_back_serves_small_ones() {
    let mut heap = Heap::new(Pages::new(64, false));
    let large = heap.allocate(100_000, 1);
    // SAFETY: it came from this heap and is not used again.
    unsafe { heap.release(large) };
    let used = heap.memory.used;
    for _ in 0..900 {
        assert!(!heap.allocate(90, 1).is_null());
    }
    assert_eq!(heap.memory.used, used);
}

#[test]
fn no_memory_is_null_and_spoils_nothing() {
    let mut heap = Heap::new(Pages::new(4, false));
    let content = heap.allocate(100, 1);
    for size in [PAGE * 4, LARGEST, LARGEST + 1, usize::MAX] {
        assert!(heap.allocate(size, 1).is_null(), "{size}");
        // SAFETY: it came from this heap, and null leaves it as it was.
        assert!(unsafe { heap.resize(content, size) }.is_null(), "{size}");
    }
    assert!(heap.allocate(1, LARGEST).is_null());
    // SAFETY: it came from this heap and is not used again.
    unsafe { heap.release(content) };
    assert_eq!(heap.allocate(100, 1), content);
}
