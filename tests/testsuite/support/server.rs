//! A small HTTP server on loopback that remembers what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

const PATIENCE: Duration = Duration::from_secs(10);

/// A certificate authority of one test, and a certificate of it for one host.
pub(crate) struct Authority {
    /// The authority's certificate, for `--cacert`.
    pub(crate) pem: String,
    certificate: CertificateDer<'static>,
    key: KeyPair,
}

impl Authority {
    pub(crate) fn of(host: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority_key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&authority_key).unwrap().pem();
        let issuer = Issuer::new(params, authority_key);
        let key = KeyPair::generate().unwrap();
        let leaf = CertificateParams::new(vec![host.to_owned()]).unwrap();
        let certificate = leaf.signed_by(&key, &issuer).unwrap().der().clone();
        Self {
            pem,
            certificate,
            key,
        }
    }

    pub(super) fn config(&self) -> Arc<ServerConfig> {
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(self.key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![self.certificate.clone()], key)
            .unwrap();
        Arc::new(config)
    }
}

/// What the server answers to one path.
#[derive(Clone)]
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Reply {
    pub(crate) fn ok(body: &str) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            body: body.into(),
        }
    }

    /// A status, one header, and a body.
    pub(crate) fn with(status: u16, header: (&str, &str), body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: vec![(header.0.to_owned(), header.1.to_owned())],
            body: body.into(),
        }
    }

    pub(crate) fn redirect(to: &str) -> Self {
        Self {
            status: 302,
            headers: vec![("location".to_owned(), to.to_owned())],
            body: Vec::new(),
        }
    }

    pub(super) fn write(&self, stream: &mut impl Write) {
        let mut head = format!("HTTP/1.1 {} Reply\r\nconnection: close\r\n", self.status);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("content-length: {}\r\n\r\n", self.body.len()));
        let _ = stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(&self.body))
            .and_then(|()| stream.flush());
    }
}

/// Ends when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Asks `answer` with the path of each request.
    pub(crate) fn start(answer: impl Fn(&str) -> Reply + Send + 'static) -> Self {
        Self::accepting(move |stream, seen| serve(stream, seen, &answer))
    }

    /// The same behind TLS.
    pub(crate) fn start_tls(
        authority: &Authority,
        answer: impl Fn(&str) -> Reply + Send + 'static,
    ) -> Self {
        let config = authority.config();
        Self::accepting(move |stream, seen| {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            serve(StreamOwned::new(connection, stream), seen, &answer);
        })
    }

    pub(super) fn accepting(
        talk: impl Fn(TcpStream, &Mutex<Vec<String>>) + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let done = Arc::new(AtomicBool::new(false));
        let thread = thread::spawn({
            let (seen, done) = (Arc::clone(&seen), Arc::clone(&done));
            move || {
                for stream in listener.incoming() {
                    if done.load(Ordering::SeqCst) {
                        return;
                    }
                    if let Ok(stream) = stream {
                        stream.set_read_timeout(Some(PATIENCE)).unwrap();
                        talk(stream, &seen);
                    }
                }
            }
        });
        Self {
            address,
            seen,
            done,
            thread: Some(thread),
        }
    }

    /// One that answers everything alike.
    pub(crate) fn always(reply: Reply) -> Self {
        Self::start(move |_| reply.clone())
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// The value of `--connect-to` that sends the host's http requests here.
    pub(crate) fn connect_to(&self, host: &str) -> String {
        format!("{host}:80:127.0.0.1:{}", self.port())
    }

    /// The same for https requests.
    pub(crate) fn connect_tls_to(&self, host: &str) -> String {
        format!("{host}:443:127.0.0.1:{}", self.port())
    }

    /// The head of each request, header names in lower case, and its body.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.done.store(true, Ordering::SeqCst);
        // Wakes the thread, which then sees that it is done.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A connection without a request, as the one that ends the server, is not remembered.
fn serve(mut stream: impl Read + Write, seen: &Mutex<Vec<String>>, answer: &dyn Fn(&str) -> Reply) {
    let Some(request) = Request::read(&mut stream) else {
        return;
    };
    request.remember(seen);
    answer(&request.path).write(&mut stream);
}

/// A request with its whole body.
pub(super) struct Request {
    /// The first line and the headers, their names in lower case.
    pub(super) head: String,
    pub(super) path: String,
    pub(super) body: Vec<u8>,
}

impl Request {
    pub(super) fn read(stream: &mut (impl Read + Write)) -> Option<Self> {
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            if line == "\r\n" {
                break;
            }
            if !head.is_empty() {
                let (name, value) = line.split_once(':').unwrap_or((&line, ""));
                line = format!("{}:{value}", name.to_ascii_lowercase());
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
            head.push_str(&line.replace("\r\n", "\n"));
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
        Some(Self { head, path, body })
    }

    pub(super) fn remember(&self, seen: &Mutex<Vec<String>>) {
        let body = String::from_utf8_lossy(&self.body);
        seen.lock().unwrap().push(format!("{}\n{body}", self.head));
    }

    /// A header's value; empty when there is none.
    pub(super) fn header(&self, name: &str) -> &str {
        let line = |line: &'_ str| line.split_once(':').is_some_and(|(found, _)| found == name);
        let found = self.head.lines().find(|found| line(found));
        found
            .and_then(|found| found.split_once(':'))
            .map_or("", |(_, value)| value.trim())
    }
}
