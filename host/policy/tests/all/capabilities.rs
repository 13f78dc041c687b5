//! What a plugin asks for, and which function needs which.

use std::collections::HashSet;

use sr_policy::capability::{TABLE, is_known_interface, markdown_capabilities, needed_for};
use sr_policy::{Capability, Grants};

#[test]
fn every_capability_has_one_line_and_the_same_name_everywhere() {
    let names: HashSet<_> = TABLE.iter().map(|row| row.name).collect();
    assert_eq!((names.len(), TABLE.len()), (8, 8));
    for row in TABLE {
        assert_eq!(row.capability.name(), row.name);
        assert_eq!(row.name.parse::<Capability>().unwrap(), row.capability);
        assert_eq!(
            serde_json::to_string(&row.capability).unwrap(),
            format!("\"{}\"", row.name)
        );
        assert!(markdown_capabilities().contains(&format!("`{}`", row.name)));
    }
    let error = "network".parse::<Capability>().unwrap_err().to_string();
    assert!(
        error.contains("fetch, posts") && error.ends_with(": network"),
        "{error}"
    );
}

#[test]
fn a_function_needs_the_narrowest_capability_that_names_it() {
    let vectors = [
        ("fetch", "send", Some(Capability::Fetch)),
        ("fetch", "anything-later", Some(Capability::Fetch)),
        ("sitedata", "get", Some(Capability::Sitedata)),
        ("browser", "[static]page.current", Some(Capability::Browser)),
        (
            "browser",
            "[method]page.eval",
            Some(Capability::BrowserEval),
        ),
        (
            "browser",
            "[method]page.fetch",
            Some(Capability::BrowserCookies),
        ),
        (
            "browser",
            "[method]page.evaluate",
            Some(Capability::Browser),
        ),
        ("vault", "find", Some(Capability::Vault)),
        ("errand", "read", Some(Capability::Errand)),
        ("log", "write", None),
        ("task", "pause", None),
        ("types", "", None),
        ("", "send", None),
    ];
    for (interface, function, needed) in vectors {
        assert_eq!(
            needed_for(interface, function),
            needed,
            "{interface}.{function}"
        );
    }
    assert!(is_known_interface("log") && is_known_interface("vault"));
    assert!(!is_known_interface("sockets") && !is_known_interface(""));
}

fn grants(domains: &[&str], posts: &[&str], capabilities: &[Capability]) -> Grants {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Grants {
        domains: owned(domains),
        posts: owned(posts),
        capabilities: capabilities.to_vec(),
    }
}

#[test]
fn only_what_is_more_than_held_is_beyond() {
    let held = grants(
        &["*.example.com", "a.test"],
        &["https://a.test/s"],
        &[Capability::Fetch],
    );
    let asked = grants(
        &[
            "x.example.com",
            "*.y.example.com",
            "example.com",
            "*.a.test",
            "a.test",
        ],
        &["https://a.test/s", "https://a.test/t"],
        &[Capability::Fetch, Capability::Vault],
    );
    let beyond = grants(
        &["example.com", "*.a.test"],
        &["https://a.test/t"],
        &[Capability::Vault],
    );
    assert_eq!(asked.beyond(&held), beyond);
    assert!(held.beyond(&held).is_empty());
    assert_eq!(asked.beyond(&Grants::default()), asked);
}

#[test]
fn what_is_in_force_is_in_both_and_legal() {
    let held = grants(
        &["*.example.com", "127.0.0.1"],
        &["https://a.test/s"],
        &[Capability::Fetch, Capability::Posts],
    );
    let asked = grants(
        &["x.example.com", "other.test", "127.0.0.1"],
        &["https://b.test/"],
        &[Capability::Fetch, Capability::Vault],
    );
    assert_eq!(
        asked.within(&held),
        grants(&["x.example.com"], &[], &[Capability::Fetch])
    );
    assert!(asked.within(&Grants::default()).is_empty());
}

#[test]
fn grants_read_back_and_refuse_what_they_do_not_know() {
    let held = grants(&["a.test"], &[], &[Capability::BrowserEval]);
    let json = serde_json::to_string(&held).unwrap();
    assert_eq!(
        json,
        r#"{"domains":["a.test"],"posts":[],"capabilities":["browser.eval"]}"#
    );
    assert_eq!(serde_json::from_str::<Grants>(&json).unwrap(), held);
    assert!(serde_json::from_str::<Grants>(r#"{"domain":[]}"#).is_err());
    assert!(serde_json::from_str::<Grants>(r#"{"capabilities":["root"]}"#).is_err());
}
