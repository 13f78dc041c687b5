//! Illegal domains and posts: each named at install, the legal rest in force later.

use serde_json::{Value, json};
use sr_plugin::{Package, Strictness};
use sr_policy::CheckedUrl;

use crate::support::{Folder, manifest_with};

fn each_is_named_at_install_and_not_in_force_later(illegal: &[&str]) {
    let mut all = vec!["ok.example.com"];
    all.extend(illegal);
    let folder = Folder::with_manifest(&manifest_with("domains", json!(all)));
    let message = folder.refusal();
    let lines: Vec<_> = message.lines().collect();
    assert_eq!(lines.len(), illegal.len(), "{message}");
    for (line, entry) in lines.iter().zip(illegal) {
        assert!(
            line.starts_with(&format!("sr-plugin.json: domains: \"{entry}\": ")),
            "{line}"
        );
        assert!(line.contains("; "), "says what to write: {line}");
    }
    let package = Package::read(&folder.open(), Strictness::Installed).unwrap();
    assert_eq!(package.asks().domains, ["ok.example.com"]);
    assert_eq!(
        package.allowlist().entries().collect::<Vec<_>>(),
        ["ok.example.com"]
    );
    assert_eq!(package.illegal_domains().len(), illegal.len());
}

#[test]
fn a_scheme_is_illegal() {
    each_is_named_at_install_and_not_in_force_later(&["https://demo.example.com"]);
}

#[test]
fn a_port_is_illegal() {
    each_is_named_at_install_and_not_in_force_later(&["demo.example.com:8443"]);
}

#[test]
fn addresses_are_illegal() {
    each_is_named_at_install_and_not_in_force_later(&["203.0.113.7", "10.0.0.5", "[2001:db8::1]"]);
}

#[test]
fn loopback_is_illegal_in_every_spelling() {
    each_is_named_at_install_and_not_in_force_later(&[
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
    ]);
}

#[test]
fn odd_entries_are_illegal() {
    each_is_named_at_install_and_not_in_force_later(&[
        "",
        " ",
        "demo.example.com ",
        "demo example.com",
        "a..b.com",
        "-a.example.com",
        "a_b.example.com",
        "www*.com",
        "a.*.com",
        "*.*.example.com",
        "user@demo.example.com",
        "demo.example:443",
        "*",
        "*foo",
        "demo.example.com/path",
        "demo.example.com?query",
    ]);
}

#[test]
fn a_wildcard_on_a_public_suffix_is_illegal() {
    each_is_named_at_install_and_not_in_force_later(&["*.co.uk", "*.com", "*.github.io"]);
    let folder = Folder::with_manifest(&manifest_with("domains", json!(["*.me.github.io"])));
    assert_eq!(folder.read().unwrap().asks().domains, ["*.me.github.io"]);
}

#[test]
fn an_entry_cannot_write_to_the_terminal() {
    let folder = Folder::with_manifest(&manifest_with(
        "domains",
        json!(["a\u{1b}[31mb.com", "a\u{202e}b.com"]),
    ));
    let message = folder.refusal();
    assert!(
        message.is_ascii() && !message.contains('\u{1b}'),
        "{message:?}"
    );
}

#[test]
fn no_domains_is_an_empty_list_that_allows_nothing() {
    for value in [Value::Null, json!([])] {
        let package = Folder::with_manifest(&manifest_with("domains", value))
            .read()
            .unwrap();
        assert!(package.asks().domains.is_empty());
        let url = CheckedUrl::parse("https://demo.example.com/").unwrap();
        assert!(package.allowlist().check(&url).is_err());
    }
}

#[test]
fn bundled_sitedata_joins_the_domains_under_the_same_rules() {
    let folder = Folder::with_sitedata(
        r#"{"version": "1", "domains": ["cdn.example.com", "demo.example.com"]}"#,
    );
    assert_eq!(
        folder.read().unwrap().asks().domains,
        ["demo.example.com", "cdn.example.com"]
    );

    let folder = Folder::with_sitedata(
        r#"{"version": "1", "domains": ["*.com", "evil.example", "10.0.0.1"]}"#,
    );
    let message = folder.refusal();
    assert!(
        message.contains("sitedata.json: domains: \"*.com\""),
        "{message}"
    );
    assert!(
        message.contains("sitedata.json: domains: \"10.0.0.1\""),
        "{message}"
    );
    assert!(
        !message.contains("evil.example"),
        "a legal name of another site is the person's to grant"
    );
}

fn posts(list: &[&str]) -> Folder {
    let mut manifest = manifest_with("posts", json!(list));
    manifest["capabilities"] = json!(["fetch", "posts"]);
    Folder::with_manifest(&manifest)
}

#[test]
fn a_post_is_a_whole_https_url_within_the_domains() {
    let package = posts(&["https://demo.example.com/search"]).read().unwrap();
    assert_eq!(package.asks().posts, ["https://demo.example.com/search"]);
    assert_eq!(package.posts().len(), 1);
    for (url, says) in [
        ("http://demo.example.com/search", "only https"),
        ("https://other.example.com/search", "not within the domains"),
        (
            "https://demo.example.com:8443/search",
            "not within the domains",
        ),
        ("https://demo.example.com/search?q=1", "query"),
        ("https://demo.example.com/search#x", "fragment"),
        ("https://me@demo.example.com/search", "user"),
        ("/search", "https"),
    ] {
        let folder = posts(&[url, "https://demo.example.com/ok"]);
        let message = folder.refusal();
        assert!(message.contains(says) && message.contains(url), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        let package = Package::read(&folder.open(), Strictness::Installed).unwrap();
        assert_eq!(package.asks().posts, ["https://demo.example.com/ok"]);
    }
}

#[test]
fn a_post_on_an_illegal_domain_is_not_in_force() {
    let mut manifest = manifest_with("posts", json!(["https://a.com/search"]));
    manifest["capabilities"] = json!(["fetch", "posts"]);
    manifest["domains"] = json!(["*.com"]);
    let package = Package::read(
        &Folder::with_manifest(&manifest).open(),
        Strictness::Installed,
    )
    .unwrap();
    assert!(package.asks().posts.is_empty() && package.asks().domains.is_empty());
}
