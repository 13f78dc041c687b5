//! Which addresses may be dialled for a URL, and dialling them.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use sr_policy::address::check_address;
use sr_policy::{CheckedUrl, Failure};
use tokio::net::TcpStream;

use crate::deadline::Deadline;
use crate::failures::unavailable;
use crate::limits::{ADDRESSES_TRIED, CONNECT_TIME, RESOLVE_TIME};
use crate::options::Options;
use crate::resolve::Resolver;
use crate::transport::Pending;

/// Something that opens a connection to one address.
pub trait Dialer: Send + Sync {
    /// Connects to `address`. The caller bounds the time.
    ///
    /// # Errors
    /// Whatever the connection attempt says.
    fn dial(&self, address: SocketAddr) -> Pending<'_, io::Result<TcpStream>>;
}

/// Plain TCP.
#[derive(Debug, Clone, Copy, Default)]
pub struct TcpDialer;

impl Dialer for TcpDialer {
    fn dial(&self, address: SocketAddr) -> Pending<'_, io::Result<TcpStream>> {
        Box::pin(async move {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            Ok(stream)
        })
    }
}

/// Resolver, dialer and the person's rules: everything between a URL and a TCP stream.
pub(crate) struct Route {
    pub(crate) options: Options,
    pub(crate) resolver: Arc<dyn Resolver>,
    pub(crate) dialer: Arc<dyn Dialer>,
}

impl Route {
    /// A stream to the URL's host: directly, or through the proxy.
    pub(crate) async fn open(
        &self,
        url: &CheckedUrl,
        deadline: Deadline,
    ) -> Result<TcpStream, Failure> {
        let targets = self.targets(url, deadline).await?;
        match &self.options.proxy {
            None => self.dial_first(url.host(), &targets, deadline).await,
            Some(_) => self.tunnel(url, &targets, deadline).await,
        }
    }

    /// The addresses that may be dialled for `url`. A rule of the person wins and is exempt from
    /// the address check; every other address is checked, also one written in the URL.
    async fn targets(
        &self,
        url: &CheckedUrl,
        deadline: Deadline,
    ) -> Result<Vec<SocketAddr>, Failure> {
        if let Some(target) = self
            .options
            .connect_to
            .iter()
            .find_map(|rule| rule.target_for(url))
        {
            return Ok(vec![target]);
        }
        let named: Vec<IpAddr> = self
            .options
            .resolve
            .iter()
            .filter_map(|rule| rule.addresses_for(url))
            .flatten()
            .copied()
            .collect();
        let allowed = if !named.is_empty() {
            named
        } else if let Some(address) = url.ip() {
            check_address(url.host(), address).map_err(Failure::Denied)?;
            vec![address]
        } else {
            allowed_of(url.host(), self.lookup(url.host(), deadline).await?)?
        };
        Ok(allowed
            .into_iter()
            .take(ADDRESSES_TRIED)
            .map(|address| SocketAddr::new(address, url.port()))
            .collect())
    }

    async fn lookup(&self, host: &str, deadline: Deadline) -> Result<Vec<IpAddr>, Failure> {
        match deadline
            .within(RESOLVE_TIME)
            .bound("name lookup", host, self.resolver.resolve(host))
            .await?
        {
            Ok(addresses) if addresses.is_empty() => {
                Err(unavailable(format!("{host}: the name has no address")))
            }
            Ok(addresses) => Ok(addresses),
            Err(error) => Err(unavailable(format!("{host}: name lookup failed: {error}"))),
        }
    }

    /// Tries the addresses in order, each for a bounded time.
    async fn dial_first(
        &self,
        host: &str,
        targets: &[SocketAddr],
        deadline: Deadline,
    ) -> Result<TcpStream, Failure> {
        let mut causes = Vec::new();
        for target in targets {
            let attempt = deadline.within(CONNECT_TIME);
            match attempt
                .bound("connection", host, self.dialer.dial(*target))
                .await
            {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => causes.push(format!("{target} {error}")),
                Err(failure) if attempt == deadline => return Err(failure),
                Err(_) => causes.push(format!(
                    "{target} no answer in {} s",
                    CONNECT_TIME.as_secs()
                )),
            }
        }
        Err(unavailable(format!(
            "{host}: no connection: {}",
            causes.join(", ")
        )))
    }

    async fn tunnel(
        &self,
        url: &CheckedUrl,
        targets: &[SocketAddr],
        deadline: Deadline,
    ) -> Result<TcpStream, Failure> {
        let Some(proxy) = &self.options.proxy else {
            return Err(unavailable("no proxy is set"));
        };
        let addresses = match proxy.host().parse() {
            Ok(address) => vec![address],
            Err(_) => self.lookup(proxy.host(), deadline).await?,
        };
        let doors: Vec<SocketAddr> = addresses
            .into_iter()
            .take(ADDRESSES_TRIED)
            .map(|address| SocketAddr::new(address, proxy.port()))
            .collect();
        let label = format!("proxy {proxy}");
        let mut last = unavailable(format!("{}: no address to ask {label} for", url.host()));
        for target in targets {
            let mut stream = self.dial_first(&label, &doors, deadline).await?;
            let tunnel = deadline
                .bound("tunnel", &label, proxy.connect(&mut stream, *target))
                .await?;
            match tunnel {
                Ok(()) => return Ok(stream),
                Err(error) => {
                    last = unavailable(format!("{}: {label}: {error}", url.host()));
                    if !error.is_about_the_address() {
                        break;
                    }
                }
            }
        }
        Err(last)
    }
}

/// Only the addresses that may be dialled; a name that has none of them is denied.
fn allowed_of(host: &str, addresses: Vec<IpAddr>) -> Result<Vec<IpAddr>, Failure> {
    let mut refusal = None;
    let mut allowed = Vec::new();
    for address in addresses {
        match check_address(host, address) {
            Ok(()) => allowed.push(address),
            Err(denial) => refusal = refusal.or(Some(denial)),
        }
    }
    match refusal {
        Some(denial) if allowed.is_empty() => Err(Failure::Denied(denial)),
        _ => Ok(allowed),
    }
}
