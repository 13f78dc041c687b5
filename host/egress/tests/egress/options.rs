//! `--resolve` and `--connect-to`: what is read, and what is refused with what to write.

use sr_egress::{ConnectRule, ResolveRule};
use sr_policy::CheckedUrl;

fn url(text: &str) -> CheckedUrl {
    CheckedUrl::parse(text).unwrap()
}

#[test]
fn a_resolve_rule_is_about_its_host_and_port_in_any_spelling() {
    let rule: ResolveRule = "EXAMPLE.com.:443:127.0.0.1,10.0.0.1".parse().unwrap();
    let found: Vec<String> = rule
        .addresses_for(&url("https://example.com/"))
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(found, ["127.0.0.1", "10.0.0.1"]);
    for other in [
        "http://example.com/",
        "https://example.com:8443/",
        "https://a.example.com/",
        "https://example.org/",
    ] {
        assert_eq!(rule.addresses_for(&url(other)), None, "{other}");
    }
}

#[test]
fn addresses_may_be_ipv6() {
    for text in ["example.com:80:[::1]", "example.com:80:::1"] {
        let rule: ResolveRule = text.parse().unwrap();
        assert_eq!(
            rule.addresses_for(&url("http://example.com/")).unwrap()[0].to_string(),
            "::1",
            "{text}"
        );
    }
    let rule: ConnectRule = "example.com:80:[::1]:8080".parse().unwrap();
    assert_eq!(
        rule.target_for(&url("http://example.com/"))
            .unwrap()
            .to_string(),
        "[::1]:8080"
    );
    let rule: ConnectRule = "[::1]:80:127.0.0.1:8080".parse().unwrap();
    assert_eq!(
        rule.target_for(&url("http://[::1]/")).unwrap().to_string(),
        "127.0.0.1:8080"
    );
}

#[test]
fn an_international_host_matches_its_ascii_form() {
    let rule: ConnectRule = "bücher.test:80:127.0.0.1:8080".parse().unwrap();
    assert!(
        rule.target_for(&url("http://xn--bcher-kva.test/"))
            .is_some()
    );
}

#[test]
fn a_resolve_rule_of_another_form_is_refused_with_the_reason() {
    for (text, words) in [
        ("", "three parts"),
        ("example.com", "three parts"),
        ("example.com:443", "three parts"),
        (":443:127.0.0.1", "every host"),
        ("*:443:127.0.0.1", "name each host"),
        ("example.com::127.0.0.1", "every port"),
        ("example.com:0:127.0.0.1", "1 to 65535"),
        ("example.com:70000:127.0.0.1", "1 to 65535"),
        ("example.com:+80:127.0.0.1", "1 to 65535"),
        ("example.com:https:127.0.0.1", "1 to 65535"),
        ("example.com:443:", "IP address"),
        ("example.com:443:localhost", "IP address, not a name"),
        ("example.com:443:127.0.0.1,", "IP address"),
        ("exa mple.com:443:127.0.0.1", "not a host name"),
        ("user@example.com:443:127.0.0.1", "not a host name"),
        ("example.com/x:443:127.0.0.1", "not a host name"),
        ("example.com..:443:127.0.0.1", "not a host name"),
    ] {
        let error = text.parse::<ResolveRule>().unwrap_err().to_string();
        assert!(
            error.starts_with("--resolve: ") && error.contains(words),
            "{text}: {error}"
        );
        assert!(
            error.contains("HOST:PORT:ADDR") && error.ends_with(&format!(": {text}")),
            "{text}: {error}"
        );
    }
}

#[test]
fn a_connect_rule_of_another_form_is_refused_with_the_reason() {
    for (text, words) in [
        ("example.com:443:127.0.0.1", "four parts"),
        ("example.com:443:127.0.0.1:1:2", "four parts"),
        ("example.com:443:::1:8080", "four parts"),
        ("::127.0.0.1:8080", "every host"),
        ("example.com:443:other.test:8080", "IP address, not a name"),
        ("example.com:443:127.0.0.1:", "every port"),
        ("example.com:443:127.0.0.1:x", "1 to 65535"),
    ] {
        let error = text.parse::<ConnectRule>().unwrap_err().to_string();
        assert!(
            error.starts_with("--connect-to: ") && error.contains(words),
            "{text}: {error}"
        );
    }
}
