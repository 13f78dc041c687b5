//! Components that no author's tool makes: built ones that were changed, and shapes written
//! byte by byte.

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

const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";
const CORE: &[u8] = b"\0asm\x01\0\0\0";
const CORE_TYPES: u8 = 1;
const INNER_COMPONENT: u8 = 4;
const TYPES: u8 = 7;

/// A component around a core module with this many types.
pub(crate) fn with_core_types(types: u32) -> Vec<u8> {
    let mut body = Vec::new();
    push_leb(&mut body, types);
    for _ in 0..types {
        body.extend([0x60, 0, 0]);
    }
    let module = [CORE, &section(CORE_TYPES, &body)].concat();
    [COMPONENT, &section(CORE_MODULE, &module)].concat()
}

/// Components inside components, and around them what makes the whole an adapter.
pub(crate) fn nested_components(depth: usize) -> Vec<u8> {
    let adapter = r#"(component (component $c) (instance $i (instantiate $c))
        (export "sr:runtime/plugin@0.1.0" (instance $i)))"#;
    let adapter = wat::parse_str(adapter).unwrap();
    let inner = section(INNER_COMPONENT, &nested(depth));
    [COMPONENT, &inner, &adapter[HEADER..]].concat()
}

fn nested(depth: usize) -> Vec<u8> {
    // From the inside: the sizes are known before the headers are written.
    let mut heads = Vec::new();
    let mut size = COMPONENT.len();
    for _ in 0..depth {
        let mut head = [COMPONENT, &[INNER_COMPONENT]].concat();
        push_leb(&mut head, u32::try_from(size).unwrap());
        size += head.len();
        heads.push(head);
    }
    heads.reverse();
    heads.push(COMPONENT.to_vec());
    heads.concat()
}

/// A list of lists of lists.
pub(crate) fn nested_types(depth: u32) -> Vec<u8> {
    let mut body = Vec::new();
    push_leb(&mut body, depth);
    body.extend([0x70, 0x73]);
    for inner in 0..depth - 1 {
        body.push(0x70);
        push_leb(&mut body, inner);
    }
    [COMPONENT, &section(TYPES, &body)].concat()
}

fn section(id: u8, body: &[u8]) -> Vec<u8> {
    let mut section = vec![id];
    push_leb(&mut section, u32::try_from(body.len()).unwrap());
    section.extend(body);
    section
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
