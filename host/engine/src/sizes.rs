//! What the bytes of a component are.

use wasmparser::{Parser, Payload};

/// Bytes of a component by kind, over all modules in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ComponentSizes {
    /// The whole file.
    pub total: usize,
    /// Functions.
    pub code: usize,
    /// Data that is copied into memory.
    pub data: usize,
    /// Custom sections: names, producers, debug information.
    pub custom: usize,
    /// Types, imports, exports and the rest.
    pub other: usize,
}

/// Adds up the sections. A broken component has the sizes of what comes before the fault.
#[must_use]
pub fn component_sizes(bytes: &[u8]) -> ComponentSizes {
    let mut sizes = ComponentSizes {
        total: bytes.len(),
        ..ComponentSizes::default()
    };
    for payload in Parser::new(0).parse_all(bytes) {
        match payload {
            Ok(Payload::CodeSectionStart { range, .. }) => sizes.code += range.len(),
            Ok(Payload::DataSection(section)) => sizes.data += section.range().len(),
            Ok(Payload::CustomSection(section)) => sizes.custom += section.range().len(),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    let known = sizes.code + sizes.data + sizes.custom;
    sizes.other = sizes.total.saturating_sub(known);
    sizes
}
