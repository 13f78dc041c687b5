//! A guest that takes more than it should, one command for each way.
#![expect(clippy::panic, clippy::print_stdout, reason = "these are the attacks")]

use sr_guest::bindings::exports::sr::runtime::plugin::{GuestPrepared, Prepared as Handle};
use sr_guest::prelude::*;
use sr_guest::{Cell, Plan};

/// Computes for ever.
#[command(read, example = "loop", timeout = 1)]
fn r#loop() -> Result<()> {
    let mut number = 0_u64;
    loop {
        number = std::hint::black_box(number.wrapping_add(1));
    }
}

/// Waits for ever, a little at a time.
#[command(read, example = "wait", timeout = 1)]
fn wait() -> Result<()> {
    loop {
        let _ = task::pause(10.ms());
    }
}

/// Sleeps without asking the host.
#[command(read, example = "sleep", timeout = 1)]
fn sleep() -> Result<()> {
    std::thread::sleep(std::time::Duration::from_secs(3_600));
    Ok(())
}

/// Calls itself for ever.
#[command(read, example = "recurse")]
fn recurse() -> Result<()> {
    deeper(0);
    Ok(())
}

#[expect(unconditional_recursion, reason = "that is the attack")]
fn deeper(depth: u64) -> u64 {
    std::hint::black_box(deeper(std::hint::black_box(depth + 1)) + 1)
}

/// Takes memory for ever.
#[command(read, example = "memory")]
fn memory() -> Result<()> {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    loop {
        kept.push(std::hint::black_box(vec![1; 1024 * 1024]));
    }
}

/// Hands over a string that the host would have to copy.
#[command(read, example = "string")]
fn string() -> Result<()> {
    let long = "x".repeat(64 * 1024 * 1024);
    sr_guest::bindings::sr::runtime::log::write(
        sr_guest::bindings::sr::runtime::log::Level::Info,
        &long,
    );
    Ok(())
}

/// Hands over a string of 2 GiB that it does not have.
#[command(read, example = "forged-string")]
#[cfg_attr(
    target_family = "wasm",
    expect(unsafe_code, reason = "that is the attack")
)]
fn forged_string() -> Result<()> {
    #[cfg(target_family = "wasm")]
    {
        // SAFETY: none; nothing here reads it, and the host must not either.
        let forged = unsafe {
            std::str::from_utf8_unchecked(std::slice::from_raw_parts(
                std::ptr::dangling(),
                0x7fff_ffff,
            ))
        };
        sr_guest::bindings::sr::runtime::log::write(
            sr_guest::bindings::sr::runtime::log::Level::Info,
            forged,
        );
    }
    Ok(())
}

struct Leak;

impl GuestPrepared for Leak {
    fn plan(&self) -> Plan {
        Plan {
            summary: String::new(),
            checks: vec![],
            will_send: vec![],
            notes: vec![],
        }
    }

    fn commit(&self) -> Result<Output> {
        fail!(LEAK, "never called")
    }
}

/// Leaks a million handles.
#[command(read, example = "handles")]
fn handles() -> Result<()> {
    for _ in 0..1_000_000 {
        std::mem::forget(Handle::new(Leak));
    }
    Ok(())
}

/// Logs a hundred thousand lines.
#[command(read, example = "log")]
fn log() -> Result<()> {
    for line in 0..100_000 {
        log::info!("line {line}");
    }
    Ok(())
}

/// Prints a hundred megabytes.
#[command(read, example = "print")]
fn print() -> Result<()> {
    let line = "y".repeat(1024 * 1024);
    for _ in 0..100 {
        println!("{line}");
    }
    Ok(())
}

/// Returns rows that do not fit their columns.
#[command(read, example = "rows", columns(a: int, b: text))]
fn rows() -> Result<Output> {
    Ok(Output {
        rows: vec![
            vec![Cell::Int(1), Cell::Text("fits".into())],
            vec![Cell::Text("does not".into()), Cell::Int(2)],
        ],
        footer: None,
        notes: vec![],
    })
}

/// Emits more rows than a run may.
#[command(read, example = "flood", columns(a: int))]
fn flood() -> Result<Output> {
    let rows: Vec<Vec<Cell>> = (0..1_000).map(|row| vec![Cell::Int(row)]).collect();
    for _ in 0..200 {
        sr_guest::bindings::sr::runtime::task::emit(&rows)?;
    }
    Ok(Output {
        rows: vec![],
        footer: None,
        notes: vec![],
    })
}

/// Panics.
#[command(read, example = "panic")]
fn panic() -> Result<()> {
    panic!("the guest's own words\u{1b}[2J");
}

/// Ends the process it believes to be in.
#[command(read, example = "exit")]
fn exit() -> Result<()> {
    std::process::exit(0);
}

/// Opens, makes and lists files of the machine.
#[command(read, example = "files", columns(path: text, answer: text))]
fn files() -> Result<Output> {
    let mut rows = Vec::new();
    let mut tried = |path: &str, answer: std::io::Result<()>| {
        let answer = answer.map_or_else(|error| error.to_string(), |()| "reached".to_owned());
        rows.push(vec![Cell::Text(path.into()), Cell::Text(answer)]);
    };
    for path in [
        "/etc/hostname",
        "../../etc/hostname",
        "../../../../../../../../etc/hostname",
        "/etc/hostname/",
        "link/etc/hostname",
        "/proc/self/environ",
        ".",
        "",
    ] {
        tried(path, std::fs::read(path).map(drop));
        tried(path, std::fs::write(path, "x"));
        tried(path, std::fs::read_dir(path).map(drop));
        tried(path, std::fs::remove_file(path));
    }
    tried("made", std::fs::create_dir("made"));
    tried(
        "environment",
        match std::env::vars().next() {
            Some(_) => Ok(()),
            None => Err(std::io::Error::other("empty")),
        },
    );
    Ok(Output {
        rows,
        footer: None,
        notes: vec![],
    })
}

plugin!(
    files,
    r#loop,
    wait,
    sleep,
    recurse,
    memory,
    string,
    forged_string,
    handles,
    log,
    print,
    rows,
    flood,
    panic,
    exit
);
