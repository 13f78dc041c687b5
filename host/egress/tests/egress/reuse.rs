//! Connections are reused where that is safe, and nothing that may have taken effect is sent twice.

use std::process::Command;
use std::time::Duration;

use sr_policy::request::Phase;
use tokio::io::AsyncWriteExt as _;

use crate::support::*;

#[tokio::test]
async fn a_second_get_rides_the_first_ones_connection() {
    let server = Server::answering(|_| ok("again")).await;
    let transport = example_at(&server);
    for _ in 0..3 {
        run(
            &reading(&["example.com"]),
            &transport,
            get("http://example.com/"),
        )
        .await
        .unwrap();
    }
    assert_eq!((server.connections(), server.requests().len()), (1, 3));
}

#[tokio::test]
async fn a_connection_serves_its_own_origin_only() {
    let server = Server::answering(|request| ok(header(request, "host").unwrap())).await;
    let transport = live(sr_egress::Options {
        connect_to: vec![
            server.instead_of("example.com", 80),
            server.instead_of("other.test", 80),
        ],
        ..Default::default()
    });
    let policy = reading(&["example.com", "other.test"]);
    run(&policy, &transport, get("http://example.com/"))
        .await
        .unwrap();
    let other = run(&policy, &transport, get("http://other.test/"))
        .await
        .unwrap();
    assert_eq!(other.body, b"other.test");
    assert_eq!(server.connections(), 2);
}

/// Answers the first request of the first connection, and closes at the second one after having read it.
async fn closing_on_the_second() -> Server {
    Server::speaking(|mut stream, requests| async move {
        let Some(first) = read_request(&mut stream).await else {
            return;
        };
        requests.lock().unwrap().push(first);
        stream.write_all(&ok("first")).await.unwrap();
        let Some(second) = read_request(&mut stream).await else {
            return;
        };
        requests.lock().unwrap().push(second);
    })
    .await
}

#[tokio::test]
async fn a_get_on_a_reused_connection_that_dies_is_sent_once_more_on_a_fresh_one() {
    let server = closing_on_the_second().await;
    let transport = example_at(&server);
    for _ in 0..2 {
        let response = run(
            &reading(&["example.com"]),
            &transport,
            get("http://example.com/"),
        )
        .await
        .unwrap();
        assert_eq!(response.body, b"first");
    }
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn a_get_whose_answer_had_begun_is_not_sent_again() {
    let server = Server::speaking(|mut stream, requests| async move {
        let Some(first) = read_request(&mut stream).await else {
            return;
        };
        requests.lock().unwrap().push(first);
        stream.write_all(&ok("first")).await.unwrap();
        let Some(second) = read_request(&mut stream).await else {
            return;
        };
        requests.lock().unwrap().push(second);
        stream.write_all(b"HTTP/1.1 200 O").await.unwrap();
    })
    .await;
    let transport = example_at(&server);
    run(
        &reading(&["example.com"]),
        &transport,
        get("http://example.com/"),
    )
    .await
    .unwrap();
    unavailable(
        run(
            &reading(&["example.com"]),
            &transport,
            get("http://example.com/"),
        )
        .await,
    );
    assert_eq!((server.connections(), server.requests().len()), (1, 2));
}

#[tokio::test]
async fn a_post_is_sent_exactly_once_when_the_server_closes_after_reading_it() {
    let server = Server::answering(|request| {
        if request.starts_with("POST") {
            Vec::new()
        } else {
            ok("read")
        }
    })
    .await;
    let transport = example_at(&server);
    let policy = policy(&["example.com"], Phase::Commit, &[]);
    run(&policy, &transport, get("http://example.com/"))
        .await
        .unwrap();
    unavailable(
        run(
            &policy,
            &transport,
            post("http://example.com/order", "amount=1"),
        )
        .await,
    );
    let posts = server
        .requests()
        .iter()
        .filter(|request| request.starts_with("POST"))
        .count();
    assert_eq!(posts, 1);
}

#[tokio::test]
async fn a_post_never_rides_a_connection_that_may_just_be_closing() {
    let server = closing_on_the_second().await;
    let transport = example_at(&server);
    let policy = policy(&["example.com"], Phase::Commit, &[]);
    run(&policy, &transport, get("http://example.com/"))
        .await
        .unwrap();
    let response = run(
        &policy,
        &transport,
        post("http://example.com/order", "amount=1"),
    )
    .await
    .unwrap();
    assert_eq!(response.body, b"first");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_reply_that_closes_is_not_reused() {
    let server = Server::answering(|_| reply("200 OK", &[("connection", "close")], b"bye")).await;
    let transport = example_at(&server);
    for _ in 0..2 {
        run(
            &reading(&["example.com"]),
            &transport,
            get("http://example.com/"),
        )
        .await
        .unwrap();
    }
    assert_eq!((server.connections(), server.requests().len()), (2, 2));
}

#[tokio::test]
async fn a_request_that_ran_out_of_time_leaves_no_connection_behind() {
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    let server = Server::speaking(move |mut stream, _| {
        let sender = sender.clone();
        async move {
            read_request(&mut stream).await;
            // Ends when the peer closes: that is what must happen.
            assert!(read_request(&mut stream).await.is_none());
            sender.send(()).unwrap();
        }
    })
    .await;
    let transport = example_at(&server);
    let request = sr_egress::FetchRequest {
        timeout_ms: 50,
        ..get("http://example.com/")
    };
    timed_out(run(&reading(&["example.com"]), &transport, request).await);
    soon(Duration::from_secs(2), receiver.recv()).await.unwrap();
}

#[tokio::test]
async fn answers_read_side_by_side_do_not_mix() {
    let server = Server::answering(|request| ok(request.split(' ').nth(1).unwrap())).await;
    let transport = example_at(&server);
    let policy = reading(&["example.com"]);
    let one = |path: &'static str| {
        let (policy, transport) = (&policy, &transport);
        async move {
            let response = run(policy, transport, get(&format!("http://example.com{path}")))
                .await
                .unwrap();
            assert_eq!(response.body, path.as_bytes());
        }
    };
    for _ in 0..5 {
        tokio::join!(one("/a"), one("/b"), one("/c"), one("/d"));
    }
    assert!(server.connections() <= 4, "{}", server.connections());
}

#[tokio::test]
async fn proxies_of_the_environment_are_ignored() {
    let trap = Server::answering(|_| ok("caught")).await;
    let url = format!("http://{}", trap.address);
    let output = tokio::task::spawn_blocking(move || {
        let mut child = Command::new(std::env::current_exe().unwrap());
        for name in [
            "HTTP_PROXY",
            "http_proxy",
            "HTTPS_PROXY",
            "https_proxy",
            "ALL_PROXY",
            "all_proxy",
        ] {
            child.env(name, &url);
        }
        child
            .arg("--exact")
            .arg("reuse::a_second_get_rides_the_first_ones_connection")
            .arg("tls::a_certificate_from_the_given_authority_is_accepted_and_names_the_urls_host")
            .output()
            .unwrap()
    })
    .await
    .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("2 passed; 0 failed"), "{text}");
    assert_eq!(trap.connections(), 0);
}
