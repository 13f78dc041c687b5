//! What the fake servers of a case do.

use super::{Case, Server};

/// What becomes of one request to a fake server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing listens on the port.
    Refused,
    /// The connection is never accepted.
    Timeout,
    /// The connection is accepted, and no HTTP comes.
    Open,
    /// A reply.
    Http {
        /// Its status.
        status: u16,
        /// Its body.
        body: String,
    },
}

impl Case {
    /// The server at `host:port`, if the case has one.
    #[must_use]
    pub fn server(&self, host_port: &str) -> Option<&Server> {
        self.input.http.get(&normalize_host_port(host_port))
    }

    /// Status and body of a GET; none if no HTTP comes.
    #[must_use]
    pub fn http_get(&self, host_port: &str, path: &str) -> Option<(u16, String)> {
        match self.answer(host_port, path) {
            Answer::Http { status, body } => Some((status, body)),
            _ => None,
        }
    }

    /// What becomes of a GET.
    #[must_use]
    pub fn answer(&self, host_port: &str, path: &str) -> Answer {
        let Some(server) = self.server(host_port) else {
            return Answer::Refused;
        };
        match server.answer.as_deref() {
            Some("timeout") => return Answer::Timeout,
            Some("silent" | "garbage" | "close") => return Answer::Open,
            _ => {}
        }
        let body = match path {
            "/json/version" => &server.version,
            "/json/list" | "/json" => &server.list,
            _ => &None,
        };
        let (status, body) = match body.as_ref().filter(|body| !body.is_null()) {
            Some(body) => (200, body.to_string()),
            None => (404, format!("No such page: {path}")),
        };
        let status = server.status.unwrap_or(status);
        Answer::Http { status, body }
    }
}

/// `host:port` as the cases write it: lower case, and `127.0.0.1` for `localhost` and `[::1]`.
#[must_use]
pub fn normalize_host_port(host_port: &str) -> String {
    let split = host_port.rsplit_once(':');
    let (host, port) = match split.filter(|(_, port)| port.parse::<u16>().is_ok()) {
        // A bare IPv6 address has no port: `::1`.
        Some((host, port)) if !host.ends_with(':') => (host, Some(port)),
        _ => (host_port, None),
    };
    let host = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .to_ascii_lowercase();
    let host = match host.as_str() {
        "localhost" | "::1" => "127.0.0.1",
        other => other,
    };
    port.map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}
