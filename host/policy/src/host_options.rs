//! Options of every plugin command that belong to the host. A plugin's argument may not have
//! one of these names: it could shadow what the person relies on.

use std::fmt::Write as _;

/// One option of the host.
#[derive(Debug, Clone, Copy)]
pub struct HostOption {
    /// Name after `--`.
    pub long: &'static str,
    /// Letter after `-`.
    pub short: Option<char>,
    /// Placeholder of its value; none for a switch.
    pub value: Option<&'static str>,
    /// One line for help.
    pub help: &'static str,
    /// Whether this version acts on it; otherwise the name is only kept.
    pub implemented: bool,
}

/// Every reserved option, in the order of help.
pub static HOST_OPTIONS: &[HostOption] = &[
    valued("format", Some('f'), "FORMAT", "Output format"),
    switch(
        "verbose",
        Some('v'),
        "Show log lines, host calls and the plugin's own output",
    ),
    switch("help", Some('h'), "Show help"),
    switch("version", Some('V'), "Show the version"),
    valued(
        "replay",
        None,
        "FILE",
        "Answer requests from a recording, never from the network",
    ),
    valued(
        "record",
        None,
        "FILE",
        "Write requests and replies to a recording, secrets redacted",
    ),
    valued(
        "resolve",
        None,
        "HOST:PORT:ADDR",
        "Use this address for a host and port",
    ),
    valued(
        "connect-to",
        None,
        "HOST:PORT:ADDR:PORT",
        "Connect there for a host and port",
    ),
    valued(
        "cacert",
        None,
        "FILE",
        "Trust the certificates of this PEM file instead of the built-in ones",
    ),
    valued("proxy", None, "URL", "Go through this HTTP proxy"),
    switch(
        "dry-run",
        None,
        "Prepare a write and show it, do not send it",
    ),
    valued(
        "trace",
        None,
        "FILE",
        "Write the run's host calls as lines of JSON, secrets redacted",
    ),
    later("timeout", Some("SECONDS"), "End the run after this time"),
    later(
        "site-session",
        Some("MODE"),
        "Use a persistent or an isolated browser session",
    ),
    later(
        "window",
        Some("MODE"),
        "Open the browser in the foreground or background",
    ),
    later("keep-tab", None, "Leave the tab open"),
    later("profile", Some("NAME"), "Use this browser profile"),
    later("strategy", Some("ID"), "Use this selector set"),
    later("yes", None, "Answer yes to questions"),
];

const fn valued(
    long: &'static str,
    short: Option<char>,
    value: &'static str,
    help: &'static str,
) -> HostOption {
    HostOption {
        long,
        short,
        value: Some(value),
        help,
        implemented: true,
    }
}

const fn switch(long: &'static str, short: Option<char>, help: &'static str) -> HostOption {
    HostOption {
        long,
        short,
        value: None,
        help,
        implemented: true,
    }
}

const fn later(long: &'static str, value: Option<&'static str>, help: &'static str) -> HostOption {
    HostOption {
        long,
        short: None,
        value,
        help,
        implemented: false,
    }
}

/// Whether `--long` is the host's.
#[must_use]
pub fn is_reserved(long: &str) -> bool {
    HOST_OPTIONS.iter().any(|option| option.long == long)
}

/// Whether `-letter` is the host's.
#[must_use]
pub fn is_reserved_short(letter: char) -> bool {
    HOST_OPTIONS
        .iter()
        .any(|option| option.short == Some(letter))
}

/// The options as markdown, for the docs.
#[must_use]
pub fn markdown_host_options() -> String {
    let mut text = String::from("| option | what it does | here now |\n|---|---|---|\n");
    for option in HOST_OPTIONS {
        let short = option
            .short
            .map(|letter| format!("-{letter}, "))
            .unwrap_or_default();
        let value = option
            .value
            .map(|value| format!(" {value}"))
            .unwrap_or_default();
        let now = if option.implemented {
            "yes"
        } else {
            "name kept"
        };
        let _ = writeln!(
            text,
            "| `{short}--{}{value}` | {} | {now} |",
            option.long, option.help
        );
    }
    text
}
