//! Where a site sends us is checked like where we wanted to go, before anything leaves.

use sr_egress::{Options, Redirects};
use sr_policy::failure::codes;
use sr_policy::request::Phase;

use crate::support::*;

/// `example.com` answers every request with this; `evil.test` and a bare loopback port are `trap`.
async fn sent_to(location: &str, trap: &Server) -> (Server, sr_egress::Live) {
    let bytes = to(302, location);
    let server = Server::answering(move |_| bytes.clone()).await;
    let transport = live(Options {
        connect_to: vec![
            server.instead_of("example.com", 80),
            trap.instead_of("evil.test", 80),
        ],
        ..Options::default()
    });
    (server, transport)
}

#[tokio::test]
async fn a_redirect_off_the_allowlist_is_denied_before_it_leaves_and_names_the_hop() {
    let trap = Server::answering(|_| ok("caught")).await;
    let (server, transport) = sent_to("http://evil.test/steal", &trap).await;
    let denial = denial(
        run(
            &reading(&["example.com"]),
            &transport,
            get("http://example.com/"),
        )
        .await,
    );
    assert_eq!(denial.code, codes::DOMAIN_NOT_ALLOWED);
    assert!(denial.subject.contains("evil.test"), "{denial:?}");
    assert!(
        denial.subject.contains("(redirect 1 from example.com)"),
        "{denial:?}"
    );
    assert_eq!(server.requests().len(), 1);
    assert_eq!(trap.connections(), 0);
}

#[tokio::test]
async fn a_redirect_to_this_machine_is_denied_and_never_connects() {
    let trap = Server::answering(|_| ok("caught")).await;
    let port = trap.address.port();
    for location in [
        format!("http://127.0.0.1:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://0x7f.1:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://localhost:{port}/"),
        format!("//127.0.0.1:{port}/"),
        "http://127.0.0.1/".to_owned(),
    ] {
        let (_server, transport) = sent_to(&location, &trap).await;
        let denial = denial(
            run(
                &reading(&["example.com"]),
                &transport,
                get("http://example.com/"),
            )
            .await,
        );
        assert!(
            denial.subject.contains("redirect 1"),
            "{location}: {denial:?}"
        );
    }
    assert_eq!(trap.connections(), 0);
}

#[tokio::test]
async fn a_redirect_to_another_port_of_the_same_host_is_denied() {
    let trap = Server::answering(|_| ok("caught")).await;
    let (_server, transport) = sent_to("http://example.com:8080/", &trap).await;
    let denial = denial(
        run(
            &reading(&["example.com"]),
            &transport,
            get("http://example.com/"),
        )
        .await,
    );
    assert_eq!(denial.code, codes::PORT_NOT_ALLOWED);
    assert!(denial.subject.contains("redirect 1"), "{denial:?}");
}

#[tokio::test]
async fn a_redirect_to_a_scheme_without_a_host_is_denied() {
    let trap = Server::answering(|_| ok("caught")).await;
    for location in [
        "file:///etc/passwd",
        "data:text/plain,x",
        "javascript:alert(1)",
        "ftp://example.com/",
        "http://user@example.com/",
    ] {
        let (_server, transport) = sent_to(location, &trap).await;
        let denial = denial(
            run(
                &reading(&["example.com"]),
                &transport,
                get("http://example.com/"),
            )
            .await,
        );
        assert!(
            denial.subject.contains("redirect 1"),
            "{location}: {denial:?}"
        );
    }
}

#[tokio::test]
async fn a_later_hop_is_denied_under_its_own_number() {
    let trap = Server::answering(|_| ok("caught")).await;
    let server = Server::answering(|request| match request.split(' ').nth(1) {
        Some("/a") => to(301, "/b"),
        Some("/b") => to(307, "http://example.com/c"),
        _ => to(302, "http://evil.test/"),
    })
    .await;
    let transport = live(Options {
        connect_to: vec![
            server.instead_of("example.com", 80),
            trap.instead_of("evil.test", 80),
        ],
        ..Options::default()
    });
    let denial = denial(
        run(
            &reading(&["example.com"]),
            &transport,
            get("http://example.com/a"),
        )
        .await,
    );
    assert!(
        denial.subject.contains("(redirect 3 from example.com)"),
        "{denial:?}"
    );
    assert_eq!(server.requests().len(), 3);
    assert_eq!(trap.connections(), 0);
}

