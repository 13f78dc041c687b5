//! What a component may ask of `fetch`: each refusal comes before a packet leaves.

use crate::support::{Package, Reply, Run, Sandbox, Server};

const DOMAINS: &[&str] = &["example.com", "*.shop.test"];

fn sandbox() -> (Package, Sandbox) {
    let package = Package::every_case().domains(DOMAINS);
    let sandbox = Sandbox::with(&package);
    (package, sandbox)
}

/// The refusal is a typed denial, shown with its code.
#[track_caller]
fn denied(run: Run, id: &str) {
    let run = run.proves(id);
    let code = run.error()["code"].clone();
    let wanted = testsuite::cases::case(id).unwrap().text;
    assert_eq!(code, wanted, "{id}");
}

#[test]
fn userinfo_is_refused_even_before_an_allowed_host() {
    let (_package, sandbox) = sandbox();
    for url in [
        "https://example.com@evil.test/",
        "https://example.com:443@evil.test/",
        "https://example.com%20@evil.test/",
        "https://user:word@example.com/",
        "https://@example.com:x@example.com/",
    ] {
        denied(sandbox.fetch(url, &[]), "attack-01");
    }
}

#[test]
fn one_trailing_dot_is_the_same_host_and_two_are_refused() {
    let (_package, sandbox) = sandbox();
    let server = Server::always(Reply::ok("here"));
    sandbox
        .fetch_from(&server, "http://example.com./", &[])
        .exit(0)
        .stdout_contains("here");
    assert!(server.requests()[0].contains("\nhost: example.com\n"));
    denied(sandbox.fetch("https://example.com../", &[]), "attack-04");
    let run = sandbox.fetch("https://localhost./", &[]).exit(68);
    assert_eq!(run.error()["code"], "ADDRESS_NOT_ALLOWED");
}

#[test]
fn full_width_letters_are_sent_as_the_host_they_mean() {
    let (_package, sandbox) = sandbox();
    let server = Server::start(|_| Reply::ok("host: example.com"));
    sandbox
        .fetch_from(&server, "http://ｅｘａｍｐｌｅ.com/", &[])
        .proves("attack-05");
    assert!(server.requests()[0].contains("\nhost: example.com\n"));
}

#[test]
fn an_address_in_any_spelling_is_refused() {
    let (_package, sandbox) = sandbox();
    let spellings = [
        ("attack-06", "https://127。0。0。1/"),
        ("attack-06", "https://127．0．0．1/"),
        ("attack-06", "https://127｡0｡0｡1/"),
        ("attack-09", "http://2130706433/"),
        ("attack-09", "http://0177.0.0.1/"),
        ("attack-09", "http://0x7f.1/"),
        ("attack-09", "http://127.1/"),
        ("attack-09", "http://017700000001/"),
        ("attack-09", "http://0/"),
        ("attack-10", "http://[::ffff:127.0.0.1]/"),
        ("attack-10", "http://[::ffff:7f00:1]/"),
        ("attack-10", "http://[::127.0.0.1]/"),
        ("attack-10", "http://[64:ff9b::7f00:1]/"),
        ("attack-10", "http://[2002:7f00:1::]/"),
        ("attack-10", "http://[::1]/"),
    ];
    for (id, url) in spellings {
        denied(sandbox.fetch(url, &[]), id);
    }
}

#[test]
fn only_the_port_of_the_scheme_is_allowed() {
    let (_package, sandbox) = sandbox();
    for url in [
        "https://example.com:8443/",
        "https://example.com:22/",
        "http://example.com:443/",
    ] {
        denied(sandbox.fetch(url, &[]), "attack-14");
    }
    let server = Server::always(Reply::ok("here"));
    sandbox
        .fetch_from(&server, "http://example.com:80/", &[])
        .exit(0);
}

#[test]
fn a_wildcard_covers_subdomains_and_nothing_else() {
    let (_package, sandbox) = sandbox();
    for url in [
        "https://shop.test/",
        "https://evilshop.test/",
        "https://shop.test.evil.test/",
    ] {
        denied(sandbox.fetch(url, &[]), "attack-17");
    }
    let server = Server::always(Reply::ok("here"));
    for host in ["a.shop.test", "a.b.shop.test"] {
        let rule = server.connect_to(host);
        sandbox
            .fetch(&format!("http://{host}/"), &["--connect-to", &rule])
            .exit(0)
            .stdout_contains("here");
    }
}

