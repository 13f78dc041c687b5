//! What a host name looks like, and which names belong to no site.

use crate::limits;

/// The rule a name breaks that stands where a host name must stand; `None` for a good one.
///
/// Letters, digits and inner hyphens (RFC 952, RFC 1123 2.1); lengths as RFC 1035.
pub(crate) fn host_name_fault(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("it is empty");
    }
    if name.len() > limits::HOST_BYTES {
        return Some("it is longer than 253 bytes");
    }
    name.split('.').find_map(label_fault)
}

fn label_fault(label: &str) -> Option<&'static str> {
    if label.is_empty() {
        Some("a label between two dots is empty")
    } else if label.len() > limits::LABEL_BYTES {
        Some("a label is longer than 63 bytes")
    } else if label.contains('_') {
        Some("an underscore stands in no host name")
    } else if !label
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    {
        Some("it has a character other than letters, digits, hyphens and dots")
    } else if label.starts_with('-') || label.ends_with('-') {
        Some("a label starts or ends with a hyphen")
    } else {
        None
    }
}

/// Why a name never belongs to a public site; `None` when it may.
///
/// RFC 6761 and the IANA list of special-use names, with `.internal`. The names kept for
/// documentation and tests (`.test`, `.example`) lead nowhere on their own and stay legal.
#[must_use]
pub(crate) fn special_use(host: &str) -> Option<&'static str> {
    const LOOPBACK: &str = "localhost names are loopback and belong to no site";
    const LOCAL: &str = "names of the local network belong to no site";
    const NEVER: &str = "the name is kept for no site at all";
    const TABLE: &[(&str, &str)] = &[
        ("localhost", LOOPBACK),
        ("localdomain", LOOPBACK),
        ("local", LOCAL),
        ("internal", LOCAL),
        ("home.arpa", LOCAL),
        ("invalid", NEVER),
        ("onion", NEVER),
    ];
    TABLE
        .iter()
        .find(|(name, _)| {
            host.strip_suffix(name)
                .is_some_and(|before| before.is_empty() || before.ends_with('.'))
        })
        .map(|(_, why)| *why)
}
