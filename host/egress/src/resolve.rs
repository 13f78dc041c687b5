//! From a name to addresses, once.

use std::io;
use std::net::{IpAddr, ToSocketAddrs as _};
use std::sync::Arc;

use tokio::sync::{Semaphore, oneshot};

use crate::limits::RESOLVES_AT_ONCE;
use crate::transport::Pending;

/// Something that answers a name with addresses. What it answers is checked before it is dialled.
pub trait Resolver: Send + Sync {
    /// Looks `host` up. The caller bounds the time.
    ///
    /// # Errors
    /// Whatever the lookup says.
    fn resolve<'a>(&'a self, host: &'a str) -> Pending<'a, io::Result<Vec<IpAddr>>>;
}

/// The system's resolver, on a thread of its own per lookup, at most
/// [`RESOLVES_AT_ONCE`]. A lookup that hangs is left behind, so it
/// delays neither the answer nor the end of the program.
#[derive(Debug, Clone)]
pub struct SystemResolver {
    permits: Arc<Semaphore>,
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self {
            permits: Arc::new(Semaphore::new(RESOLVES_AT_ONCE)),
        }
    }
}

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str) -> Pending<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let permit = Arc::clone(&self.permits)
                .acquire_owned()
                .await
                .map_err(io::Error::other)?;
            let (answer, wait) = oneshot::channel();
            let name = host.to_owned();
            std::thread::Builder::new()
                .name("resolve".to_owned())
                .spawn(move || {
                    let found = (name.as_str(), 0).to_socket_addrs();
                    // The receiver is gone after a timeout; then nobody wants the answer.
                    let _ = answer.send(found.map(|list| list.map(|entry| entry.ip()).collect()));
                    drop(permit);
                })?;
            wait.await.map_err(io::Error::other)?
        })
    }
}
