//! A hostile server ends at a limit: of time, of bytes, of headers.

use std::io::Write as _;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use sr_egress::{FetchRequest, FetchResponse};
use sr_policy::Failure;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::support::*;

async fn fetched(server: &Server, request: FetchRequest) -> Result<FetchResponse, Failure> {
    run(&reading(&["example.com"]), &example_at(server), request).await
}

/// A server that, after the request, sends `first` and then `again` every 5 ms until the peer leaves.
async fn dripping(first: &'static [u8], again: &'static [u8]) -> Server {
    Server::speaking(move |mut stream: TcpStream, _| async move {
        read_request(&mut stream).await;
        let mut sent = stream.write_all(first).await;
        while sent.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
            sent = stream.write_all(again).await;
        }
    })
    .await
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn limited(max_bytes: u32) -> FetchRequest {
    FetchRequest {
        max_bytes,
        ..get("http://example.com/")
    }
}

fn hurried() -> FetchRequest {
    FetchRequest {
        timeout_ms: 80,
        ..get("http://example.com/")
    }
}

#[tokio::test]
async fn headers_that_drip_end_at_the_deadline() {
    let server = dripping(b"HTTP/1.1 200 OK\r\nx-slow: ", b"a").await;
    let (what, limit) = timed_out(soon(Duration::from_secs(2), fetched(&server, hurried())).await);
    assert_eq!((what.as_str(), limit), ("reply of example.com", 80));
}

