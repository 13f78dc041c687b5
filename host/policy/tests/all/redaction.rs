//! Secrets out of URLs and headers.

use sr_policy::redact::{header_value, is_credential, url, words};

#[test]
fn sensitive_parameters_lose_their_value_and_keep_their_name() {
    let vectors = [
        (
            "https://a.test/x?token=abc&q=lamp",
            "https://a.test/x?token=<redacted>&q=lamp",
        ),
        (
            "https://a.test/x?q=1&access_token=abc#frag",
            "https://a.test/x?q=1&access_token=<redacted>#frag",
        ),
        (
            "https://a.test/#id_token=abc&state=1",
            "https://a.test/#id_token=<redacted>&state=1",
        ),
        (
            "https://a.test/?API-Key=abc",
            "https://a.test/?API-Key=<redacted>",
        ),
        (
            "https://a.test/?to%6ben=abc",
            "https://a.test/?to%6ben=<redacted>",
        ),
        (
            "https://a.test/?sig=abc&X-Amz-Signature=d&sid=1",
            "https://a.test/?sig=<redacted>&X-Amz-Signature=<redacted>&sid=<redacted>",
        ),
        (
            "https://a.test/?password=",
            "https://a.test/?password=<redacted>",
        ),
        (
            "https://a.test/?code=DE&key=lamp",
            "https://a.test/?code=DE&key=lamp",
        ),
        (
            "https://a.test/?code=4/0AX4XfWh-abcdef",
            "https://a.test/?code=<redacted>",
        ),
        (
            "https://a.test/?author=ann&keyword=x&page=2",
            "https://a.test/?author=ann&keyword=x&page=2",
        ),
        ("https://u:p@a.test/x", "https://<redacted>@a.test/x"),
        ("/login?session_id=9", "/login?session_id=<redacted>"),
        (
            "https://a.test/?v=Bearer%20abcdefghij",
            "https://a.test/?v=<redacted>",
        ),
        (
            "https://a.test/bot/ghp_abcdefghijklmnop/x",
            "https://a.test/bot/<redacted>/x",
        ),
        (
            "https://a.test/?ghp_abcdefghijklmnop",
            "https://a.test/?<redacted>",
        ),
        ("https://a.test/a@b/c", "https://a.test/a@b/c"),
        ("", ""),
    ];
    for (text, redacted) in vectors {
        assert_eq!(url(text), redacted, "{text}");
        assert_eq!(url(redacted), redacted, "twice: {text}");
    }
}

#[test]
fn credential_shapes_are_known() {
    for value in [
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        "Bearer abcdefghijk",
        "basic dXNlcjpwYXNz",
        "ghp_abcdefghijklmnop",
        "AKIAIOSFODNN7EXAMPLE",
        "-----BEGIN PRIVATE KEY-----",
        "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3",
    ] {
        assert!(is_credential(value), "{value}");
    }
    for value in [
        "lamp",
        "1706.03762",
        "2026-11-30T10:00:00Z",
        "d670460b4b4aece5915caf5c68d12f560a9fe3e4",
        "550e8400-e29b-41d4-a716-446655440000",
        "the quick brown fox jumps over the lazy dog 12 Times",
        "sk-short",
    ] {
        assert!(!is_credential(value), "{value}");
    }
}

#[test]
fn header_values_go_by_name_and_by_shape() {
    assert_eq!(header_value("Authorization", "x"), "<redacted>");
    assert_eq!(header_value("set-cookie", "a=b"), "<redacted>");
    assert_eq!(header_value("x-custom", "Bearer abcdefghijk"), "<redacted>");
    assert_eq!(
        header_value("Location", "https://a.test/?token=x"),
        "https://a.test/?token=<redacted>"
    );
    assert_eq!(
        header_value("content-type", "text/html; charset=utf-8"),
        "text/html; charset=utf-8"
    );
    assert_eq!(header_value("Authorization", "<redacted>"), "<redacted>");
}

#[test]
fn a_line_of_text_loses_its_secrets_and_keeps_its_words() {
    let made = words(
        "get https://u:p@a.test/?token=abc&page=2 with  token=abc page=2 Bearer abcdefgh end",
    );
    assert_eq!(
        made,
        "get https://<redacted>@a.test/?token=<redacted>&page=2 with token=<redacted> page=2 Bearer <redacted> end"
    );
    assert_eq!(words(&made), made);
    assert_eq!(words("key ghp_abcdefghijklmnop"), "key <redacted>");
    assert_eq!(words("basic facts"), "basic facts");
    assert_eq!(words(""), "");
}