#[tokio::test]
async fn a_chain_of_thirty_redirects_stops_after_ten() {
    let server = Server::answering(|request| {
        let number: u32 = request
            .split(['/', ' '])
            .nth(2)
            .and_then(|text| text.parse().ok())
            .unwrap_or(0);
        if number < 30 {
            to(302, &format!("/{}", number + 1))
        } else {
            ok("the end")
        }
    })
    .await;
    let transport = example_at(&server);
    let result = run(
        &reading(&["example.com"]),
        &transport,
        get("http://example.com/0"),
    )
    .await;
    assert_eq!(code(result), "TOO_MANY_REDIRECTS");
    assert_eq!(server.requests().len(), 11);
}

#[tokio::test]
async fn ten_redirects_arrive_and_the_answer_says_where() {
    let server = Server::answering(|request| {
        let number: u32 = request
            .split(['/', ' '])
            .nth(2)
            .and_then(|text| text.parse().ok())
            .unwrap_or(0);
        if number < 10 {
            to(302, &format!("{}", number + 1))
        } else {
            ok("the end")
        }
    })
    .await;
    let response = run(
        &reading(&["example.com"]),
        &example_at(&server),
        get("http://example.com/0"),
    )
    .await
    .unwrap();
    assert_eq!(response.url.as_str(), "http://example.com/10");
    assert_eq!(response.body, b"the end");
}

#[tokio::test]
async fn https_is_never_left_for_http() {
    let (acceptor, cacert) = crate::tls::authority(&["example.com"]);
    let secure = crate::tls::server(acceptor, |_| to(302, "http://example.com/plain")).await;
    let trap = Server::answering(|_| ok("plain")).await;
    let transport = live(Options {
        connect_to: vec![
            secure.instead_of("example.com", 443),
            trap.instead_of("example.com", 80),
        ],
        cacert: Some(cacert),
        ..Options::default()
    });
    let denial = denial(
        run(
            &reading(&["example.com"]),
            &transport,
            get("https://example.com/"),
        )
        .await,
    );
    assert_eq!(denial.rule, "redirect-downgrade");
    assert_eq!(denial.code, codes::SCHEME_NOT_ALLOWED);
    assert_eq!(trap.connections(), 0);
}

#[tokio::test]
async fn headers_with_a_login_stay_on_their_origin() {
    let other = Server::answering(|_| ok("other")).await;
    let server = Server::answering(|request| {
        if request.starts_with("GET /same") {
            to(302, "http://other.test/")
        } else {
            to(302, "/same")
        }
    })
    .await;
    let transport = live(Options {
        connect_to: vec![
            server.instead_of("example.com", 80),
            other.instead_of("other.test", 80),
        ],
        ..Options::default()
    });
    let mut request = get("http://example.com/");
    request.headers = headers(&[
        ("Authorization", "Bearer s3cret"),
        ("Cookie", "sid=s3cret"),
        ("X-Note", "kept"),
    ]);
    run(
        &reading(&["example.com", "other.test"]),
        &transport,
        request,
    )
    .await
    .unwrap();
    for request in server.requests() {
        assert_eq!(header(&request, "authorization"), Some("Bearer s3cret"));
    }
    let crossed = other.requests();
    assert_eq!(crossed.len(), 1);
    assert!(!crossed[0].contains("s3cret"), "{crossed:?}");
    assert_eq!(header(&crossed[0], "x-note"), Some("kept"));
}

#[tokio::test]
async fn same_origin_follows_at_home_and_denies_elsewhere() {
    let trap = Server::answering(|_| ok("other")).await;
    let server = Server::answering(|request| match request.split(' ').nth(1) {
        Some("/in") => to(302, "/done"),
        Some("/out") => to(302, "http://other.test/"),
        _ => ok("done"),
    })
    .await;
    let transport = live(Options {
        connect_to: vec![
            server.instead_of("example.com", 80),
            trap.instead_of("other.test", 80),
        ],
        ..Options::default()
    });
    let policy = reading(&["example.com", "other.test"]);
    let inside = sr_egress::FetchRequest {
        redirects: Redirects::SameOrigin,
        ..get("http://example.com/in")
    };
    assert_eq!(
        run(&policy, &transport, inside).await.unwrap().body,
        b"done"
    );
    let outside = sr_egress::FetchRequest {
        redirects: Redirects::SameOrigin,
        ..get("http://example.com/out")
    };
    let denial = denial(run(&policy, &transport, outside).await);
    assert_eq!(denial.rule, "redirect");
    assert_eq!(trap.connections(), 0);
}

