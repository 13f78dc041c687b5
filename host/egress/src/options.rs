//! What a person may say about the network, with curl's names: `--resolve`, `--connect-to`, `--cacert`, `--proxy`.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use sr_policy::CheckedUrl;

use crate::error::EgressError;
use crate::proxy::Proxy;

/// The network settings of one run. The default is: system resolver, built-in roots, no proxy.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Addresses for a host and port, instead of a lookup.
    pub resolve: Vec<ResolveRule>,
    /// Another address and port to dial for a host and port.
    pub connect_to: Vec<ConnectRule>,
    /// PEM certificates that replace the built-in roots.
    pub cacert: Option<Vec<u8>>,
    /// An HTTP proxy for every connection.
    pub proxy: Option<Proxy>,
}

/// `HOST:PORT:ADDR[,ADDR]...`: these addresses for this host and port. The person named them, so
/// exactly these are exempt from the address check; anything a lookup answers is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolveRule {
    host: String,
    port: u16,
    addresses: Vec<IpAddr>,
}

impl ResolveRule {
    /// The addresses when this rule is about `url`.
    #[must_use]
    pub fn addresses_for(&self, url: &CheckedUrl) -> Option<&[IpAddr]> {
        (self.host == url.host() && self.port == url.port()).then_some(self.addresses.as_slice())
    }
}

impl FromStr for ResolveRule {
    type Err = EgressError;

    fn from_str(text: &str) -> Result<Self, EgressError> {
        let rule = Rule {
            option: "--resolve",
            form: "HOST:PORT:ADDR, for example example.com:443:127.0.0.1",
            text,
        };
        let parts = rule.parts();
        let [host, port, first, more @ ..] = parts.as_slice() else {
            return Err(rule.error("three parts are needed"));
        };
        // The address is the tail, so an IPv6 address needs no brackets here.
        let mut tail = (*first).to_owned();
        for part in more {
            tail.push(':');
            tail.push_str(part);
        }
        let addresses = tail
            .split(',')
            .map(|address| rule.address(address))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            host: rule.host(host)?,
            port: rule.port(port)?,
            addresses,
        })
    }
}

/// `HOST:PORT:ADDR:PORT2`: dial this address and port for this host and port. TLS still verifies,
/// and the Host header still says, the URL's host. `ADDR` is an IP address: unlike curl no name,
/// because a name would need a second lookup that no rule covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectRule {
    host: String,
    port: u16,
    to: SocketAddr,
}

impl ConnectRule {
    /// Where to dial when this rule is about `url`.
    #[must_use]
    pub fn target_for(&self, url: &CheckedUrl) -> Option<SocketAddr> {
        (self.host == url.host() && self.port == url.port()).then_some(self.to)
    }
}

impl FromStr for ConnectRule {
    type Err = EgressError;

    fn from_str(text: &str) -> Result<Self, EgressError> {
        let rule = Rule {
            option: "--connect-to",
            form: "HOST:PORT:ADDR:PORT2, for example example.com:443:127.0.0.1:8443 (an IPv6 ADDR in brackets)",
            text,
        };
        let parts = rule.parts();
        let [host, port, address, to_port] = parts.as_slice() else {
            return Err(rule.error("four parts are needed"));
        };
        let to = SocketAddr::new(rule.address(address)?, rule.port(to_port)?);
        Ok(Self {
            host: rule.host(host)?,
            port: rule.port(port)?,
            to,
        })
    }
}

/// One option value while it is being read.
struct Rule<'a> {
    option: &'static str,
    form: &'static str,
    text: &'a str,
}

impl<'a> Rule<'a> {
    fn error(&self, reason: &str) -> EgressError {
        EgressError::Option {
            option: self.option,
            reason: format!("{reason}; write {}", self.form),
            value: self.text.to_owned(),
        }
    }

    /// The text between colons that are outside brackets.
    fn parts(&self) -> Vec<&'a str> {
        let mut bracketed = false;
        self.text
            .split(move |letter: char| {
                match letter {
                    '[' => bracketed = true,
                    ']' => bracketed = false,
                    _ => {}
                }
                letter == ':' && !bracketed
            })
            .collect()
    }

    fn host(&self, host: &str) -> Result<String, EgressError> {
        match host {
            "" => return Err(self.error("an empty HOST is not accepted as `every host`")),
            "*" => return Err(self.error("`*` is not accepted as HOST, name each host")),
            _ => {}
        }
        host_of(host)
            .ok_or_else(|| self.error(&format!("HOST is not a host name or address: {host}")))
    }

    fn port(&self, port: &str) -> Result<u16, EgressError> {
        if port.is_empty() {
            return Err(self.error("an empty PORT is not accepted as `every port`"));
        }
        port_of(port)
            .ok_or_else(|| self.error(&format!("a port is a number from 1 to 65535, not {port}")))
    }

    fn address(&self, address: &str) -> Result<IpAddr, EgressError> {
        let bare = address
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .unwrap_or(address);
        bare.parse().map_err(|_| {
            self.error(&format!(
                "ADDR must be an IP address, not a name: {address}"
            ))
        })
    }
}

/// A host in the spelling that URLs have after parsing, so that rule and URL compare byte by byte.
pub(crate) fn host_of(text: &str) -> Option<String> {
    if text.contains(['/', '\\', '?', '#', '@', '%']) || text.chars().any(char::is_whitespace) {
        return None;
    }
    let url = CheckedUrl::parse(&format!("http://{text}/")).ok()?;
    url.has_default_port().then(|| url.host().to_owned())
}

/// A port other than 0, written in digits only.
pub(crate) fn port_of(text: &str) -> Option<u16> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok().filter(|port| *port != 0)
}
