//! What bounds each request. A component chooses within these numbers, never above them.

use std::time::Duration;

/// Largest request body in bytes. Without it a component could make the host hold and send anything it can allocate.
pub const REQUEST_BODY_BYTES: usize = 16 * 1024 * 1024;

/// Response body in bytes, after decompression, when a request names no limit.
pub const RESPONSE_BYTES_DEFAULT: usize = 4 * 1024 * 1024;

/// Largest response body in bytes, before and after decompression. Without it one URL of an
/// allowed site, or a compression bomb behind it, would fill the host's memory.
pub const RESPONSE_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Redirects followed in one fetch. Without it two pages that point at each other keep a run busy until its wall limit.
pub const REDIRECTS_MAX: u32 = 10;

/// Time for one fetch, all hops together, when a request names none, in milliseconds.
pub const TIMEOUT_DEFAULT_MS: u32 = 30_000;

/// Longest time for one fetch in milliseconds.
pub const TIMEOUT_MAX_MS: u32 = 60_000;

/// Time for one name lookup. The system's own limit may be minutes.
pub const RESOLVE_TIME: Duration = Duration::from_secs(10);

/// Name lookups in flight at once. Each occupies a thread for as long as the system takes, so a
/// component that asks for many dead names could otherwise start hundreds.
pub const RESOLVES_AT_ONCE: usize = 16;

/// Time for one connection attempt, so that a dead first address leaves time for the second.
pub const CONNECT_TIME: Duration = Duration::from_secs(5);

/// Addresses tried for one connection. A name server may answer with hundreds.
pub const ADDRESSES_TRIED: usize = 8;

/// Response status line and headers in bytes. Without it a server could send headers until memory or time ends.
pub const RESPONSE_HEAD_BYTES: usize = 64 * 1024;

/// Response headers.
pub const RESPONSE_HEADERS: usize = 128;

/// A proxy's answer to CONNECT in bytes.
pub const PROXY_HEAD_BYTES: usize = 8 * 1024;

/// How long an unused connection is kept for the next request. Servers close idle connections
/// from about this age on; a younger one is rarely lost under a request.
pub const IDLE_TIME: Duration = Duration::from_secs(15);

/// Unused connections kept in all.
pub const IDLE_CONNECTIONS: usize = 16;