#[tokio::test]
async fn manual_gives_the_redirect_itself() {
    let server = Server::answering(|_| to(302, "http://evil.test/")).await;
    let request = sr_egress::FetchRequest {
        redirects: Redirects::Manual,
        ..get("http://example.com/")
    };
    let response = run(&reading(&["example.com"]), &example_at(&server), request)
        .await
        .unwrap();
    assert_eq!(response.status, 302);
    assert!(
        response
            .headers
            .contains(&("location".to_owned(), "http://evil.test/".to_owned()))
    );
}

#[tokio::test]
async fn a_redirect_without_location_is_the_answer() {
    let server = Server::answering(|_| reply("302 Found", &[], b"nowhere")).await;
    let response = run(
        &reading(&["example.com"]),
        &example_at(&server),
        get("http://example.com/"),
    )
    .await
    .unwrap();
    assert_eq!(
        (response.status, response.body.as_slice()),
        (302, b"nowhere".as_slice())
    );
}

#[tokio::test]
async fn two_different_locations_are_no_redirect() {
    let server =
        Server::answering(|_| reply("302 Found", &[("location", "/a"), ("location", "/b")], b""))
            .await;
    let text = unavailable(
        run(
            &reading(&["example.com"]),
            &example_at(&server),
            get("http://example.com/"),
        )
        .await,
    );
    assert!(text.contains("two different locations"), "{text}");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn each_status_keeps_or_changes_the_method_as_http_says() {
    for (status, method) in [
        (301, "GET"),
        (302, "GET"),
        (303, "GET"),
        (307, "POST"),
        (308, "POST"),
    ] {
        let server = Server::answering(move |request| {
            if request.contains(" /from ") {
                to(status, "/there")
            } else {
                ok("done")
            }
        })
        .await;
        let policy = policy(&["example.com"], Phase::Commit, &[]);
        let mut request = post("http://example.com/from", "amount=1");
        request.headers = headers(&[("Content-Type", "text/plain")]);
        run(&policy, &example_at(&server), request).await.unwrap();
        let second = &server.requests()[1];
        assert!(
            second.starts_with(&format!("{method} /there ")),
            "{status}: {second}"
        );
        assert_eq!(
            second.ends_with("amount=1"),
            method == "POST",
            "{status}: {second}"
        );
        assert_eq!(
            header(second, "content-type").is_some(),
            method == "POST",
            "{status}: {second}"
        );
    }
}

#[tokio::test]
async fn a_redirected_post_is_checked_with_its_own_method() {
    let server = Server::answering(|_| to(307, "/elsewhere")).await;
    let policy = policy(
        &["example.com"],
        Phase::Read,
        &["http://example.com/search"],
    );
    let denial = denial(
        run(
            &policy,
            &example_at(&server),
            post("http://example.com/search", "q=1"),
        )
        .await,
    );
    assert_eq!(denial.code, codes::METHOD_NOT_ALLOWED);
    assert!(denial.subject.contains("redirect 1"), "{denial:?}");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn one_deadline_holds_over_all_hops() {
    let server = Server::speaking(|mut stream, requests| async move {
        while let Some(request) = read_request(&mut stream).await {
            requests.lock().unwrap().push(request);
            tokio::time::sleep(std::time::Duration::from_millis(60)).await;
            let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, &to(302, "/again")).await;
        }
    })
    .await;
    let request = sr_egress::FetchRequest {
        timeout_ms: 150,
        ..get("http://example.com/")
    };
    let (what, limit) =
        timed_out(run(&reading(&["example.com"]), &example_at(&server), request).await);
    assert_eq!(limit, 150);
    assert!(what.contains("example.com"), "{what}");
    assert!(server.requests().len() < 5);
}
