//! An allowed name is not enough: what it resolves to is checked, and exactly that is dialled.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use sr_egress::{Live, Options, Pending, Resolver};
use sr_policy::failure::codes;

use crate::support::*;

/// A transport whose names come from the table and whose connections all end at `server`.
fn noted(
    names: &[(&str, &[&str])],
    server: &Server,
    options: Options,
) -> (Live, Arc<Table>, Arc<Notebook>) {
    let table = Table::of(names);
    let notebook = Notebook::to(server);
    let transport =
        Live::with_parts(options, Arc::clone(&table) as _, Arc::clone(&notebook) as _).unwrap();
    (transport, table, notebook)
}

#[tokio::test]
async fn a_name_that_points_inside_is_denied_and_never_dialled() {
    let server = Server::answering(|_| ok("inside")).await;
    for inside in [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.5.5",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fd00::1",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "2002:7f00:1::",
    ] {
        let (transport, _, notebook) =
            noted(&[("example.com", &[inside])], &server, Options::default());
        let denial = denial(
            run(
                &reading(&["example.com"]),
                &transport,
                get("http://example.com/"),
            )
            .await,
        );
        assert_eq!(denial.code, codes::ADDRESS_NOT_ALLOWED, "{inside}");
        assert_eq!(denial.fix, None, "{inside}");
        assert_eq!(notebook.dialled(), Vec::<String>::new(), "{inside}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn of_mixed_answers_only_the_public_one_is_dialled() {
    let server = Server::answering(|_| ok("outside")).await;
    let answers: &[&str] = &["127.0.0.1", "93.184.216.34", "10.0.0.1", "::1"];
    let (transport, _, notebook) = noted(&[("example.com", answers)], &server, Options::default());
    let response = run(
        &reading(&["example.com"]),
        &transport,
        get("http://example.com/"),
    )
    .await
    .unwrap();
    assert_eq!(response.body, b"outside");
    assert_eq!(notebook.dialled(), ["93.184.216.34:80"]);
}

#[tokio::test]
async fn a_name_is_looked_up_once_and_that_answer_is_dialled() {
    let server = Server::answering(|_| ok("outside")).await;
    let (transport, table, notebook) = noted(
        &[("example.com", &["93.184.216.34"])],
        &server,
        Options::default(),
    );
    run(
        &reading(&["example.com"]),
        &transport,
        get("http://example.com/"),
    )
    .await
    .unwrap();
    assert_eq!(table.lookups.load(Ordering::SeqCst), 1);
    assert_eq!(notebook.dialled(), ["93.184.216.34:80"]);
}

#[tokio::test]
async fn a_redirect_to_an_allowed_name_that_points_inside_is_denied_with_its_hop() {
    let server = Server::answering(|_| to(302, "http://intranet.test/")).await;
    let names: &[(&str, &[&str])] = &[
        ("example.com", &["93.184.216.34"]),
        ("intranet.test", &["10.1.2.3"]),
    ];
    let (transport, _, notebook) = noted(names, &server, Options::default());
    let policy = reading(&["example.com", "intranet.test"]);
    let denial = denial(run(&policy, &transport, get("http://example.com/")).await);
    assert_eq!(denial.code, codes::ADDRESS_NOT_ALLOWED);
    assert!(denial.subject.contains("redirect 1"), "{denial:?}");
    assert_eq!(notebook.dialled(), ["93.184.216.34:80"]);
}

#[tokio::test]
async fn resolve_exempts_its_own_address_and_port_and_nothing_else() {
    let server = Server::answering(|_| ok("mine")).await;
    let options = Options {
        resolve: vec!["example.com:80:127.0.0.1".parse().unwrap()],
        ..Options::default()
    };
    let names: &[(&str, &[&str])] = &[
        ("example.com", &["127.0.0.1"]),
        ("other.test", &["127.0.0.1"]),
    ];
    let (transport, table, notebook) = noted(names, &server, options);
    let policy = reading(&["example.com", "other.test"]);
    assert_eq!(
        run(&policy, &transport, get("http://EXAMPLE.com./"))
            .await
            .unwrap()
            .body,
        b"mine"
    );
    assert_eq!(table.lookups.load(Ordering::SeqCst), 0);
    assert_eq!(notebook.dialled(), ["127.0.0.1:80"]);
    for url in ["https://example.com/", "http://other.test/"] {
        let denial = denial(run(&policy, &transport, get(url)).await);
        assert_eq!(denial.code, codes::ADDRESS_NOT_ALLOWED, "{url}");
    }
    assert_eq!(notebook.dialled(), ["127.0.0.1:80"]);
}

#[tokio::test]
async fn connect_to_changes_the_address_and_not_the_host_header() {
    let server = Server::answering(|_| ok("mine")).await;
    let transport = example_at(&server);
    run(
        &reading(&["example.com"]),
        &transport,
        get("http://example.com/a?b=c"),
    )
    .await
    .unwrap();
    let requests = server.requests();
    assert!(
        requests[0].starts_with("GET /a?b=c HTTP/1.1\r\n"),
        "{requests:?}"
    );
    assert_eq!(header(&requests[0], "host"), Some("example.com"));
}

#[tokio::test]
async fn an_option_that_names_loopback_does_not_widen_the_allowlist() {
    let server = Server::answering(|_| ok("mine")).await;
    let transport = live(Options {
        connect_to: vec![server.instead_of("evil.test", 80)],
        ..Options::default()
    });
    let denial = denial(
        run(
            &reading(&["example.com"]),
            &transport,
            get("http://evil.test/"),
        )
        .await,
    );
    assert_eq!(denial.code, codes::DOMAIN_NOT_ALLOWED);
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_name_that_does_not_exist_says_so() {
    let transport = live(Options::default());
    let text = unavailable(
        run(
            &reading(&["example.com"]),
            &transport,
            get("http://example.com/?token=s3cret"),
        )
        .await,
    );
    assert!(text.contains("example.com: name lookup failed"), "{text}");
    assert!(!text.contains("s3cret"), "{text}");
}

#[tokio::test]
async fn a_name_without_addresses_says_so() {
    let server = Server::answering(|_| ok("")).await;
    let (transport, ..) = noted(&[("example.com", &[])], &server, Options::default());
    let text = unavailable(
        run(
            &reading(&["example.com"]),
            &transport,
            get("http://example.com/"),
        )
        .await,
    );
    assert!(text.contains("no address"), "{text}");
}

/// A resolver that never answers.
struct Silent;

impl Resolver for Silent {
    fn resolve<'a>(&'a self, _: &'a str) -> Pending<'a, std::io::Result<Vec<std::net::IpAddr>>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn a_name_lookup_that_hangs_ends_after_ten_seconds() {
    let transport = Live::with_resolver(Options::default(), Arc::new(Silent)).unwrap();
    let request = sr_egress::FetchRequest {
        timeout_ms: 60_000,
        ..get("http://example.com/")
    };
    let result = sr_egress::fetch(&reading(&["example.com"]), &transport, request).await;
    assert_eq!(
        timed_out(result),
        ("name lookup of example.com".to_owned(), 10_000)
    );
}

#[tokio::test(start_paused = true)]
async fn each_address_gets_five_seconds_and_all_together_the_deadline() {
    let names: &[(&str, &[&str])] = &[("example.com", &["93.184.216.34", "93.184.216.35"])];
    let slow = |timeout_ms| sr_egress::FetchRequest {
        timeout_ms,
        ..get("http://example.com/")
    };
    let notebook = Notebook::hanging();
    let transport = Live::with_parts(
        Options::default(),
        Table::of(names),
        Arc::clone(&notebook) as _,
    )
    .unwrap();
    let started = tokio::time::Instant::now();
    let text =
        unavailable(sr_egress::fetch(&reading(&["example.com"]), &transport, slow(60_000)).await);
    assert!(
        text.contains("93.184.216.34:80 no answer in 5 s, 93.184.216.35:80 no answer in 5 s"),
        "{text}"
    );
    assert_eq!(
        started.elapsed().as_secs(),
        Duration::from_secs(10).as_secs()
    );
    let (what, limit) =
        timed_out(sr_egress::fetch(&reading(&["example.com"]), &transport, slow(2_000)).await);
    assert_eq!((what.as_str(), limit), ("connection of example.com", 2_000));
}

#[tokio::test]
async fn a_refused_connection_names_host_and_address() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let rule = format!("example.com:80:{address}").parse().unwrap();
    let transport = live(Options {
        connect_to: vec![rule],
        ..Options::default()
    });
    let text = unavailable(
        run(
            &reading(&["example.com"]),
            &transport,
            get("http://example.com/"),
        )
        .await,
    );
    assert!(
        text.starts_with("example.com: no connection: ") && text.contains(&address.to_string()),
        "{text}"
    );
}

#[tokio::test]
async fn a_name_with_hundreds_of_addresses_is_tried_a_few_times_only() {
    let many: Vec<String> = (1..200).map(|last| format!("93.184.216.{last}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let notebook = Arc::new(Refusing::default());
    let transport = Live::with_parts(
        Options::default(),
        Table::of(&[("example.com", &many)]),
        Arc::clone(&notebook) as _,
    )
    .unwrap();
    unavailable(
        run(
            &reading(&["example.com"]),
            &transport,
            get("http://example.com/"),
        )
        .await,
    );
    assert_eq!(notebook.0.load(Ordering::SeqCst), 8);
}

/// Refuses every connection and counts them.
#[derive(Default)]
struct Refusing(std::sync::atomic::AtomicUsize);

impl sr_egress::Dialer for Refusing {
    fn dial(&self, _: std::net::SocketAddr) -> Pending<'_, std::io::Result<tokio::net::TcpStream>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Err(std::io::Error::from(std::io::ErrorKind::ConnectionRefused)) })
    }
}

#[tokio::test]
async fn the_system_resolver_answers_for_loopback_and_the_address_check_still_holds() {
    let found = sr_egress::SystemResolver::default()
        .resolve("localhost")
        .await
        .unwrap();
    assert!(found.iter().all(std::net::IpAddr::is_loopback), "{found:?}");
}
