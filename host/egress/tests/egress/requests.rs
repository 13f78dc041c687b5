//! What leaves is what was checked, within the limits.

use sr_egress::FetchRequest;
use sr_policy::failure::codes;
use sr_policy::request::Phase;

use crate::support::*;

/// Runs a request against a server that must hear of it or not.
async fn refused(
    policy: &sr_policy::request::RequestPolicy,
    request: FetchRequest,
) -> sr_policy::Failure {
    let server = Server::answering(|_| ok("sent")).await;
    let failure = run(policy, &example_at(&server), request)
        .await
        .unwrap_err();
    assert_eq!(server.connections(), 0);
    failure
}

#[tokio::test]
async fn the_url_that_was_parsed_is_the_url_that_is_sent() {
    for (url, line) in [
        (
            "http://example.com\\@evil.test/",
            "GET /@evil.test/ HTTP/1.1",
        ),
        (
            "http://example.com//evil.test/x",
            "GET //evil.test/x HTTP/1.1",
        ),
        (
            "http://ｅｘａｍｐｌｅ.com/ü?q=a b#part",
            "GET /%C3%BC?q=a%20b HTTP/1.1",
        ),
        ("http://example.com./", "GET / HTTP/1.1"),
        ("http:example.com", "GET / HTTP/1.1"),
        ("http://example.com?a=|^`{}\\", "GET /?a=|^`{}\\ HTTP/1.1"),
        (
            "http://example.com/a|b^c[d]?x=[1]",
            "GET /a|b^c[d]?x=[1] HTTP/1.1",
        ),
        (
            "http://example.com/%0d%0ax: y",
            "GET /%0d%0ax:%20y HTTP/1.1",
        ),
        ("http://example.com/\r\nx: y", "GET /x:%20y HTTP/1.1"),
    ] {
        let server = Server::answering(|_| ok("sent")).await;
        run(&reading(&["example.com"]), &example_at(&server), get(url))
            .await
            .unwrap_or_else(|error| panic!("{url}: {error:?}"));
        let requests = server.requests();
        assert_eq!(requests[0].lines().next(), Some(line), "{url}");
        assert_eq!(header(&requests[0], "host"), Some("example.com"), "{url}");
    }
}

#[tokio::test]
async fn only_the_allowlist_opens_a_host() {
    for url in [
        "http://evil.test/",
        "http://example.com.evil.test/",
        "http://example.com@evil.test/",
        "http://sub.example.com/",
    ] {
        denial::<()>(Err(refused(&reading(&["example.com"]), get(url)).await));
    }
    let nothing = denial::<()>(Err(refused(&reading(&[]), get("http://example.com/")).await));
    assert_eq!(nothing.code, codes::DOMAIN_NOT_ALLOWED);
    let not_granted = sr_policy::request::RequestPolicy {
        fetch: false,
        ..reading(&["example.com"])
    };
    let capability = denial::<()>(Err(refused(&not_granted, get("http://example.com/")).await));
    assert_eq!(capability.code, codes::CAPABILITY_NOT_GRANTED);
}

