//! Every host call a component can make, steered from the command line.

use sr_guest::fetch::Redirects;
use sr_guest::prelude::*;

use crate::Pair;

/// What a redirect does.
#[derive(Choice)]
pub(crate) enum OnRedirect {
    Follow,
    SameOrigin,
    Manual,
}

/// One request, as it is asked for.
#[command(read, example = "fetch https://example.com/ --method HEAD")]
pub(crate) fn fetch(
    /// Where to
    #[arg(positional)]
    url: String,
    /// Any method
    #[arg(default = "GET")]
    method: String,
    /// `name: value`, any number of times
    header: Vec<String>,
    /// The body
    body: Option<String>,
    /// What a redirect does
    #[arg(default = "follow")]
    redirects: OnRedirect,
    /// Milliseconds
    wait: Option<u32>,
    /// Largest body
    max_bytes: Option<u32>,
) -> Result<Vec<Pair>> {
    let mut request = fetch::request(&method, url).redirects(match redirects {
        OnRedirect::Follow => Redirects::Follow,
        OnRedirect::SameOrigin => Redirects::SameOrigin,
        OnRedirect::Manual => Redirects::Manual,
    });
    for header in header {
        let (name, value) = header.split_once(':').ok_or("a header without its colon")?;
        request = request.header(name, value.strip_prefix(' ').unwrap_or(value));
    }
    if let Some(body) = body {
        request = request.body(body);
    }
    if let Some(wait) = wait {
        request = request.timeout(wait.ms());
    }
    if let Some(bytes) = max_bytes {
        request = request.max_bytes(bytes);
    }
    let reply = request.send()?;
    let mut rows = vec![
        Pair::new("status", reply.status.to_string()),
        Pair::new("url", reply.url.as_str()),
        Pair::new("headers", reply.header_count().to_string()),
        Pair::new("bytes", reply.body.len().to_string()),
        Pair::new("body", String::from_utf8_lossy(&reply.body)),
    ];
    for name in ["content-type", "location", "content-encoding", "set-cookie"] {
        rows.extend(reply.header(name).map(|value| Pair::new(name, value)));
    }
    Ok(rows)
}

/// Several requests at once, one row each.
#[command(
    read,
    example = "fetch-all https://example.com/a https://example.com/b"
)]
pub(crate) fn fetch_all(
    /// Where to
    #[arg(positional, required)]
    urls: Vec<String>,
    /// In flight
    #[arg(default = 8)]
    at_once: u8,
) -> Result<Vec<Pair>> {
    let requests = urls.iter().map(|url| fetch::request("GET", url.as_str()));
    let replies = fetch::all(requests).at_once(at_once).send()?;
    let rows = replies
        .into_iter()
        .zip(urls)
        .map(|(reply, url)| match reply {
            Ok(reply) => Pair::new(&url, reply.status.to_string()),
            Err(failure) => Pair::new(&url, name(&failure)),
        });
    Ok(rows.collect())
}

fn name(failure: &Failure) -> String {
    match failure {
        Failure::Denied(denial) => denial.code.clone(),
        Failure::Other(coded) => coded.code.clone(),
        Failure::Timeout(_) => "timeout".to_owned(),
        Failure::Unavailable(_) => "unavailable".to_owned(),
        Failure::Invalid(_) => "invalid".to_owned(),
        _ => "another failure".to_owned(),
    }
}

/// The body as text.
#[command(read, example = "get-text https://example.com/")]
pub(crate) fn get_text(
    /// What to ask for
    #[arg(positional)]
    url: String,
) -> Result<Pair> {
    Ok(Pair::new("text", fetch::get(url).text()?))
}

