//! Through a proxy the same address is checked and asked for; the proxy chooses nothing.

use std::time::Duration;

use sr_egress::{EgressError, FetchRequest, Live, Options, Proxy};
use sr_policy::failure::codes;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::TcpStream;

use crate::support::*;

/// A proxy that tunnels every CONNECT to `target`, whatever address it is asked for.
async fn tunnelling_to(target: &Server) -> Server {
    let target = target.address;
    Server::speaking(move |mut stream, requests| async move {
        let Some(request) = read_request(&mut stream).await else {
            return;
        };
        requests.lock().unwrap().push(request);
        let mut onward = TcpStream::connect(target).await.unwrap();
        stream
            .write_all(b"HTTP/1.1 200 Connection established\r\nx-proxy: yes\r\n\r\n")
            .await
            .unwrap();
        let _ = copy_bidirectional(&mut stream, &mut onward).await;
    })
    .await
}

fn through(proxy: &Server, names: &[(&str, &[&str])]) -> Live {
    through_url(&format!("http://{}", proxy.address), names)
}

fn through_url(proxy: &str, names: &[(&str, &[&str])]) -> Live {
    let options = Options {
        proxy: Some(proxy.parse().unwrap()),
        ..Options::default()
    };
    Live::with_resolver(options, Table::of(names)).unwrap()
}

const PUBLIC: &[(&str, &[&str])] = &[("example.com", &["93.184.216.34"])];

#[tokio::test]
async fn the_proxy_is_asked_for_the_address_we_resolved_and_never_for_the_name() {
    let server = Server::answering(|_| ok("far")).await;
    let proxy = tunnelling_to(&server).await;
    let response = run(
        &reading(&["example.com"]),
        &through(&proxy, PUBLIC),
        get("http://example.com/a"),
    )
    .await
    .unwrap();
    assert_eq!(response.body, b"far");
    let asked = proxy.requests();
    assert_eq!(asked.len(), 1);
    assert!(
        asked[0].starts_with("CONNECT 93.184.216.34:80 HTTP/1.1\r\n"),
        "{asked:?}"
    );
    assert!(!asked[0].contains("example.com"), "{asked:?}");
    assert_eq!(header(&server.requests()[0], "host"), Some("example.com"));
}

#[tokio::test]
async fn https_through_a_proxy_is_verified_for_the_urls_host() {
    let (acceptor, cacert) = crate::tls::authority(&["example.com"]);
    let server = crate::tls::server(acceptor, |_| ok("far")).await;
    let proxy = tunnelling_to(&server).await;
    let options = Options {
        proxy: Some(format!("http://{}", proxy.address).parse().unwrap()),
        cacert: Some(cacert),
        ..Options::default()
    };
    let names: &[(&str, &[&str])] = &[
        ("example.com", &["93.184.216.34"]),
        ("other.test", &["93.184.216.35"]),
    ];
    let transport = Live::with_resolver(options, Table::of(names)).unwrap();
    let policy = reading(&["example.com", "other.test"]);
    assert_eq!(
        run(&policy, &transport, get("https://example.com/"))
            .await
            .unwrap()
            .body,
        b"far"
    );
    let text = unavailable(run(&policy, &transport, get("https://other.test/")).await);
    assert!(text.contains("other.test: TLS"), "{text}");
    assert!(
        proxy.requests()[1].starts_with("CONNECT 93.184.216.35:443 "),
        "{:?}",
        proxy.requests()
    );
}

#[tokio::test]
async fn a_name_that_points_inside_is_denied_before_the_proxy_hears_of_it() {
    let server = Server::answering(|_| ok("inside")).await;
    let proxy = tunnelling_to(&server).await;
    let transport = through(&proxy, &[("example.com", &["10.0.0.1"])]);
    let denial = denial(
        run(
            &reading(&["example.com"]),
            &transport,
            get("http://example.com/"),
        )
        .await,
    );
    assert_eq!(denial.code, codes::ADDRESS_NOT_ALLOWED);
    assert_eq!(proxy.connections(), 0);
}

#[tokio::test]
async fn a_refusing_proxy_is_named_with_its_status() {
    for (status, words) in [
        ("403 Forbidden", "status 403"),
        ("407 Proxy Authentication Required", "user and password"),
    ] {
        let proxy = Server::answering(move |_| reply(status, &[], b"")).await;
        let text = unavailable(
            run(
                &reading(&["example.com"]),
                &through(&proxy, PUBLIC),
                get("http://example.com/?key=s3cret"),
            )
            .await,
        );
        assert!(
            text.contains(&format!("proxy http://{}", proxy.address)) && text.contains(words),
            "{text}"
        );
        assert!(!text.contains("s3cret"), "{text}");
        assert_eq!(proxy.connections(), 1);
    }
}

