//! Addresses as a person writes them after `--cdp`.

use sr_policy::CheckedUrl;

use crate::ask::Address;
use crate::port_file::port;

/// An address, and the WebSocket that was named with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CdpWord {
    /// Where to ask.
    pub address: Address,
    /// The word itself, when it is a `ws://` or `wss://` URL.
    pub web_socket: Option<String>,
}

/// Why a word is no address of a browser.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CdpWordError {
    /// Not one of the forms.
    #[error(
        "not the address of a browser, {reason}; write HOST:PORT, PORT, http://HOST:PORT or ws://HOST:PORT/devtools/browser/ID"
    )]
    Form {
        /// What is wrong.
        reason: String,
    },
    /// A host alone.
    #[error("a port is needed, as in {host}:9333")]
    NoPort {
        /// The host.
        host: String,
    },
}

/// Reads `HOST:PORT`, `PORT`, `http(s)://HOST[:PORT]` or `ws(s)://HOST[:PORT]/PATH`. A path of an
/// `http` URL is left out.
///
/// # Errors
/// [`CdpWordError`].
pub fn parse(word: &str) -> Result<CdpWord, CdpWordError> {
    let word = word.trim();
    if let Some(port) = port(word) {
        return Ok(CdpWord {
            address: Address::local(port),
            web_socket: None,
        });
    }
    let form = |reason: String| CdpWordError::Form { reason };
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(form(format!("a port is 1 to 65535: {word}")));
    }
    let Some((scheme, rest)) = word.split_once("://") else {
        let url = CheckedUrl::parse(&format!("http://{word}"))
            .map_err(|error| form(error.to_string()))?;
        // A port of 80 that was written out is none to the URL's parser.
        let written = word.split('/').next().unwrap_or_default();
        return match url.has_default_port() && !written.ends_with(":80") {
            true => Err(CdpWordError::NoPort {
                host: url.host().to_owned(),
            }),
            false => Ok(CdpWord {
                address: of(&url)?,
                web_socket: None,
            }),
        };
    };
    let (http, is_socket) = match scheme.to_ascii_lowercase().as_str() {
        "http" => ("http", false),
        "https" => ("https", false),
        "ws" => ("http", true),
        "wss" => ("https", true),
        other => return Err(form(format!("its scheme is {other}"))),
    };
    let url =
        CheckedUrl::parse(&format!("{http}://{rest}")).map_err(|error| form(error.to_string()))?;
    Ok(CdpWord {
        address: of(&url)?,
        web_socket: is_socket.then(|| word.to_owned()),
    })
}

/// The address of a URL.
fn of(url: &CheckedUrl) -> Result<Address, CdpWordError> {
    if url.port() == 0 {
        return Err(CdpWordError::Form {
            reason: "nothing listens on port 0".to_owned(),
        });
    }
    let host = match url.host() {
        "localhost" | "[::1]" => "127.0.0.1",
        other => other,
    };
    Ok(Address {
        scheme: url.scheme().as_str().to_owned(),
        host: host.to_owned(),
        port: url.port(),
    })
}

/// The path of a WebSocket URL, as it is compared with a file's.
pub(crate) fn web_socket_path(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let http = match scheme.to_ascii_lowercase().as_str() {
        "ws" => "http",
        "wss" => "https",
        _ => return None,
    };
    let url = CheckedUrl::parse(&format!("{http}://{rest}")).ok()?;
    Some(url.path().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(word: &str) -> String {
        match parse(word) {
            Ok(CdpWord {
                address,
                web_socket,
            }) => {
                let socket = web_socket.map_or_else(String::new, |url| format!(" {url}"));
                format!(
                    "{}://{}:{}{socket}",
                    address.scheme, address.host, address.port
                )
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_form_leads_to_one_spelling() {
        for word in [
            "9522",
            "localhost:9522",
            "LOCALHOST:9522",
            "127.0.0.1:9522",
            "127.1:9522",
            "[::1]:9522",
            "http://LocalHost:9522",
            "HTTP://localhost:9522/json/version",
            " http://127.0.0.1:9522/ ",
        ] {
            assert_eq!(read(word), "http://127.0.0.1:9522", "{word}");
        }
        assert_eq!(read("https://Box.test:9522/"), "https://box.test:9522");
        assert_eq!(read("http://box.test"), "http://box.test:80");
        assert_eq!(read("box.test:80"), "http://box.test:80");
        assert_eq!(
            read("ws://localhost:9523/devtools/browser/x"),
            "http://127.0.0.1:9523 ws://localhost:9523/devtools/browser/x"
        );
    }

    #[test]
    fn what_is_no_address_is_told() {
        assert_eq!(read("box.test"), "a port is needed, as in box.test:9333");
        for word in [
            "",
            "0",
            "70000",
            "ftp://x:1",
            "x:y",
            "http://",
            "u:p@x:9333",
            "x:0",
            "ws://x:0/",
        ] {
            assert!(
                read(word).starts_with("not the address"),
                "{word}: {}",
                read(word)
            );
        }
    }
}