/// The site's data at a pointer.
#[command(read, example = "sitedata /version")]
pub(crate) fn sitedata(
    /// A JSON pointer
    #[arg(positional)]
    pointer: String,
) -> Result<Vec<Pair>> {
    let (version, source) = sitedata::version()?;
    let mut rows = vec![
        Pair::new("strategy", sitedata::strategy()?),
        Pair::new("version", version),
        Pair::new("source", source),
    ];
    rows.extend(sitedata::raw(&pointer)?.map(|json| Pair::new("get", json)));
    for (key, css) in sitedata::selectors("sitedata")? {
        rows.push(Pair::new(&key, css));
    }
    rows.push(Pair::new("text", sitedata::text(&pointer)?));
    Ok(rows)
}

/// Log lines.
#[command(read, example = "log 3")]
pub(crate) fn log(
    /// How many
    #[arg(positional, default = 3)]
    count: u32,
    /// Of what
    #[arg(default = "guest line")]
    line: String,
) -> Result<Pair> {
    for at in 0..count {
        log::info!("{line} {at}");
    }
    log::warn!("\u{1b}]0;guest title\u{7}warned\nerror: forged line");
    Ok(Pair::new("logged", count.to_string()))
}

/// Writes to standard output and standard error, escape sequences and all.
#[command(read, example = "print")]
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what a guest prints is captured by the host"
)]
pub(crate) fn print(
    /// How often
    #[arg(default = 1)]
    times: u32,
) -> Result<Pair> {
    for _ in 0..times {
        println!("guest stdout \u{1b}[31mred\u{1b}]52;c;Z3Vlc3Q=\u{7}\u{9b}2J\r\u{202e}end");
        eprintln!("guest stderr \u{1b}c\u{1b}]8;;https://evil.example\u{7}link");
    }
    Ok(Pair::new(
        "printed",
        "\u{1b}[2J\u{1b}]52;c;Z3Vlc3Q=\u{7}cell\u{202e}\r\u{9b}31m",
    ))
}

/// Tells progress, and stops when it is told to.
#[command(read, example = "progress 10")]
pub(crate) fn progress(
    /// Steps
    #[arg(positional, default = 3)]
    steps: u32,
) -> Result<Vec<Pair>> {
    let mut done = 0;
    while done < steps && task::progress(u64::from(done), u64::from(steps), "guest step") {
        done += 1;
    }
    Ok(vec![
        Pair::new("done", done.to_string()),
        Pair::new("cancelled", task::cancelled().to_string()),
        Pair::new("time-left", (task::time_left() > 0.s()).to_string()),
    ])
}

/// Rows before the end, and one at the end.
#[command(read, example = "emit 3")]
pub(crate) fn emit(
    /// How many early
    #[arg(positional, default = 3)]
    count: u32,
) -> Result<Pair> {
    let rows = (0..count).map(|at| Pair::new("early", at.to_string()));
    task::emit(rows)?;
    Ok(Pair::new("late", count.to_string()))
}

/// Waits.
#[command(read, example = "pause 10")]
pub(crate) fn pause(
    /// Milliseconds
    #[arg(positional)]
    ms: u32,
) -> Result<Pair> {
    task::pause(ms.ms())?;
    Ok(Pair::new("paused", ms.to_string()))
}

/// What is called over and over.
#[derive(Choice)]
pub(crate) enum Repeated {
    Nothing,
    Text,
    Denied,
}

/// Calls one function over and over, and tells the nanoseconds of one call.
#[command(read, example = "repeat text 1000")]
pub(crate) fn repeat(
    /// Which: one that answers with a short text, or one that the policy refuses
    #[arg(positional)]
    what: Repeated,
    /// How often
    #[arg(positional, default = 1000)]
    count: u32,
) -> Result<Pair> {
    let start = std::time::Instant::now();
    for _ in 0..count {
        match std::hint::black_box(&what) {
            Repeated::Nothing => {}
            Repeated::Text => drop(std::hint::black_box(sitedata::text("/version")?)),
            Repeated::Denied => match fetch::get("https://evil.test/").text() {
                Err(Failure::Denied(_)) => {}
                _ => return Err("it was not denied".into()),
            },
        }
    }
    let each = start.elapsed().as_nanos() / u128::from(count.max(1));
    Ok(Pair::new("nanos", each.to_string()))
}
