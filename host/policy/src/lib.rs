//! Pure policy: what a plugin may reach, and the plain data of a run.
//!
//! No I/O and no clock, so the same rules hold in the host, in `plugin lint`, in the guest
//! test kit and in a wasm build. Raw text never decides: a URL is a [`CheckedUrl`], a manifest
//! domain an [`Allowlist`] entry, text from pages and plugins an [`UntrustedText`].
//!
//! ```
//! use sr_policy::{Allowlist, CheckedUrl};
//!
//! let (list, illegal) = Allowlist::from_entries(["example.com", "https://shop.test"]);
//! assert_eq!(illegal.len(), 1);
//! assert_eq!(illegal[0].advice, "write shop.test");
//!
//! let url = CheckedUrl::parse("https://evil.test/x")?;
//! let denial = list.check(&url).unwrap_err();
//! assert_eq!(denial.code, "DOMAIN_NOT_ALLOWED");
//! assert_eq!(denial.fix.as_deref(), Some(r#""domains": ["evil.test"]"#));
//! # Ok::<(), sr_policy::UrlError>(())
//! ```

pub mod address;
pub mod allowlist;
mod arg_rules;
pub mod capability;
pub mod command;
pub mod command_rules;
pub mod date;
mod denial;
pub mod exit;
pub mod failure;
mod failure_table;
pub mod fixture;
mod fixture_rules;
pub mod grants;
pub mod headers;
mod host_name;
pub mod host_options;
pub mod json;
mod json_place;
mod json_scan;
pub mod limits;
pub mod observer;
mod origin;
pub mod pattern;
mod player;
pub mod protected;
pub mod recording;
pub mod redact;
pub mod request;
mod rows;
#[cfg(feature = "suffixes")]
pub mod suffix;
pub mod text_pattern;
mod unique_map;
pub mod untrusted;
pub mod url;
pub mod value;
pub mod width;

pub use crate::url::{CheckedUrl, Origin, Scheme, UrlError};
pub use allowlist::Allowlist;
pub use capability::Capability;
pub use failure::{Denial, Failure};
pub use grants::Grants;
pub use pattern::{DomainPattern, PatternError};
pub use request::{Phase, RequestPolicy};
pub use text_pattern::TextPattern;
pub use untrusted::UntrustedText;
