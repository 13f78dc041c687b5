//! A SHA-256 digest in its one accepted spelling.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use crate::escape::escaped;

const PREFIX: &str = "sha256:";
const HEX_LENGTH: usize = 64;

/// A SHA-256 digest; written `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sha256Hex([u8; 32]);

/// Why a text is not a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DigestError {
    /// No `algorithm:` prefix, or another algorithm than SHA-256.
    #[error("unknown hash algorithm, only sha256 is accepted: {0}")]
    Algorithm(String),
    /// Not 64 digits.
    #[error("a sha256 hash has 64 digits, found: {0}")]
    Length(usize),
    /// Upper-case digits: one digest has one spelling, so that texts can be compared.
    #[error("hash digits must be lower case: {0}")]
    UpperCase(String),
    /// A character that is no hexadecimal digit.
    #[error("not a hexadecimal digit in a hash: {0}")]
    Digit(String),
}

impl Sha256Hex {
    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    pub(crate) fn finish(hasher: Sha256) -> Self {
        Self(hasher.finalize().into())
    }

    /// The 32 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The 64 digits without the algorithm, for file names.
    #[must_use]
    pub fn digits(&self) -> String {
        let mut text = String::with_capacity(HEX_LENGTH);
        for byte in self.0 {
            for nibble in [byte >> 4, byte & 0x0f] {
                text.extend(char::from_digit(u32::from(nibble), 16));
            }
        }
        text
    }
}

impl fmt::Display for Sha256Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.digits())
    }
}

impl fmt::Debug for Sha256Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Sha256Hex {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let Some(digits) = text.strip_prefix(PREFIX) else {
            return Err(DigestError::Algorithm(escaped(text)));
        };
        if digits.len() != HEX_LENGTH {
            return Err(DigestError::Length(digits.len()));
        }
        let mut bytes = [0; 32];
        for (place, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
            for &digit in pair {
                let value = match digit {
                    b'0'..=b'9' => digit - b'0',
                    b'a'..=b'f' => digit - b'a' + 10,
                    b'A'..=b'F' => return Err(DigestError::UpperCase(escaped(text))),
                    _ => return Err(DigestError::Digit(escaped(text))),
                };
                *place = (*place << 4) | value;
            }
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Sha256Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sha256Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Sha256Hex;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a hash such as sha256:<64 lower-case hexadecimal digits>")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Sha256Hex, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}