#[tokio::test]
async fn nothing_leaves_while_metadata_is_read_or_a_write_is_prepared() {
    let metadata = policy(&["example.com"], Phase::Metadata, &[]);
    let denied = denial::<()>(Err(refused(&metadata, get("http://example.com/")).await));
    assert_eq!(denied.code, codes::NOT_DURING_METADATA);
    let prepare = policy(
        &["example.com"],
        Phase::Prepare,
        &["http://example.com/order"],
    );
    let denied = denial::<()>(Err(refused(
        &prepare,
        post("http://example.com/order", "x"),
    )
    .await));
    assert_eq!(denied.code, codes::NOT_DURING_PREPARE);
    let read = policy(&["example.com"], Phase::Read, &[]);
    let denied = denial::<()>(Err(
        refused(&read, post("http://example.com/order", "x")).await
    ));
    assert_eq!(denied.code, codes::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn a_listed_post_arrives_with_its_body() {
    let server = Server::answering(|_| ok("found")).await;
    let policy = policy(
        &["example.com"],
        Phase::Read,
        &["http://example.com/search"],
    );
    run(
        &policy,
        &example_at(&server),
        post("http://example.com/search?page=2", "q=ü"),
    )
    .await
    .unwrap();
    let requests = server.requests();
    assert!(
        requests[0].starts_with("POST /search?page=2 HTTP/1.1\r\n"),
        "{requests:?}"
    );
    assert!(requests[0].ends_with("\r\n\r\nq=ü"), "{requests:?}");
    assert_eq!(header(&requests[0], "content-length"), Some("4"));
}

#[tokio::test]
async fn a_post_without_a_body_declares_an_empty_one() {
    let server = Server::answering(|_| ok("done")).await;
    let request = FetchRequest {
        body: None,
        ..post("http://example.com/", "")
    };
    run(
        &policy(&["example.com"], Phase::Commit, &[]),
        &example_at(&server),
        request,
    )
    .await
    .unwrap();
    assert_eq!(header(&server.requests()[0], "content-length"), Some("0"));
}

#[tokio::test]
async fn headers_of_the_host_are_refused_in_any_spelling() {
    for name in [
        "Host",
        "host",
        ":authority",
        "X-Forwarded-Host",
        "Connection",
        "Transfer-Encoding",
        "Upgrade",
        "Proxy-Authorization",
        "content-length",
        "Accept-Encoding",
        "TE",
        "x_forwarded_for",
    ] {
        let request = FetchRequest {
            headers: headers(&[(name, "evil.test")]),
            ..get("http://example.com/")
        };
        let denied = denial::<()>(Err(refused(&reading(&["example.com"]), request).await));
        assert_eq!(denied.code, codes::HEADER_NOT_ALLOWED, "{name}");
    }
}

#[tokio::test]
async fn a_line_break_never_gets_into_a_header() {
    for (name, value) in [
        ("x-a", "b\r\nx-c: d"),
        ("x-a", "b\nx-c: d"),
        ("x-a\r\nx-c", "d"),
        ("x a", "b"),
        ("", "b"),
        ("x-a", "b\0"),
    ] {
        let request = FetchRequest {
            headers: headers(&[(name, value)]),
            ..get("http://example.com/")
        };
        let denied = denial::<()>(Err(refused(&reading(&["example.com"]), request).await));
        assert_eq!(
            denied.code,
            codes::HEADER_NOT_ALLOWED,
            "{name:?}: {value:?}"
        );
    }
}

#[tokio::test]
async fn headers_are_sent_as_given_and_the_hosts_own_are_added() {
    let server = Server::answering(|_| ok("sent")).await;
    let transport = example_at(&server);
    let request = FetchRequest {
        headers: headers(&[("X-Twice", "1"), ("x-twice", "2"), ("Accept", "text/html")]),
        ..get("http://example.com/")
    };
    run(&reading(&["example.com"]), &transport, request)
        .await
        .unwrap();
    let request = FetchRequest {
        headers: headers(&[("User-Agent", "my own")]),
        ..get("http://example.com/")
    };
    run(&reading(&["example.com"]), &transport, request)
        .await
        .unwrap();
    let requests = server.requests();
    assert_eq!(requests[0].matches("x-twice: ").count(), 2, "{requests:?}");
    assert_eq!(requests[0].matches("host: ").count(), 1, "{requests:?}");
    assert_eq!(header(&requests[0], "accept"), Some("text/html"));
    assert_eq!(header(&requests[0], "user-agent"), Some("sr-runtime/0.1.0"));
    assert_eq!(header(&requests[1], "user-agent"), Some("my own"));
    assert_eq!(
        requests[1].matches("user-agent: ").count(),
        1,
        "{requests:?}"
    );
}

#[tokio::test]
async fn an_unknown_method_is_refused_and_so_is_lower_case() {
    for method in [
        "get",
        "CONNECT",
        "TRACE",
        "",
        "GET /x HTTP/1.1\r\nx: y",
        "PROPFIND",
    ] {
        let request = FetchRequest {
            method: method.to_owned(),
            ..get("http://example.com/")
        };
        let commit = policy(&["example.com"], Phase::Commit, &[]);
        let (name, reason) = invalid::<()>(Err(refused(&commit, request).await));
        assert_eq!(name, "method");
        assert!(
            reason.contains("GET, HEAD") && !reason.contains('\r'),
            "{reason}"
        );
    }
}

#[tokio::test]
async fn each_limit_is_refused_with_its_number() {
    let commit = policy(&["example.com"], Phase::Commit, &[]);
    let url = "http://example.com/";
    let slow = FetchRequest {
        timeout_ms: 60_001,
        ..get(url)
    };
    assert_eq!(
        invalid::<()>(Err(refused(&commit, slow).await)).0,
        "timeout-ms"
    );
    let big = FetchRequest {
        max_bytes: 16 * 1024 * 1024 + 1,
        ..get(url)
    };
    assert_eq!(
        invalid::<()>(Err(refused(&commit, big).await)).0,
        "max-bytes"
    );
    let body = FetchRequest {
        body: Some(vec![0; 16 * 1024 * 1024 + 1]),
        ..post(url, "")
    };
    assert_eq!(invalid::<()>(Err(refused(&commit, body).await)).0, "body");
    let on_get = FetchRequest {
        body: Some(b"x".to_vec()),
        ..get(url)
    };
    assert_eq!(invalid::<()>(Err(refused(&commit, on_get).await)).0, "body");
    let many = (0..65)
        .map(|number| (format!("x-{number}"), "v".to_owned()))
        .collect();
    denial::<()>(Err(refused(
        &commit,
        FetchRequest {
            headers: many,
            ..get(url)
        },
    )
    .await));
    let wide = vec![("x-wide".to_owned(), "v".repeat(32 * 1024))];
    denial::<()>(Err(refused(
        &commit,
        FetchRequest {
            headers: wide,
            ..get(url)
        },
    )
    .await));
    let long = format!("{url}{}", "x".repeat(8 * 1024));
    denial::<()>(Err(refused(&commit, get(&long)).await));
}