#[tokio::test]
async fn an_address_the_proxy_cannot_reach_is_followed_by_the_next_one() {
    let proxy = Server::answering(|_| reply("502 Bad Gateway", &[], b"")).await;
    let transport = through(
        &proxy,
        &[("example.com", &["93.184.216.34", "93.184.216.35"])],
    );
    unavailable(
        run(
            &reading(&["example.com"]),
            &transport,
            get("http://example.com/"),
        )
        .await,
    );
    let asked = proxy.requests();
    assert!(
        asked[0].starts_with("CONNECT 93.184.216.34:80 ")
            && asked[1].starts_with("CONNECT 93.184.216.35:80 "),
        "{asked:?}"
    );
}

#[tokio::test]
async fn user_and_password_go_to_the_proxy_and_nowhere_else() {
    let server = Server::answering(|_| ok("far")).await;
    let proxy = tunnelling_to(&server).await;
    let url = format!("http://ann:p%40ss@{}", proxy.address);
    let transport = through_url(&url, PUBLIC);
    run(
        &reading(&["example.com"]),
        &transport,
        get("http://example.com/"),
    )
    .await
    .unwrap();
    assert_eq!(
        header(&proxy.requests()[0], "proxy-authorization"),
        Some("Basic YW5uOnBAc3M=")
    );
    assert_eq!(header(&server.requests()[0], "proxy-authorization"), None);
    let parsed: Proxy = url.parse().unwrap();
    let shown = format!("{parsed} {parsed:?} {transport:?}");
    assert!(
        !shown.contains("p%40ss") && !shown.contains("p@ss") && !shown.contains("YW5uO"),
        "{shown}"
    );
}

#[tokio::test]
async fn a_proxy_that_answers_with_something_else_ends_in_a_bound() {
    let noise = Server::answering(|_| b"SSH-2.0-OpenSSH_9.6\r\n\r\n".to_vec()).await;
    let text = unavailable(
        run(
            &reading(&["example.com"]),
            &through(&noise, PUBLIC),
            get("http://example.com/"),
        )
        .await,
    );
    assert!(text.contains("not HTTP"), "{text}");

    let endless = Server::speaking(|mut stream, _| async move {
        let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\n").await;
        while sent.is_ok() {
            sent = stream.write_all(b"x-flood: 0123456789\r\n").await;
        }
    })
    .await;
    let text = unavailable(
        run(
            &reading(&["example.com"]),
            &through(&endless, PUBLIC),
            get("http://example.com/"),
        )
        .await,
    );
    assert!(text.contains("longer than 8192 bytes"), "{text}");

    let silent = Server::speaking(|mut stream, _| async move {
        let mut sink = Vec::new();
        let _ = stream.read_to_end(&mut sink).await;
    })
    .await;
    let request = FetchRequest {
        timeout_ms: 60,
        ..get("http://example.com/")
    };
    let transport = through(&silent, PUBLIC);
    let (what, _) = timed_out(
        soon(
            Duration::from_secs(2),
            run(&reading(&["example.com"]), &transport, request),
        )
        .await,
    );
    assert!(what.contains("tunnel of proxy"), "{what}");
}

#[test]
fn a_proxy_url_of_another_kind_is_refused_with_what_to_write() {
    for text in [
        "127.0.0.1:8080",
        "https://127.0.0.1:8080",
        "socks5://127.0.0.1:1080",
        "http://proxy.test",
        "http://proxy.test:0",
        "http://proxy.test:99999",
        "http://proxy.test:8080/path",
        "http://proxy.test:8080?x",
        "http://:8080",
        "http://a b:8080",
        "",
    ] {
        let error = text.parse::<Proxy>().unwrap_err();
        let shown = error.to_string();
        assert!(
            shown.starts_with("--proxy: ") && shown.contains("write http://HOST:PORT"),
            "{text}: {shown}"
        );
    }
    let error = "https://ann:s3cret@proxy.test:1"
        .parse::<Proxy>()
        .unwrap_err();
    assert!(!error.to_string().contains("s3cret"), "{error}");
    assert!(matches!(
        error,
        EgressError::Option {
            option: "--proxy",
            ..
        }
    ));
    assert_eq!(
        "HTTP://Proxy.TEST:8080/"
            .parse::<Proxy>()
            .unwrap()
            .to_string(),
        "http://proxy.test:8080"
    );
    assert_eq!("http://[::1]:8080".parse::<Proxy>().unwrap().host(), "::1");
}
