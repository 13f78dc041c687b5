//! TLS is verified for the URL's host, whatever address is dialled.

use std::sync::Arc;
use std::time::Duration;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedKey, IsCa, Issuer, KeyPair,
    generate_simple_self_signed,
};
use sr_egress::{EgressError, FetchRequest, Live, Options};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ServerConfig, version};

use crate::support::*;

/// An authority of its own, and an acceptor with a certificate from it for `names`.
pub(crate) fn authority(names: &[&str]) -> (TlsAcceptor, Vec<u8>) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let pem = certificate.pem().into_bytes();
    let issuer = Issuer::new(params, key);
    let leaf_key = KeyPair::generate().unwrap();
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let leaf = CertificateParams::new(names)
        .unwrap()
        .signed_by(&leaf_key, &issuer)
        .unwrap();
    (acceptor(leaf.der().clone(), &leaf_key), pem)
}

fn acceptor(certificate: CertificateDer<'static>, key: &KeyPair) -> TlsAcceptor {
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_protocol_versions(&[&version::TLS13, &version::TLS12])
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

/// An https server; requests are kept as for a plain one.
pub(crate) async fn server(
    acceptor: TlsAcceptor,
    answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static,
) -> Server {
    let answer = Arc::new(answer);
    Server::speaking(move |stream, requests| {
        let (acceptor, answer) = (acceptor.clone(), Arc::clone(&answer));
        async move {
            if let Ok(mut stream) = acceptor.accept(stream).await {
                serve(&mut stream, &requests, &*answer).await;
            }
        }
    })
    .await
}

fn options(server: &Server, cacert: Option<Vec<u8>>) -> Options {
    Options {
        connect_to: vec![server.instead_of("example.com", 443)],
        cacert,
        ..Options::default()
    }
}

fn request() -> FetchRequest {
    get("https://example.com/page")
}

#[tokio::test]
async fn a_certificate_from_the_given_authority_is_accepted_and_names_the_urls_host() {
    let (acceptor, cacert) = authority(&["example.com"]);
    let server = server(acceptor, |_| ok("secure")).await;
    let transport = live(options(&server, Some(cacert)));
    let response = run(&reading(&["example.com"]), &transport, request())
        .await
        .unwrap();
    assert_eq!(response.body, b"secure");
    assert_eq!(header(&server.requests()[0], "host"), Some("example.com"));
}

#[tokio::test]
async fn an_unknown_authority_is_refused_with_the_option_that_helps() {
    let (acceptor, _) = authority(&["example.com"]);
    let server = server(acceptor, |_| ok("secure")).await;
    let text = unavailable(
        run(
            &reading(&["example.com"]),
            &live(options(&server, None)),
            request(),
        )
        .await,
    );
    assert!(text.starts_with("example.com: TLS: "), "{text}");
    assert!(text.contains("--cacert"), "{text}");
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn another_authoritys_file_does_not_help() {
    let (acceptor, _) = authority(&["example.com"]);
    let (_, other) = authority(&["example.com"]);
    let server = server(acceptor, |_| ok("secure")).await;
    let text = unavailable(
        run(
            &reading(&["example.com"]),
            &live(options(&server, Some(other))),
            request(),
        )
        .await,
    );
    assert!(text.contains("TLS"), "{text}");
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused() {
    let (acceptor, cacert) = authority(&["other.test"]);
    let server = server(acceptor, |_| ok("secure")).await;
    let text = unavailable(
        run(
            &reading(&["example.com"]),
            &live(options(&server, Some(cacert))),
            request(),
        )
        .await,
    );
    assert!(
        text.contains("example.com: TLS: ") && text.contains("not valid for name"),
        "{text}"
    );
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn a_certificate_with_thousands_of_names_makes_no_endless_message() {
    let names: Vec<String> = (0..2_000).map(|number| format!("n{number}.test")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (acceptor, cacert) = authority(&names);
    let server = server(acceptor, |_| ok("secure")).await;
    let text = unavailable(
        run(
            &reading(&["example.com"]),
            &live(options(&server, Some(cacert))),
            request(),
        )
        .await,
    );
    assert!(text.len() <= 1_000, "{} bytes", text.len());
}

#[tokio::test]
async fn a_self_signed_certificate_is_refused() {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["example.com".to_owned()]).unwrap();
    let server = server(acceptor(cert.der().clone(), &signing_key), |_| ok("secure")).await;
    unavailable(
        run(
            &reading(&["example.com"]),
            &live(options(&server, None)),
            request(),
        )
        .await,
    );
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn a_server_that_speaks_no_tls_is_refused() {
    let server = Server::answering(|_| ok("plain")).await;
    let request = FetchRequest {
        timeout_ms: 1_000,
        ..request()
    };
    assert!(
        run(
            &reading(&["example.com"]),
            &live(options(&server, None)),
            request
        )
        .await
        .is_err()
    );
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn a_handshake_that_hangs_ends_at_the_deadline() {
    let server = Server::speaking(|stream, _| async move {
        std::future::pending::<()>().await;
        drop(stream);
    })
    .await;
    let request = FetchRequest {
        timeout_ms: 80,
        ..request()
    };
    let (policy, transport) = (reading(&["example.com"]), live(options(&server, None)));
    let answer = soon(Duration::from_secs(2), run(&policy, &transport, request)).await;
    assert_eq!(
        timed_out(answer),
        ("TLS handshake of example.com".to_owned(), 80)
    );
}

#[tokio::test]
async fn a_tls_stream_cut_without_goodbye_is_a_failure() {
    let (acceptor, cacert) = authority(&["example.com"]);
    let server = Server::speaking(move |stream, _| {
        let acceptor = acceptor.clone();
        async move {
            let mut stream = acceptor.accept(stream).await.unwrap();
            read_request(&mut stream).await;
            let half = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhalf of it";
            tokio::io::AsyncWriteExt::write_all(&mut stream, half)
                .await
                .unwrap();
            tokio::io::AsyncWriteExt::flush(&mut stream).await.unwrap();
            drop(stream);
        }
    })
    .await;
    unavailable(
        run(
            &reading(&["example.com"]),
            &live(options(&server, Some(cacert))),
            request(),
        )
        .await,
    );
}

#[test]
fn a_certificate_file_that_cannot_be_used_is_refused_at_once() {
    let built = |pem: &[u8]| {
        Live::new(Options {
            cacert: Some(pem.to_vec()),
            ..Options::default()
        })
        .err()
    };
    assert_eq!(built(b""), Some(EgressError::NoCertificate));
    assert_eq!(
        built(b"not a certificate"),
        Some(EgressError::NoCertificate)
    );
    let CertifiedKey { signing_key, .. } =
        generate_simple_self_signed(vec!["example.com".to_owned()]).unwrap();
    assert_eq!(
        built(signing_key.serialize_pem().as_bytes()),
        Some(EgressError::NoCertificate)
    );
    let broken = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    assert!(matches!(
        built(broken),
        Some(EgressError::Certificate { number: 1, .. })
    ));
    let unfinished = b"-----BEGIN CERTIFICATE-----\nAAAA\n";
    assert!(built(unfinished).is_some());
}
