//! TLS to the URL's host: rustls, the built-in roots or the person's, HTTP/1.1 only.

use std::sync::{Arc, OnceLock};

use sr_policy::{CheckedUrl, Failure};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

use crate::deadline::Deadline;
use crate::error::EgressError;
use crate::failures::unavailable;

/// The TLS settings, made into a configuration at the first https exchange: most runs of a
/// replayed or local command never need the roots.
pub(crate) struct Tls {
    roots: Option<RootCertStore>,
    config: OnceLock<Arc<ClientConfig>>,
}

impl Tls {
    /// `cacert` is a PEM file's content; its certificates replace the built-in roots.
    pub(crate) fn new(cacert: Option<&[u8]>) -> Result<Self, EgressError> {
        Ok(Self {
            roots: cacert.map(roots_of).transpose()?,
            config: OnceLock::new(),
        })
    }

    /// The handshake on a stream that is connected to the URL's host.
    pub(crate) async fn connect(
        &self,
        url: &CheckedUrl,
        stream: TcpStream,
        deadline: Deadline,
    ) -> Result<TlsStream<TcpStream>, Failure> {
        let host = url.host();
        let name = match url.ip() {
            Some(address) => ServerName::from(address),
            None => ServerName::try_from(host.to_owned()).map_err(|_| {
                unavailable(format!("{host}: TLS: not a name a certificate can be for"))
            })?,
        };
        let config = self
            .config()
            .map_err(|error| unavailable(error.to_string()))?;
        let handshake = TlsConnector::from(config).connect(name, stream);
        deadline
            .bound("TLS handshake", host, handshake)
            .await?
            .map_err(|error| unavailable(format!("{host}: TLS: {error}{}", self.hint(&error))))
    }

    fn config(&self) -> Result<Arc<ClientConfig>, EgressError> {
        if let Some(config) = self.config.get() {
            return Ok(Arc::clone(config));
        }
        let roots = self
            .roots
            .clone()
            .unwrap_or_else(|| webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| EgressError::Tls {
                reason: error.to_string(),
            })?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::clone(self.config.get_or_init(|| Arc::new(config))))
    }

    /// What a person can do about a certificate that was not accepted.
    fn hint(&self, error: &std::io::Error) -> &'static str {
        let about_certificate = error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<rustls::Error>())
            .is_some_and(|inner| matches!(inner, rustls::Error::InvalidCertificate(_)));
        match (about_certificate, &self.roots) {
            (false, _) => "",
            (true, None) => " (a server with its own certificate authority: --cacert FILE)",
            (true, Some(_)) => " (checked against the --cacert file alone)",
        }
    }
}

/// Whether these are PEM certificates that could replace the roots.
///
/// # Errors
/// None in it, or one that cannot be used.
pub fn check_certificates(pem: &[u8]) -> Result<(), EgressError> {
    roots_of(pem).map(|_| ())
}

fn roots_of(pem: &[u8]) -> Result<RootCertStore, EgressError> {
    let mut roots = RootCertStore::empty();
    for (index, certificate) in CertificateDer::pem_slice_iter(pem).enumerate() {
        let refused = |reason: String| EgressError::Certificate {
            number: index + 1,
            reason,
        };
        let certificate = certificate.map_err(|error| refused(error.to_string()))?;
        roots
            .add(certificate)
            .map_err(|error| refused(error.to_string()))?;
    }
    if roots.is_empty() {
        Err(EgressError::NoCertificate)
    } else {
        Ok(roots)
    }
}
