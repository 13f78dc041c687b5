//! Drops the debug names of a component. They are a tenth of a small component, and `strip` leaves
//! some of them.

const HEADER: usize = 8;
const CUSTOM: u8 = 0;
const CORE_MODULE: u8 = 1;
const NESTED_COMPONENT: u8 = 4;
/// Byte 6 of the header: 0 for a core module, 1 for a component.
const LAYER: usize = 6;
const DEBUG_NAMES: [&[u8]; 2] = [b"name", b"component-name"];

/// Why bytes are not a binary whose names can be dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SectionError {
    /// Another format.
    #[error("not WebAssembly")]
    OtherFormat,
    /// Not even a header.
    #[error("shorter than a WebAssembly header")]
    Short,
    /// A section ends after the file does.
    #[error("section at byte {place} is cut off")]
    CutOff {
        /// Where it starts.
        place: usize,
    },
    /// Too deep to be meant.
    #[error("components nested more than 8 deep")]
    Nested,
    /// No section can be that long.
    #[error("section over 4 GiB")]
    Large,
}

/// The same binary without its `name` sections, in nested modules and components too.
///
/// # Errors
/// Says where the bytes stop being sections.
pub fn without_names(binary: &[u8]) -> Result<Vec<u8>, SectionError> {
    strip(binary, 0)
}

fn strip(binary: &[u8], depth: u8) -> Result<Vec<u8>, SectionError> {
    if depth > 8 {
        return Err(SectionError::Nested);
    }
    let (header, mut rest) = binary.split_at_checked(HEADER).ok_or(SectionError::Short)?;
    if !header.starts_with(b"\0asm") {
        return Err(SectionError::OtherFormat);
    }
    let is_component = header.get(LAYER) == Some(&1);
    let mut kept = header.to_vec();
    while let Some((&id, after_id)) = rest.split_first() {
        let place = binary.len() - rest.len();
        let broken = || SectionError::CutOff { place };
        let (size, body_start) = leb_u32(after_id).ok_or_else(broken)?;
        let size = usize::try_from(size).map_err(|_| broken())?;
        let (body, after) = body_start.split_at_checked(size).ok_or_else(broken)?;
        rest = after;
        let nested = is_component && (id == CORE_MODULE || id == NESTED_COMPONENT);
        if nested {
            push_section(&mut kept, id, &strip(body, depth + 1)?)?;
        } else if !(id == CUSTOM && is_debug_name(body)) {
            push_section(&mut kept, id, body)?;
        }
    }
    Ok(kept)
}

fn is_debug_name(body: &[u8]) -> bool {
    let name = leb_u32(body).and_then(|(length, rest)| rest.get(..usize::try_from(length).ok()?));
    name.is_some_and(|name| DEBUG_NAMES.contains(&name))
}

fn push_section(kept: &mut Vec<u8>, id: u8, body: &[u8]) -> Result<(), SectionError> {
    let mut size = u32::try_from(body.len()).map_err(|_| SectionError::Large)?;
    kept.push(id);
    loop {
        let low = u8::try_from(size & 0x7f).unwrap_or(0);
        size >>= 7;
        if size == 0 {
            kept.push(low);
            break;
        }
        kept.push(low | 0x80);
    }
    kept.extend_from_slice(body);
    Ok(())
}

fn leb_u32(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let mut value = 0_u64;
    for (index, &byte) in bytes.iter().take(5).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            let rest = bytes.get(index + 1..)?;
            return u32::try_from(value).ok().map(|value| (value, rest));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: [u8; 8] = *b"\0asm\x01\0\0\0";
    const COMPONENT: [u8; 8] = *b"\0asm\x0d\0\x01\0";

    fn custom(name: &str, body: &[u8]) -> Vec<u8> {
        let mut inner = vec![u8::try_from(name.len()).unwrap()];
        inner.extend_from_slice(name.as_bytes());
        inner.extend_from_slice(body);
        let mut out = Vec::new();
        push_section(&mut out, CUSTOM, &inner).unwrap();
        out
    }

    #[test]
    fn names_go_and_everything_else_stays_byte_for_byte() {
        let mut module = MODULE.to_vec();
        module.extend(custom("producers", b"rust"));
        let wanted_module = module.clone();
        module.extend(custom("name", &[7; 300]));

        let mut component = COMPONENT.to_vec();
        push_section(&mut component, CORE_MODULE, &module).unwrap();
        component.extend(custom("component-name", b"x"));
        component.extend(custom("component-type:adapter", b"kept"));

        let mut wanted = COMPONENT.to_vec();
        push_section(&mut wanted, CORE_MODULE, &wanted_module).unwrap();
        wanted.extend(custom("component-type:adapter", b"kept"));
        assert_eq!(without_names(&component).unwrap(), wanted);
        assert_eq!(without_names(&wanted).unwrap(), wanted);
    }

    #[test]
    fn a_cut_off_section_is_named_by_its_place() {
        let mut broken = MODULE.to_vec();
        broken.extend([1, 9, 0]);
        assert_eq!(
            without_names(&broken).unwrap_err().to_string(),
            "section at byte 8 is cut off"
        );
        assert!(without_names(b"\0as").is_err());
        assert_eq!(without_names(b"notwasm!"), Err(SectionError::OtherFormat));
    }

    #[test]
    fn lengths_of_every_size_come_back_as_they_went_in() {
        for length in [0, 1, 127, 128, 16_383, 16_384, 2_097_152] {
            let mut out = Vec::new();
            push_section(&mut out, 3, &vec![0; length]).unwrap();
            let (read, rest) = leb_u32(&out[1..]).unwrap();
            assert_eq!(usize::try_from(read).unwrap(), length);
            assert_eq!(rest.len(), length);
        }
    }
}
