//! Why an egress set-up is refused: a bad option, or a certificate file that cannot be used.

use thiserror::Error;

/// A refused option value. Nothing is sent with a set-up that is only partly understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EgressError {
    /// An option's value does not have the required form.
    #[error("{option}: {reason}: {value}")]
    Option {
        /// The option, with its dashes.
        option: &'static str,
        /// What is wrong and what to write.
        reason: String,
        /// The value as given, without a password.
        value: String,
    },
    /// The certificate file holds no certificate.
    #[error(
        "--cacert: no certificate in the file: a PEM file with BEGIN CERTIFICATE lines is needed"
    )]
    NoCertificate,
    /// A certificate in the file cannot be used.
    #[error("--cacert: certificate {number} in the file cannot be used: {reason}")]
    Certificate {
        /// Which one, from 1.
        number: usize,
        /// What the parser said.
        reason: String,
    },
    /// The TLS library refuses its own configuration.
    #[error("TLS cannot be set up: {reason}")]
    Tls {
        /// What the library said.
        reason: String,
    },
}
