//! Single steps: host calls as a guest measures them, checks and hashes as one process does.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::subject::timed;
use super::{Bench, failed, release};
use crate::process;

/// Host calls of one run. The policy counts refused requests too, so those are few.
const CALLS: u32 = 200_000;
const REFUSALS: u32 = 400;
/// Runs of which the median is told.
const RUNS: usize = 15;
const PEER_BYTES: usize = 48 * 1024 * 1024;

/// Measures and prints one table.
pub(super) fn run(bench: &Bench) -> Result<(), String> {
    let package = bench.folder.join("package");
    let costs = process::output(Command::new(release("costs")).arg(&package))?;
    let costs: Value = serde_json::from_str(&costs).map_err(|error| format!("costs: {error}"))?;
    let cost = |name: &str| {
        let value = costs.get(name).and_then(Value::as_f64);
        value.ok_or_else(|| format!("costs: no {name}"))
    };
    println!("\nnanoseconds of one call, median");
    println!(
        "{:<34}{:>8}{:>8}{:>8}{:>8}  floor or peer",
        "", "ours", "floor", "ratio", "target"
    );
    let text = (ours(bench, "text", CALLS)?, bare(bench, "text", CALLS)?);
    line(
        "host call, two short strings",
        text,
        "250",
        "bare wasmtime, same signature",
    );
    let denied = (
        ours(bench, "denied", REFUSALS)?,
        bare(bench, "denied", REFUSALS)?,
    );
    line(
        "denied host call",
        denied,
        "2000",
        "bare wasmtime, same answer",
    );
    let allow = (cost("allow_ns")?, cost("compare_ns")?);
    line(
        "allow check, 20 domains",
        allow,
        "300",
        "comparing the host with 20 names",
    );
    for (name, cost_of) in [("URL parsed", "parse_ns"), ("denial made", "deny_ns")] {
        println!("{name:<34}{:>8.0}", cost(cost_of)?);
    }
    let allocations = cost("allow_allocations")?;
    println!("{:<34}{allocations:>8}", "allocations of an allow check");

    println!("\nSHA-256, billions of bytes a second, best of 5");
    println!("{:<34}{:>8.2}", "ours, in memory", cost("sha256_gb_s")?);
    println!(
        "{:<34}{:>8.2}  read, hashed by file and as a package",
        "a package of 48 MiB",
        cost("package_gb_s")?
    );
    let peer = bench.folder.join("peer");
    fs::write(&peer, vec![0x5a; PEER_BYTES]).map_err(|error| failed(&peer, &error))?;
    for words in [&["sha256sum"][..], &["openssl", "dgst", "-sha256"]] {
        let name = words.join(" ");
        let Some((program, arguments)) = words.split_first() else {
            continue;
        };
        let mut command = Command::new(program);
        command.args(arguments).arg(&peer);
        match best(&mut command) {
            Ok(ms) => println!(
                "{name:<34}{:>8.2}  a whole process on a file of 48 MiB",
                PEER_BYTES as f64 / ms / 1e6
            ),
            Err(_) => println!("{name:<34}{:>8}", "not here"),
        }
    }
    fs::remove_file(&peer).map_err(|error| failed(&peer, &error))
}

fn line(name: &str, (ours, floor): (f64, f64), target: &str, what: &str) {
    let ratio = ours / floor;
    println!("{name:<34}{ours:>8.0}{floor:>8.0}{ratio:>8.2}{target:>8}  {what}");
}

fn best(command: &mut Command) -> Result<f64, String> {
    let mut least = f64::INFINITY;
    for _ in 0..5 {
        least = least.min(timed(|| process::output(command).map(drop))?);
    }
    Ok(least)
}

fn ours(bench: &Bench, what: &str, count: u32) -> Result<f64, String> {
    let count = count.to_string();
    let words = ["every-case", "repeat", what, &count, "-f", "json"];
    median(|| {
        let told = process::output(&mut bench.home.program(&words))?;
        let rows: Value = serde_json::from_str(&told).map_err(|error| error.to_string())?;
        let nanos = rows.pointer("/0/value").and_then(Value::as_str);
        number(nanos.unwrap_or_default())
    })
}

fn bare(bench: &Bench, what: &str, count: u32) -> Result<f64, String> {
    let count = count.to_string();
    median(|| {
        let mut command = Command::new(release("bare"));
        command.arg("repeat").arg(&bench.calls_code);
        number(&process::output(command.args([what, &count]))?)
    })
}

fn number(text: &str) -> Result<f64, String> {
    let text = text.trim();
    text.parse()
        .map_err(|_| format!("not a number of nanoseconds: {text}"))
}

fn median(once: impl Fn() -> Result<f64, String>) -> Result<f64, String> {
    let mut all: Vec<f64> = (0..RUNS).map(|_| once()).collect::<Result<_, _>>()?;
    all.sort_by(f64::total_cmp);
    all.get(RUNS / 2)
        .copied()
        .ok_or_else(|| "no runs".to_owned())
}
