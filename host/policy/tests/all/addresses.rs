//! Which addresses a request may go to.

use std::net::IpAddr;

use sr_policy::address::{AddressClass, check_address, classify};
use sr_policy::failure::codes;

const VECTORS: &[(&str, AddressClass)] = &[
    ("8.8.8.8", AddressClass::Public),
    ("1.1.1.1", AddressClass::Public),
    ("100.63.255.255", AddressClass::Public),
    ("100.128.0.0", AddressClass::Public),
    ("172.15.255.255", AddressClass::Public),
    ("172.32.0.0", AddressClass::Public),
    ("192.0.1.1", AddressClass::Public),
    ("198.17.255.255", AddressClass::Public),
    ("198.20.0.0", AddressClass::Public),
    ("223.255.255.255", AddressClass::Public),
    ("0.0.0.0", AddressClass::Unspecified),
    ("0.1.2.3", AddressClass::Unspecified),
    ("127.0.0.1", AddressClass::Loopback),
    ("127.255.255.254", AddressClass::Loopback),
    ("10.0.0.0", AddressClass::Private),
    ("172.16.0.1", AddressClass::Private),
    ("172.31.255.255", AddressClass::Private),
    ("192.168.1.1", AddressClass::Private),
    ("169.254.169.254", AddressClass::LinkLocal),
    ("100.64.0.1", AddressClass::Shared),
    ("100.127.255.255", AddressClass::Shared),
    ("192.0.0.8", AddressClass::Reserved),
    ("192.88.99.1", AddressClass::Reserved),
    ("192.0.2.1", AddressClass::Documentation),
    ("198.51.100.1", AddressClass::Documentation),
    ("203.0.113.7", AddressClass::Documentation),
    ("198.18.0.1", AddressClass::Benchmarking),
    ("198.19.255.255", AddressClass::Benchmarking),
    ("224.0.0.1", AddressClass::Multicast),
    ("239.255.255.250", AddressClass::Multicast),
    ("240.0.0.1", AddressClass::Reserved),
    ("255.255.255.254", AddressClass::Reserved),
    ("255.255.255.255", AddressClass::Broadcast),
    ("2606:4700::1111", AddressClass::Public),
    ("2001:4860:4860::8888", AddressClass::Public),
    ("2001:200::1", AddressClass::Public),
    ("::", AddressClass::Unspecified),
    ("::1", AddressClass::Loopback),
    ("::2", AddressClass::Unspecified),
    ("::ffff:127.0.0.1", AddressClass::Loopback),
    ("::ffff:10.0.0.1", AddressClass::Private),
    ("::ffff:8.8.8.8", AddressClass::Public),
    ("::127.0.0.1", AddressClass::Loopback),
    ("::8.8.8.8", AddressClass::Tunnel),
    ("::ffff:0:127.0.0.1", AddressClass::Loopback),
    ("::ffff:0:8.8.8.8", AddressClass::Tunnel),
    ("64:ff9b::7f00:1", AddressClass::Loopback),
    ("64:ff9b::a9fe:a9fe", AddressClass::LinkLocal),
    ("64:ff9b::808:808", AddressClass::Public),
    ("64:ff9b:1::7f00:1", AddressClass::Tunnel),
    ("64:ff9b:1::808:808", AddressClass::Tunnel),
    ("64:ff9b:2::1", AddressClass::Reserved),
    ("2002:7f00:1::", AddressClass::Loopback),
    ("2002:c0a8:101::1", AddressClass::Private),
    ("2002:808:808::1", AddressClass::Public),
    ("2001::1", AddressClass::Tunnel),
    ("2001:0:53aa:64c::1", AddressClass::Tunnel),
    ("2001:2::1", AddressClass::Benchmarking),
    ("2001:10::1", AddressClass::Reserved),
    ("2001:db8::1", AddressClass::Documentation),
    ("3fff::1", AddressClass::Documentation),
    ("100::1", AddressClass::Discard),
    ("fc00::1", AddressClass::UniqueLocal),
    ("fdff::1", AddressClass::UniqueLocal),
    ("fe80::1", AddressClass::LinkLocal),
    ("febf::1", AddressClass::LinkLocal),
    ("fec0::1", AddressClass::SiteLocal),
    ("ff02::1", AddressClass::Multicast),
    ("4000::1", AddressClass::Reserved),
    ("5f00::1", AddressClass::Reserved),
];

#[test]
fn every_special_range_is_known_at_both_its_ends() {
    for (text, class) in VECTORS {
        let address: IpAddr = text.parse().unwrap();
        assert_eq!(classify(address), *class, "{text}");
    }
}

#[test]
fn only_public_addresses_pass_and_nothing_lifts_that() {
    for (text, class) in VECTORS {
        let verdict = check_address("example.com", text.parse().unwrap());
        if *class == AddressClass::Public {
            assert_eq!(verdict, Ok(()), "{text}");
        } else {
            let denial = verdict.unwrap_err();
            assert_eq!(
                (denial.code.as_str(), denial.rule.as_str()),
                (codes::ADDRESS_NOT_ALLOWED, "address-class")
            );
            assert!(
                denial.subject.contains(class.name()) && denial.subject.contains("example.com"),
                "{denial:?}"
            );
            assert_eq!(denial.fix, None);
        }
    }
}

#[test]
fn a_literal_is_named_once() {
    let denial = check_address("[::1]", "::1".parse().unwrap()).unwrap_err();
    assert_eq!(denial.subject, "::1 (loopback)");
}
