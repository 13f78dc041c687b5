//! Each hop of a redirect is judged like a first request, before it leaves.

use std::net::TcpListener;

use crate::support::{Package, Reply, Sandbox, Server};

fn sandbox() -> (Package, Sandbox) {
    let package = Package::every_case().domains(&["example.com"]);
    let sandbox = Sandbox::with(&package);
    (package, sandbox)
}

/// A port that must see nobody.
struct Untouched(TcpListener);

impl Untouched {
    fn listen() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    #[track_caller]
    fn saw_nobody(self) {
        self.0.set_nonblocking(true).unwrap();
        let error = self.0.accept().expect_err("somebody connected");
        assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    }
}

#[test]
fn a_hop_off_the_list_never_leaves() {
    let (_package, sandbox) = sandbox();
    for (host, code) in [
        ("127.0.0.1", "ADDRESS_NOT_ALLOWED"),
        ("evil.test", "DOMAIN_NOT_ALLOWED"),
        ("user@example.com", "USERINFO_NOT_ALLOWED"),
    ] {
        let target = Untouched::listen();
        let to = format!("http://{host}:{}/", target.port());
        let server = Server::always(Reply::redirect(&to));
        // Were the hop to leave, this is where it would arrive.
        let rule = format!("evil.test:{0}:127.0.0.1:{0}", target.port());
        let run = sandbox
            .fetch_from(&server, "http://example.com/", &["--connect-to", &rule])
            .proves("attack-02");
        assert_eq!(run.error()["code"], code, "{host}");
        assert_eq!(server.requests().len(), 1);
        target.saw_nobody();
    }
}

#[test]
fn another_port_of_the_same_host_is_refused_as_it_would_be_directly() {
    let (_package, sandbox) = sandbox();
    let target = Untouched::listen();
    let server = Server::always(Reply::redirect(&format!(
        "http://example.com:{}/",
        target.port()
    )));
    let run = sandbox
        .fetch_from(&server, "http://example.com/", &[])
        .exit(68);
    assert_eq!(run.error()["code"], "PORT_NOT_ALLOWED");
    target.saw_nobody();
}

#[test]
fn a_long_chain_ends_with_its_own_error() {
    let (_package, sandbox) = sandbox();
    let server = Server::start(|path| {
        let hop: u32 = path.trim_start_matches('/').parse().unwrap_or(0);
        if hop == 30 {
            Reply::ok("the end")
        } else {
            Reply::redirect(&format!("/{}", hop + 1))
        }
    });
    sandbox
        .fetch_from(&server, "http://example.com/0", &[])
        .proves("B017")
        .lacks("the end");
    // The first request and ten hops.
    assert_eq!(server.requests().len(), 11);
}

#[test]
fn a_short_chain_arrives_and_names_the_last_url() {
    let (_package, sandbox) = sandbox();
    let server = Server::start(|path| match path {
        "/" => Reply::redirect("/next"),
        _ => Reply::ok("arrived"),
    });
    sandbox
        .fetch_from(&server, "http://example.com/", &[])
        .exit(0)
        .stdout_contains("arrived")
        .stdout_contains("http://example.com/next");
}
