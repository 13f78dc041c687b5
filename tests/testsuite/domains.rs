//! The domains a manifest asks for: what may stand there, and what happens when something else does.

use serde_json::json;

use crate::support::{Package, Reply, Run, Sandbox, Server};

const SCHEMES: &[&str] = &["https://demo.example.com", "demo.example.com/path"];
const PORTS: &[&str] = &["demo.example.com:8443", "demo.example:443"];
const ADDRESSES: &[&str] = &["203.0.113.7", "10.0.0.5", "[2001:db8::1]"];
const LOOPBACK: &[&str] = &[
    "localhost",
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "*.localhost",
    "0.0.0.0",
    "169.254.169.254",
];
const ODD: &[&str] = &[
    "",
    " ",
    "demo.example.com ",
    "a..b.com",
    "-a.example.com",
    "a_b.example.com",
    "www*.com",
    "*foo",
    "a.*.com",
    "*.*.example.com",
    "user@demo.example.com",
    "*",
];

/// Refused, each entry named, nothing written.
#[track_caller]
fn refused(entries: &[&str]) -> Run {
    let mut domains = vec!["example.com"];
    domains.extend(entries);
    let package = Package::every_case().domains(&domains);
    let sandbox = Sandbox::new();
    let mut run = sandbox.install(&package).refused();
    for entry in entries.iter().filter(|entry| !entry.trim().is_empty()) {
        run = run.stderr_contains(entry);
    }
    sandbox.wrote_nothing();
    run
}

/// An installed plugin whose manifest is edited to hold these keeps the legal rest, and only that.
#[track_caller]
fn only_the_legal_rest_is_in_force(entries: &[&str], url: &str) {
    let package = Package::every_case().domains(&["example.com"]);
    let sandbox = Sandbox::with(&package);
    let mut domains = vec!["example.com"];
    domains.extend(entries);
    package.edit(|manifest| manifest["domains"] = json!(domains));
    let server = Server::always(Reply::ok("here"));
    sandbox
        .fetch_from(&server, "http://example.com/", &[])
        .exit(0)
        .stdout_contains("here");
    sandbox.fetch(url, &[]).exit(68);
}

#[test]
fn an_entry_that_is_no_host_name_is_named_and_refused() {
    refused(SCHEMES).proves("domain-scheme").proves("attack-18");
    refused(PORTS).proves("domain-port").proves("B010");
    refused(ODD).proves("domain-odd");
    only_the_legal_rest_is_in_force(SCHEMES, "https://demo.example.com/");
    only_the_legal_rest_is_in_force(PORTS, "https://demo.example.com:8443/");
    only_the_legal_rest_is_in_force(ODD, "https://a_b.example.com/");
}

#[test]
fn a_star_elsewhere_matches_nothing_even_when_installed() {
    refused(&["www*.com", "a.*.com", "*.*.example.com"]).proves("B003");
    only_the_legal_rest_is_in_force(&["www*.com", "a.*.com", "*"], "https://www1.com/");
}

#[test]
fn an_address_is_no_entry_in_any_spelling() {
    refused(ADDRESSES).proves("domain-ip");
    let run = refused(LOOPBACK).proves("domain-loopback");
    run.proves("B012");
    only_the_legal_rest_is_in_force(ADDRESSES, "https://203.0.113.7/");
    only_the_legal_rest_is_in_force(LOOPBACK, "http://127.0.0.1/");
    for entry in ADDRESSES.iter().chain(LOOPBACK) {
        refused(&[entry]);
    }
}

#[test]
fn a_wildcard_over_a_public_suffix_is_refused() {
    for entry in ["*.co.uk", "*.github.io"] {
        refused(&[entry]).proves("attack-19");
    }
    refused(&["*.com"]);
    let package = Package::every_case().domains(&["*.me.github.io"]);
    Sandbox::new().install(&package).exit(0);
}

#[test]
fn no_domains_is_an_empty_list_and_refused_when_strict() {
    let without_key = |manifest: &mut serde_json::Value| {
        manifest.as_object_mut().unwrap().remove("domains");
    };
    for package in [
        Package::every_case().domains(&[]),
        Package::every_case().domains(&[]).manifest(without_key),
    ] {
        let sandbox = Sandbox::with(&package);
        let run = sandbox
            .fetch("https://example.com/", &[])
            .proves("domains-missing");
        assert_eq!(
            run.stderr.matches("no domains").count(),
            1,
            "{}",
            run.stderr
        );
        let sandbox = sandbox.env("SR_STRICT_DOMAINS", "1");
        sandbox.fetch("https://example.com/", &[]).exit(78);
        let fresh = Sandbox::new().env("SR_STRICT_DOMAINS", "1");
        fresh
            .install(&package)
            .exit(78)
            .stderr_contains("no domains");
        fresh.wrote_nothing();
    }
}

#[test]
fn bundled_sitedata_follows_the_same_rules() {
    let with_sitedata = |domains: &[&str]| {
        let package = Package::every_case()
            .domains(&["demo.example.com"])
            .manifest(|manifest| manifest["sitedata"] = json!("sitedata.json"));
        let sitedata = json!({ "version": "2026.01.01", "domains": domains });
        package.put("sitedata.json", sitedata.to_string());
        package
    };
    let sandbox = Sandbox::new();
    sandbox
        .install(&with_sitedata(&["*.com", "evil.example"]))
        .proves("sitedata-widens-domains");
    sandbox.wrote_nothing();
    // What is legal there is asked for like the manifest's own.
    sandbox
        .install(&with_sitedata(&["data.example.com"]))
        .exit(0)
        .stdout_contains("data.example.com");
}
