//! The only way out: every byte that leaves the host for the network goes through here.
//!
//! ```text
//! fetch ─ policy.check(method, URL) ─┐            every hop, before it leaves
//!                                    ▼
//!   Transport  ─ Live ───── resolve once ─ check each address ─ dial that address ─ TLS ─ HTTP/1.1
//!              ├ Recorder ─ a transport, and what it answered as a recording
//!              └ Replay ─── a recording; never a socket
//! ```
//!
//! [`fetch`](fetch()) is what a component reaches: it checks limits and policy, then hands one hop at a time
//! to a [`Transport`]. A transport follows no redirect and decides nothing about names; [`Live`]
//! decides about addresses. The environment is never read: proxies come from [`Options`] alone.

mod body;
mod connection;
mod deadline;
mod dial;
mod error;
mod failures;
mod fetch;
pub mod limits;
mod live;
mod options;
mod peek;
mod pool;
mod proxy;
mod record;
mod redirect;
mod replay;
mod request_head;
mod resolve;
mod text;
mod tls;
mod transport;

pub use dial::{Dialer, TcpDialer};
pub use error::EgressError;
pub use fetch::{FetchRequest, FetchResponse, Redirects, fetch};
pub use live::Live;
pub use options::{ConnectRule, Options, ResolveRule};
pub use peek::{Peeked, peek};
pub use proxy::Proxy;
pub use record::Recorder;
pub use replay::{Missed, Replay};
pub use resolve::{Resolver, SystemResolver};
pub use text::decode_text;
pub use tls::check_certificates;
pub use transport::{Hop, Pending, Reply, Transport};
