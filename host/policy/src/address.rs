//! Addresses a request may go to: public ones, and nothing that leads back inside.
//!
//! Source: the IANA special-purpose address registries (RFC 6890). Whatever is not known to be
//! global is refused.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::failure::{Denial, codes};

/// What an address is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressClass {
    /// Reachable for everybody.
    Public,
    /// This machine: 127.0.0.0/8, ::1.
    Loopback,
    /// "This host": 0.0.0.0/8, ::.
    Unspecified,
    /// RFC 1918.
    Private,
    /// 169.254.0.0/16, where clouds keep their metadata; fe80::/10.
    LinkLocal,
    /// Carrier-grade NAT, 100.64.0.0/10 (RFC 6598).
    Shared,
    /// fc00::/7 (RFC 4193).
    UniqueLocal,
    /// fec0::/10, retired by RFC 3879.
    SiteLocal,
    /// One to many.
    Multicast,
    /// 255.255.255.255.
    Broadcast,
    /// For examples in text.
    Documentation,
    /// 198.18.0.0/15 (RFC 2544), 2001:2::/48.
    Benchmarking,
    /// 100::/64 (RFC 6666).
    Discard,
    /// An address inside an address by a scheme whose far end is not ours to judge:
    /// Teredo, the local NAT64 prefix 64:ff9b:1::/48, IPv4-compatible IPv6.
    Tunnel,
    /// Everything else that no site can have.
    Reserved,
}

impl AddressClass {
    /// The class in a message.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Loopback => "loopback",
            Self::Unspecified => "unspecified",
            Self::Private => "private",
            Self::LinkLocal => "link-local",
            Self::Shared => "carrier-grade NAT",
            Self::UniqueLocal => "unique local",
            Self::SiteLocal => "site-local",
            Self::Multicast => "multicast",
            Self::Broadcast => "broadcast",
            Self::Documentation => "documentation",
            Self::Benchmarking => "benchmarking",
            Self::Discard => "discard",
            Self::Tunnel => "tunnel",
            Self::Reserved => "reserved",
        }
    }
}

/// What an address is for. An IPv4 address inside an IPv6 one is judged itself.
#[must_use]
pub fn classify(address: IpAddr) -> AddressClass {
    match address {
        IpAddr::V4(address) => classify_v4(address),
        IpAddr::V6(address) => classify_v6(address),
    }
}

/// Lets only public addresses pass. `host` is the name that led there, for the message.
///
/// # Errors
/// A denial without a fix: no manifest line opens the inside.
pub fn check_address(host: &str, address: IpAddr) -> Result<(), Denial> {
    let class = classify(address);
    if class == AddressClass::Public {
        return Ok(());
    }
    let class = class.name();
    let literal = host.trim_start_matches('[').trim_end_matches(']').parse() == Ok(address);
    let subject = if literal {
        format!("{address} ({class})")
    } else {
        format!("{address} ({class}), an address of {host}")
    };
    Err(Denial::new(
        codes::ADDRESS_NOT_ALLOWED,
        "address-class",
        &subject,
        None,
    ))
}

fn classify_v4(address: Ipv4Addr) -> AddressClass {
    match address.octets() {
        [0, ..] => AddressClass::Unspecified,
        [127, ..] => AddressClass::Loopback,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => AddressClass::Private,
        [169, 254, ..] => AddressClass::LinkLocal,
        [100, 64..=127, ..] => AddressClass::Shared,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => AddressClass::Documentation,
        [198, 18 | 19, ..] => AddressClass::Benchmarking,
        // Protocol assignments (RFC 6890) and the retired 6to4 relay anycast (RFC 7526).
        [192, 0, 0, _] | [192, 88, 99, _] => AddressClass::Reserved,
        [224..=239, ..] => AddressClass::Multicast,
        [255, 255, 255, 255] => AddressClass::Broadcast,
        [240..=255, ..] => AddressClass::Reserved,
        _ => AddressClass::Public,
    }
}

fn classify_v6(address: Ipv6Addr) -> AddressClass {
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => AddressClass::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => AddressClass::Loopback,
        // IPv4-mapped (RFC 4291) and the well-known NAT64 prefix (RFC 6052).
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            classify_v4(embedded(high, low))
        }
        // IPv4-compatible, retired by RFC 4291, and IPv4-translated (RFC 2765): never public.
        [0, 0, 0, 0, 0, 0, high, low] | [0, 0, 0, 0, 0xffff, 0, high, low] => {
            match classify_v4(embedded(high, low)) {
                AddressClass::Public => AddressClass::Tunnel,
                inner => inner,
            }
        }
        [0x64, 0xff9b, 1, ..] => AddressClass::Tunnel,
        [0x100, 0, 0, 0 | 1, ..] => AddressClass::Discard,
        // 6to4 (RFC 3056): the address is the site's own IPv4 address.
        [0x2002, high, low, ..] => classify_v4(embedded(high, low)),
        [0x2001, 0, ..] => AddressClass::Tunnel,
        [0x2001, 2, 0, ..] => AddressClass::Benchmarking,
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0x0fff, ..] => AddressClass::Documentation,
        // The rest of 2001::/23: protocol assignments, among them ORCHID, which is no network.
        [0x2001, 1..=0x1ff, ..] => AddressClass::Reserved,
        [0xfc00..=0xfdff, ..] => AddressClass::UniqueLocal,
        [0xfe80..=0xfebf, ..] => AddressClass::LinkLocal,
        [0xfec0..=0xfeff, ..] => AddressClass::SiteLocal,
        [0xff00..=0xffff, ..] => AddressClass::Multicast,
        // Global unicast is 2000::/3 (RFC 4291, 2.4).
        [0x2000..=0x3fff, ..] => AddressClass::Public,
        _ => AddressClass::Reserved,
    }
}

fn embedded(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from(u32::from(high) << 16 | u32::from(low))
}