#[tokio::test]
async fn a_body_that_drips_ends_at_the_deadline() {
    let server = dripping(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n", b"a").await;
    let (what, limit) = timed_out(soon(Duration::from_secs(2), fetched(&server, hurried())).await);
    assert_eq!((what.as_str(), limit), ("response body of example.com", 80));
}

#[tokio::test]
async fn endless_informational_replies_end_at_the_deadline() {
    let server = dripping(
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n",
    )
    .await;
    timed_out(soon(Duration::from_secs(2), fetched(&server, hurried())).await);
}

#[tokio::test]
async fn a_server_that_never_answers_ends_at_the_deadline() {
    let server = dripping(b"", b"").await;
    timed_out(soon(Duration::from_secs(2), fetched(&server, hurried())).await);
}

#[tokio::test]
async fn a_declared_body_over_the_limit_is_refused_before_it_is_read() {
    let server = dripping(b"HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n", b"").await;
    let result = soon(Duration::from_secs(2), fetched(&server, limited(1000))).await;
    assert_eq!(code(result), "RESPONSE_TOO_LARGE");
}

#[tokio::test]
async fn an_undeclared_body_over_the_limit_is_cut_off() {
    let server = dripping(
        b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n",
        &[b'x'; 600],
    )
    .await;
    assert_eq!(
        code(fetched(&server, limited(1000)).await),
        "RESPONSE_TOO_LARGE"
    );
    let chunked = dripping(
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
        b"A\r\n0123456789\r\n",
    )
    .await;
    assert_eq!(
        code(fetched(&chunked, limited(25)).await),
        "RESPONSE_TOO_LARGE"
    );
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_arrives() {
    let server = Server::answering(|_| ok(&"x".repeat(1000))).await;
    assert_eq!(
        fetched(&server, limited(1000)).await.unwrap().body.len(),
        1000
    );
}

#[tokio::test]
async fn gzip_is_undone_and_its_headers_are_gone() {
    let packed = gzip(b"plain text");
    let server =
        Server::answering(move |_| reply("200 OK", &[("Content-Encoding", "gzip")], &packed)).await;
    let response = fetched(&server, get("http://example.com/")).await.unwrap();
    assert_eq!(response.body, b"plain text");
    assert!(
        response
            .headers
            .iter()
            .all(|(name, _)| !name.starts_with("content-")),
        "{:?}",
        response.headers
    );
    assert_eq!(
        header(&server.requests()[0], "accept-encoding"),
        Some("gzip")
    );
}

#[tokio::test]
async fn a_gzip_bomb_ends_at_the_limit() {
    let bomb = gzip(&vec![0; 64 * 1024 * 1024]);
    assert!(bomb.len() < 100_000);
    let server =
        Server::answering(move |_| reply("200 OK", &[("content-encoding", "gzip")], &bomb)).await;
    let result = fetched(&server, limited(100_000)).await;
    assert_eq!(code(result), "RESPONSE_TOO_LARGE");
}

#[tokio::test]
async fn gzip_of_exactly_the_limit_arrives() {
    let packed = gzip(&[7; 5000]);
    let server =
        Server::answering(move |_| reply("200 OK", &[("content-encoding", "gzip")], &packed)).await;
    assert_eq!(
        fetched(&server, limited(5000)).await.unwrap().body.len(),
        5000
    );
    assert_eq!(
        code(fetched(&server, limited(4999)).await),
        "RESPONSE_TOO_LARGE"
    );
}

#[tokio::test]
async fn damaged_gzip_is_a_failure_and_not_half_a_text() {
    let whole = gzip(b"a text that is long enough to be cut in the middle");
    let cut = whole[..whole.len() - 9].to_vec();
    let server =
        Server::answering(move |_| reply("200 OK", &[("content-encoding", "gzip")], &cut)).await;
    let text = unavailable(fetched(&server, get("http://example.com/")).await);
    assert!(text.contains("gzip response is damaged"), "{text}");
}

#[tokio::test]
async fn an_encoding_that_was_not_offered_is_refused_by_name() {
    for encoding in ["br", "gzip, gzip", "zstd", "deflate"] {
        let server =
            Server::answering(move |_| reply("200 OK", &[("content-encoding", encoding)], b"??"))
                .await;
        assert_eq!(
            code(fetched(&server, get("http://example.com/")).await),
            "UNSUPPORTED_ENCODING",
            "{encoding}"
        );
    }
}

#[tokio::test]
async fn a_flood_of_headers_is_refused() {
    let long = format!(
        "HTTP/1.1 200 OK\r\n{}\r\n",
        "x-long: 0123456789012345678901234567890123456789\r\n".repeat(2000)
    );
    let server = Server::answering(move |_| long.clone().into_bytes()).await;
    assert_eq!(
        code(fetched(&server, get("http://example.com/")).await),
        "RESPONSE_HEAD_TOO_LARGE"
    );
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "a: b\r\n".repeat(200));
    let server = Server::answering(move |_| many.clone().into_bytes()).await;
    assert_eq!(
        code(fetched(&server, get("http://example.com/")).await),
        "RESPONSE_HEAD_TOO_LARGE"
    );
    let one = format!("HTTP/1.1 200 OK\r\nx-one: {}\r\n\r\n", "y".repeat(300_000));
    let server = Server::answering(move |_| one.clone().into_bytes()).await;
    assert_eq!(
        code(fetched(&server, get("http://example.com/")).await),
        "RESPONSE_HEAD_TOO_LARGE"
    );
}

#[tokio::test]
async fn a_truncated_body_is_a_failure() {
    for cut in [
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\nconnection: close\r\n\r\nonly this".as_slice(),
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n5\r\nhello\r\n"
            .as_slice(),
    ] {
        let server = Server::answering(move |_| cut.to_vec()).await;
        let text = unavailable(fetched(&server, get("http://example.com/")).await);
        assert!(
            text.contains("example.com: the response body broke off"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn what_is_not_http_is_a_failure() {
    for noise in [
        b"SSH-2.0-OpenSSH_9.6\r\n".as_slice(),
        b"HTTP/9.9 abc\r\n\r\n",
        b"<html>connection: close</html>\r\n\r\n",
    ] {
        let server = Server::answering(move |_| noise.to_vec()).await;
        unavailable(
            fetched(
                &server,
                FetchRequest {
                    timeout_ms: 500,
                    ..get("http://example.com/")
                },
            )
            .await,
        );
    }
}

#[tokio::test]
async fn a_connection_closed_without_a_reply_says_so() {
    let server = Server::answering(|_| Vec::new()).await;
    let text = unavailable(fetched(&server, get("http://example.com/")).await);
    assert!(
        text.contains("closed before the reply was complete"),
        "{text}"
    );
}

#[tokio::test]
async fn a_protocol_change_nobody_asked_for_is_refused() {
    let server = Server::answering(|_| {
        b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"
            .to_vec()
    })
    .await;
    unavailable(fetched(&server, get("http://example.com/")).await);
}

#[tokio::test]
async fn replies_without_a_body_are_answers() {
    for status in ["204 No Content", "304 Not Modified"] {
        let server =
            Server::answering(move |_| format!("HTTP/1.1 {status}\r\n\r\n").into_bytes()).await;
        let response = fetched(&server, get("http://example.com/")).await.unwrap();
        assert!(response.body.is_empty());
    }
    let server =
        Server::answering(|_| b"HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n".to_vec())
            .await;
    let head = FetchRequest {
        method: "HEAD".to_owned(),
        ..limited(10)
    };
    let response = fetched(&server, head).await.unwrap();
    assert!(response.body.is_empty());
    assert!(
        response
            .headers
            .contains(&("content-length".to_owned(), "99999999".to_owned()))
    );
}

#[tokio::test]
async fn a_status_of_404_is_an_answer() {
    let server = Server::answering(|_| reply("404 Not Found", &[], b"gone")).await;
    let response = fetched(&server, get("http://example.com/")).await.unwrap();
    assert_eq!(
        (response.status, response.body.as_slice()),
        (404, b"gone".as_slice())
    );
}
