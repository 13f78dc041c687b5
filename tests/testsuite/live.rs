//! The live path: a real plugin, a real TLS server, the same checks as on the open internet.

use std::fs;

use serde_json::Value;

use crate::support::{Authority, Reply, Sandbox, Server, root};

const HOST: &str = "export.arxiv.org";

/// What the site answers to the paper's request, as the recording has it.
fn feed() -> String {
    let path = root().join("plugins/sr-arxiv/recordings/paper.json");
    let recording: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    recording["exchanges"][0]["response"]["body"]["text"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn site(authority: &Authority) -> Server {
    let feed = feed();
    Server::start_tls(authority, move |_| Reply::ok(&feed))
}

fn with_arxiv() -> Sandbox {
    let sandbox = Sandbox::new();
    let folder = root().join("dist/sr-arxiv").display().to_string();
    sandbox.run(&["plugin", "install", &folder]).exit(0);
    sandbox
}

#[test]
fn a_paper_comes_from_a_tls_server_and_its_recording_replays_alike() {
    let authority = Authority::of(HOST);
    let server = site(&authority);
    let sandbox = with_arxiv();
    let cacert = sandbox.home().join("ca.pem");
    fs::write(&cacert, &authority.pem).unwrap();
    let record = sandbox.home().join("recorded.json").display().to_string();
    let paper = ["sr-arxiv", "paper", "1706.03762", "-f", "json"];
    let live = sandbox
        .run(
            &[
                &paper[..],
                &["--connect-to", &server.connect_tls_to(HOST)],
                &["--cacert", &cacert.display().to_string()],
                &["--record", &record],
            ]
            .concat(),
        )
        .exit(0);
    assert_eq!(live.json()[0]["title"], "Attention Is All You Need");
    let requests = server.requests();
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert!(
        requests[0].starts_with("GET /api/query?id_list=1706.03762 "),
        "{requests:?}"
    );
    assert!(
        requests[0].contains("host: export.arxiv.org\n"),
        "{requests:?}"
    );
    drop(server);
    let replayed = sandbox
        .run(&[&paper[..], &["--replay", &record]].concat())
        .exit(0);
    assert_eq!(replayed.stdout, live.stdout);
}

#[test]
fn a_certificate_nobody_vouches_for_ends_the_command_and_names_the_option() {
    let authority = Authority::of(HOST);
    let server = site(&authority);
    let sandbox = with_arxiv();
    sandbox
        .run(&[
            "sr-arxiv",
            "paper",
            "1706.03762",
            "--connect-to",
            &server.connect_tls_to(HOST),
        ])
        .exit(69)
        .stderr_contains("--cacert");
    assert!(server.requests().is_empty());
}

#[test]
fn a_certificate_of_another_host_ends_the_command() {
    let authority = Authority::of("other.example");
    let server = site(&authority);
    let sandbox = with_arxiv();
    let cacert = sandbox.home().join("ca.pem");
    fs::write(&cacert, &authority.pem).unwrap();
    sandbox
        .run(&[
            "sr-arxiv",
            "paper",
            "1706.03762",
            "--connect-to",
            &server.connect_tls_to(HOST),
            "--cacert",
            &cacert.display().to_string(),
        ])
        .exit(69)
        .stderr_contains(HOST);
    assert!(server.requests().is_empty());
}