#[test]
fn hosts_are_compared_whole() {
    let (_package, sandbox) = sandbox();
    for url in [
        "https://example.com.evil.test/",
        "https://notexample.com/",
        "https://www.example.com/",
        "https://example.co/",
    ] {
        denied(sandbox.fetch(url, &[]), "B002");
    }
}

#[test]
fn a_backslash_ends_the_host() {
    let (_package, sandbox) = sandbox();
    let server = Server::start(Reply::ok);
    sandbox
        .fetch_from(&server, r"http://example.com\@evil.test/", &[])
        .proves("attack-21");
    let request = &server.requests()[0];
    assert!(
        request.starts_with("GET /@evil.test/ HTTP/1.1\n"),
        "{request}"
    );
    assert!(request.contains("\nhost: example.com\n"), "{request}");
}

#[test]
fn headers_of_the_host_cannot_be_set() {
    let (_package, sandbox) = sandbox();
    let server = Server::always(Reply::ok("here"));
    for header in [
        "Host:evil.test",
        "host:evil.test",
        ":authority:evil.test",
        "X-Forwarded-Host:evil.test",
        "Connection:upgrade",
        "Transfer-Encoding:chunked",
        "Upgrade:websocket",
        "Proxy-Authorization:Basic eDp5",
        "Content-Length:3",
    ] {
        let run = sandbox.fetch_from(&server, "http://example.com/", &["--header", header]);
        denied(run, "attack-25");
    }
    assert_eq!(server.requests(), [""; 0]);
    sandbox
        .fetch_from(&server, "http://example.com/", &["--header", "X-Own:yes"])
        .exit(0);
    assert!(server.requests()[0].contains("\nx-own: yes\n"));
}

#[test]
fn schemes_other_than_http_are_refused() {
    let (_package, sandbox) = sandbox();
    for (id, url) in [
        ("attack-26", "javascript:alert(1)"),
        ("attack-26", "chrome://settings"),
        ("attack-26", "devtools://devtools/"),
        ("attack-26", "file:///etc/passwd"),
        ("attack-26", "view-source:https://example.com/"),
        ("attack-26", "filesystem:https://example.com/x"),
        ("attack-26", "ftp://example.com/"),
        ("attack-26", "blob:https://example.com/x"),
        ("attack-26", "data:text/plain,x"),
        ("B005", "JavaScript:alert(1)"),
        ("B005", " java\tscript:alert(1)"),
        ("B005", "CHROME://settings"),
    ] {
        denied(sandbox.fetch(url, &[]), id);
    }
}

#[test]
fn without_the_capability_every_function_of_it_is_denied() {
    let (_package, sandbox) = sandbox();
    // As a lock of an earlier version that granted less would be.
    let text = std::fs::read_to_string(sandbox.lock()).unwrap();
    let mut lock: serde_json::Value = serde_json::from_str(&text).unwrap();
    lock["plugins"][Package::NAME]["grants"]["capabilities"] = serde_json::json!([]);
    std::fs::write(sandbox.lock(), lock.to_string()).unwrap();
    let url = "https://example.com/";
    denied(sandbox.fetch(url, &[]), "attack-30");
    for arguments in [
        &["get-text", url, "-f", "json"][..],
        &["sitedata", "/version", "-f", "json"],
    ] {
        let arguments = [&[Package::NAME], arguments].concat();
        denied(sandbox.run(&arguments), "attack-30");
    }
    // Of several requests each has its own answer.
    sandbox
        .run(&[Package::NAME, "fetch-all", url])
        .stdout_contains("CAPABILITY_NOT_GRANTED");
}

#[test]
fn a_component_that_uses_more_than_its_manifest_asks_for_is_not_installed() {
    let package =
        Package::every_case().manifest(|manifest| manifest["capabilities"] = serde_json::json!([]));
    let sandbox = Sandbox::new();
    sandbox
        .install(&package)
        .exit(77)
        .stderr_contains("fetch.send")
        .stderr_contains(r#""capabilities""#);
    sandbox.wrote_nothing();
}

#[test]
fn a_refusal_names_the_line_that_would_allow_it() {
    let (_package, sandbox) = sandbox();
    let run = sandbox.fetch("https://other.test/", &[]).exit(68);
    let hint = run.error()["hint"].as_str().unwrap_or_default().to_owned();
    assert!(hint.contains(r#""domains""#), "{hint}");
    assert!(hint.contains("other.test"), "{hint}");
}
