//! The world a component was built for.

use std::fmt;
use std::str::FromStr;

use crate::escape::escaped;

/// What this program serves: the world and the breaking version; any patch number.
pub const SERVED_WORLD: &str = "sr:runtime/adapter@0.1";

/// A world this program serves, such as `sr:runtime/adapter@0.1.0`.
///
/// Patch numbers are additive, so a later one is accepted here; a component that really uses
/// a newer function is refused by name when it is linked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World(String);

/// Why a world is not served.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorldError {
    /// Not `package/world@version`.
    #[error("not a world; write \"{SERVED_WORLD}.0\": \"{0}\"")]
    Shape(String),
    /// Another world.
    #[error("plugins are built for {SERVED_WORLD}.x, not for this world: \"{0}\"")]
    Other(String),
    /// A later breaking version.
    #[error(
        "this plugin needs a newer sr-runtime, one that serves {wanted}; this one serves {SERVED_WORLD}.x"
    )]
    Newer {
        /// The world asked for.
        wanted: String,
    },
    /// An earlier breaking version.
    #[error(
        "this plugin was built for {wanted}, which is no longer served; rebuild it for {SERVED_WORLD}.x"
    )]
    Older {
        /// The world asked for.
        wanted: String,
    },
}

impl World {
    /// The world as the manifest writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for World {
    type Err = WorldError;

    fn from_str(text: &str) -> Result<Self, WorldError> {
        let shape = || WorldError::Shape(escaped(text));
        let (world, version) = text.split_once('@').ok_or_else(shape)?;
        let numbers = version_numbers(version).ok_or_else(shape)?;
        if world != "sr:runtime/adapter" {
            return Err(WorldError::Other(escaped(text)));
        }
        let wanted = || escaped(text);
        match (numbers.0, numbers.1) {
            (0, 1) => Ok(Self(text.to_owned())),
            (0, 0) => Err(WorldError::Older { wanted: wanted() }),
            _ => Err(WorldError::Newer { wanted: wanted() }),
        }
    }
}

/// Three whole numbers without leading zeros.
fn version_numbers(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.split('.').map(|part| {
        let plain = part.bytes().all(|byte| byte.is_ascii_digit())
            && (part.len() == 1 || !part.starts_with('0'));
        plain.then(|| part.parse::<u32>().ok()).flatten()
    });
    let numbers = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(numbers)
}
