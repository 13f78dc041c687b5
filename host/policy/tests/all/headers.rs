//! Which headers a plugin may send, and which are secrets.

use sr_policy::failure::codes;
use sr_policy::headers::{check_request_headers, dropped_on_cross_origin, is_sensitive};

fn rule(name: &str, value: &str) -> Option<String> {
    let denial = check_request_headers(&[(name.to_owned(), value.to_owned())]).err()?;
    assert_eq!(denial.code, codes::HEADER_NOT_ALLOWED);
    assert!(denial.subject.is_ascii() && denial.subject.len() <= 255);
    Some(denial.rule)
}

#[test]
fn headers_that_say_where_a_request_goes_belong_to_the_host() {
    for name in [
        "Host",
        "host",
        "HOST",
        " host",
        "host ",
        ":authority",
        ":path",
        ":anything",
        "X-Forwarded-Host",
        "x_forwarded_host",
        "X-Forwarded-For",
        "Forwarded",
        "Connection",
        "Keep-Alive",
        "Transfer-Encoding",
        "transfer_encoding",
        "TE",
        "Trailer",
        "Upgrade",
        "Proxy-Authorization",
        "Proxy-Connection",
        "Content-Length",
        "Expect",
        "Accept-Encoding",
        "HTTP2-Settings",
        "Sec-Fetch-Site",
        "Sec-WebSocket-Key",
        "Via",
        "Alt-Svc",
        "X-Original-URL",
        "X-Rewrite-URL",
    ] {
        assert_eq!(
            rule(name, "evil.test").as_deref(),
            Some("host-owned-header"),
            "{name}"
        );
    }
}

#[test]
fn a_get_cannot_be_turned_into_a_write_by_a_header() {
    for name in [
        "X-HTTP-Method-Override",
        "x_http_method_override",
        "X-HTTP-Method",
        "X-Method-Override",
    ] {
        assert_eq!(
            rule(name, "DELETE").as_deref(),
            Some("method-override"),
            "{name}"
        );
    }
}

#[test]
fn a_name_is_a_token_and_a_value_one_line() {
    for name in ["", "a b", "a:b", "a\r\nhost", "ünder", "a\0", "(a)"] {
        assert_eq!(rule(name, "x").as_deref(), Some("header-name"), "{name:?}");
    }
    for value in [
        "a\r\nHost: evil.test",
        "a\nb",
        "a\rb",
        "a\0b",
        "\u{1b}[2J",
        "\u{7f}",
    ] {
        assert_eq!(
            rule("x-a", value).as_deref(),
            Some("header-value"),
            "{value:?}"
        );
    }
}

#[test]
fn ordinary_headers_pass() {
    for (name, value) in [
        ("Accept", "text/html"),
        ("User-Agent", "x/1"),
        ("Cookie", "a=b"),
        ("Origin", "https://example.com"),
        ("Referer", "https://example.com/"),
        ("Authorization", "Bearer x"),
        ("Content-Type", "application/json"),
        ("X-Requested-With", "a\tb"),
        ("Range", "bytes=0-1"),
        ("x-note", "größe"),
        ("Upgrade-Insecure-Requests", "1"),
        ("x-empty", ""),
    ] {
        assert_eq!(rule(name, value), None, "{name}");
    }
}

#[test]
fn number_and_size_are_bounded() {
    let many = |count: usize| vec![("x-a".to_owned(), "b".to_owned()); count];
    assert_eq!(check_request_headers(&many(64)), Ok(()));
    assert_eq!(
        check_request_headers(&many(65)).unwrap_err().rule,
        "header-count"
    );
    let large = |bytes: usize| vec![("x-a".to_owned(), "b".repeat(bytes - 3))];
    assert_eq!(check_request_headers(&large(32 * 1024)), Ok(()));
    assert_eq!(
        check_request_headers(&large(32 * 1024 + 1))
            .unwrap_err()
            .rule,
        "header-bytes"
    );
}

#[test]
fn secrets_are_known_by_name_and_stay_on_their_origin() {
    for name in [
        "Authorization",
        "proxy-authorization",
        "Cookie",
        "Set-Cookie",
        "X-Api-Key",
        "X-Auth-Token",
        "X-CSRF-Token",
        "x-session-id",
        "X-Amz-Security-Token",
        "x-client-secret",
        "X-Auth",
    ] {
        assert!(
            is_sensitive(name) && dropped_on_cross_origin(name),
            "{name}"
        );
    }
    assert!(dropped_on_cross_origin("Proxy-Whatever"));
    for name in [
        "Accept",
        "Content-Type",
        "X-Author",
        "ETag",
        "WWW-Authenticate",
        "X-Keyboard",
    ] {
        assert!(
            !is_sensitive(name) && !dropped_on_cross_origin(name),
            "{name}"
        );
    }
}
