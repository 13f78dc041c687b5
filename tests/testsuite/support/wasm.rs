//! Changes a built component where no author's tool would: in the tables of its core modules.

const HEADER: usize = 8;
const TABLES: u8 = 4;
const CORE_MODULE: u8 = 1;
const FUNCTION_REFERENCE: u8 = 0x70;

/// The component with the one table of its first core module that has one grown to this many entries.
pub(crate) fn with_table_of(component: &[u8], entries: u32) -> Vec<u8> {
    let mut done = false;
    let changed = sections(component, |id, body| {
        if id != CORE_MODULE || done {
            return body.to_vec();
        }
        sections(body, |id, body| {
            if id != TABLES || done {
                return body.to_vec();
            }
            assert_eq!(body[..2], [1, FUNCTION_REFERENCE], "one table of functions");
            done = true;
            let mut table = vec![1, FUNCTION_REFERENCE, 0];
            push_leb(&mut table, entries);
            table
        })
    });
    assert!(done, "no core module with a table");
    changed
}

/// The binary with each section's body passed through `change`.
fn sections(binary: &[u8], mut change: impl FnMut(u8, &[u8]) -> Vec<u8>) -> Vec<u8> {
    let (header, mut rest) = binary.split_at(HEADER);
    let mut changed = header.to_vec();
    while let Some((&id, after)) = rest.split_first() {
        let (size, after) = leb(after);
        let (body, after) = after.split_at(size as usize);
        rest = after;
        let body = change(id, body);
        changed.push(id);
        push_leb(&mut changed, u32::try_from(body.len()).unwrap());
        changed.extend(body);
    }
    changed
}

fn leb(bytes: &[u8]) -> (u32, &[u8]) {
    let length = 1 + bytes.iter().position(|byte| byte & 0x80 == 0).unwrap();
    let value = bytes[..length]
        .iter()
        .rev()
        .fold(0, |value, byte| value << 7 | u32::from(byte & 0x7f));
    (value, &bytes[length..])
}

fn push_leb(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(u8::try_from(value & 0x7f).unwrap() | 0x80);
        value >>= 7;
    }
    bytes.push(u8::try_from(value).unwrap());
}
