//! One parse: what is a URL, and what the request then carries.

use std::net::IpAddr;

use sr_policy::failure::codes;
use sr_policy::{CheckedUrl, Denial, Origin, Scheme, UrlError};

fn parse(text: &str) -> CheckedUrl {
    CheckedUrl::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refusal(text: &str) -> Denial {
    match CheckedUrl::parse(text) {
        Ok(url) => panic!("{text} was accepted as {url}"),
        Err(error) => error.into(),
    }
}

#[test]
fn the_url_that_is_sent_is_the_one_that_was_parsed() {
    let vectors = [
        ("https://ｅｘａｍｐｌｅ.com/", "https://example.com/"),
        ("HTTPS://EXAMPLE.com", "https://example.com/"),
        (
            "https://example.com\\@evil.test/",
            "https://example.com/@evil.test/",
        ),
        ("https:example.com", "https://example.com/"),
        ("https:/\\example.com/a", "https://example.com/a"),
        ("https://example.com./a", "https://example.com/a"),
        ("https://example.com.:443/a", "https://example.com/a"),
        ("https://example.com。/", "https://example.com/"),
        ("https://exa%6dple.com/", "https://example.com/"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://example.com:443/", "https://example.com/"),
        (
            "https://example.com/a/../b?c#d",
            "https://example.com/b?c#d",
        ),
        ("https://127.0.0.1./", "https://127.0.0.1/"),
        ("https://@example.com/", "https://example.com/"),
    ];
    for (text, sent) in vectors {
        assert_eq!(parse(text).as_str(), sent, "{text}");
    }
}

#[test]
fn every_number_spelling_of_an_address_is_that_address() {
    let vectors = [
        ("http://2130706433/", "127.0.0.1"),
        ("http://0177.0.0.1/", "127.0.0.1"),
        ("http://0x7f.1/", "127.0.0.1"),
        ("http://127.1/", "127.0.0.1"),
        ("http://017700000001/", "127.0.0.1"),
        ("http://0/", "0.0.0.0"),
        ("https://127。0。0。1/", "127.0.0.1"),
        ("https://127．0｡0.1/", "127.0.0.1"),
        ("http://[::ffff:127.0.0.1]/", "::ffff:127.0.0.1"),
        ("http://[::1]/", "::1"),
    ];
    for (text, address) in vectors {
        let address: IpAddr = address.parse().unwrap();
        assert_eq!(parse(text).ip(), Some(address), "{text}");
    }
}

#[test]
fn a_user_name_or_password_is_refused_whatever_the_host() {
    for text in [
        "https://example.com@evil.test/",
        "https://example.com:443@evil.test/",
        "https://example.com%20@evil.test/",
        "https://user@example.com/",
        "https://user:secret@example.com/",
        "https://:secret@example.com/",
        "https:\\\\user@example.com",
    ] {
        let denial = refusal(text);
        assert_eq!(
            (denial.code.as_str(), denial.rule.as_str()),
            (codes::USERINFO_NOT_ALLOWED, "userinfo"),
            "{text}"
        );
        assert_eq!(denial.fix, None);
        assert!(!denial.subject.contains("secret"), "{denial:?}");
    }
    assert_eq!(
        refusal("https://example.com@evil.test/").subject,
        "evil.test"
    );
}

#[test]
fn only_http_and_https_exist() {
    for text in [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "java\nscript:alert(1)",
        " javascript:alert(1)",
        "chrome://settings",
        "devtools://devtools/bundled/inspector.html",
        "file:///etc/passwd",
        "view-source:https://example.com/",
        "filesystem:https://example.com/temporary/x",
        "ftp://example.com/",
        "data:text/html,x",
        "blob:https://evil.test/x",
        "about:blank",
        "ws://example.com/",
        "chrome-extension://abc/x",
    ] {
        let denial = refusal(text);
        assert_eq!(
            (denial.code.as_str(), denial.rule.as_str()),
            (codes::SCHEME_NOT_ALLOWED, "scheme"),
            "{text}"
        );
    }
}

#[test]
fn a_host_no_name_server_can_have_is_refused() {
    let long_label = format!("https://{}.com/", "a".repeat(64));
    let long_host = format!("https://{}com/", "abcdefg.".repeat(32));
    for text in [
        "https://example..com/",
        "https://.example.com/",
        "https://example.com../",
        "https://*.example.com/",
        "https://exa_mple.com/",
        "https://-a.example.com/",
        "https://a-.example.com/",
        "https://exam!ple.com/",
        "https://xn--/",
        "http://1.1.1.1.1/",
        "http://256.0.0.1/",
        "http://example.0/",
        "https://[::1/",
        "https://[::g]/",
        "https:///",
        "https://./",
        long_label.as_str(),
        long_host.as_str(),
    ] {
        let denial = refusal(text);
        assert_eq!(denial.code, codes::URL_NOT_ACCEPTED, "{text}: {denial:?}");
        assert!(denial.subject.is_ascii() && denial.subject.len() <= 255);
    }
}

#[test]
fn what_is_not_an_absolute_url_is_refused() {
    for text in [
        "",
        "/path",
        "example.com",
        "//example.com/",
        "https://example.com:99999/",
        "https://example.com:x/",
    ] {
        let denial = refusal(text);
        assert_eq!(denial.code, codes::URL_NOT_ACCEPTED, "{text}");
        assert_eq!(denial.rule, "url-syntax", "{text}");
    }
}

#[test]
fn a_message_about_a_broken_url_has_no_query_and_no_user_name() {
    for text in [
        "//user:secret@example.com/?token=secret",
        "https://user:secret@example.com:99999/#secret",
    ] {
        let error = CheckedUrl::parse(text).unwrap_err();
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}

#[test]
fn eight_kibibytes_are_the_longest_url() {
    let longest = format!("https://example.com/{}", "a".repeat(8192 - 20));
    assert_eq!(parse(&longest).as_str().len(), 8192);
    assert_eq!(
        CheckedUrl::parse(&format!("{longest}a")),
        Err(UrlError::TooLong { bytes: 8193 })
    );
    // Short as typed, too long as sent.
    let grows = format!("https://example.com/{}", "é".repeat(2000));
    assert!(matches!(
        CheckedUrl::parse(&grows),
        Err(UrlError::TooLong { .. })
    ));
    assert!(matches!(
        parse("https://example.com/").join(&"a".repeat(9000)),
        Err(UrlError::TooLong { .. })
    ));
}

#[test]
fn a_reference_is_resolved_and_checked_like_a_url() {
    let base = parse("https://example.com/a/b?c");
    assert_eq!(base.join("../d").unwrap().as_str(), "https://example.com/d");
    assert_eq!(base.join("//evil.test/x").unwrap().host(), "evil.test");
    assert_eq!(base.join("/\\evil.test/x").unwrap().host(), "evil.test");
    assert!(matches!(
        base.join("javascript:1"),
        Err(UrlError::Scheme { .. })
    ));
    assert!(matches!(
        base.join("https://u@example.com"),
        Err(UrlError::Userinfo { .. })
    ));
    assert!(matches!(
        base.join("//a_b.test"),
        Err(UrlError::Host { .. })
    ));
}

#[test]
fn the_parts_are_what_a_request_needs() {
    let url = parse("http://Example.com:8080/a%20b/?q=1&q=%26#top");
    assert_eq!(url.scheme(), Scheme::Http);
    assert_eq!(
        (url.host(), url.port(), url.has_default_port()),
        ("example.com", 8080, false)
    );
    assert_eq!(url.authority(), "example.com:8080");
    assert_eq!(
        (url.path(), url.path_and_query(), url.query()),
        ("/a%20b/", "/a%20b/?q=1&q=%26", Some("q=1&q=%26"))
    );
    assert_eq!(url.without_query(), "http://example.com:8080/a%20b/");
    let pairs: Vec<_> = url
        .query_pairs()
        .map(|(name, value)| format!("{name}:{value}"))
        .collect();
    assert_eq!(pairs, ["q:1", "q:&"]);
    let address = parse("https://[2606:4700::1]/");
    assert_eq!(
        (address.host(), address.authority().as_str(), address.port()),
        ("[2606:4700::1]", "[2606:4700::1]", 443)
    );
    assert_eq!(parse("https://example.com?x").path_and_query(), "/?x");
}

#[test]
fn an_origin_is_scheme_host_and_port_and_nothing_else() {
    assert_eq!(
        parse("https://example.com:443/x").origin().to_string(),
        "https://example.com"
    );
    assert_eq!(
        parse("http://example.com:443/x").origin().to_string(),
        "http://example.com:443"
    );
    assert_eq!(
        Origin::parse("https://EXAMPLE.com.").unwrap(),
        parse("https://example.com/y?z").origin()
    );
    assert_ne!(
        parse("http://example.com").origin(),
        parse("https://example.com").origin()
    );
    for text in [
        "https://example.com/a",
        "https://example.com/?",
        "https://example.com/?a",
        "https://example.com/#a",
    ] {
        assert!(Origin::parse(text).is_err(), "{text}");
    }
}
