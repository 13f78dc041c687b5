//! What single steps cost in one process, as one JSON object for `cargo xtask bench`.

#![expect(
    clippy::print_stdout,
    reason = "a program: its result belongs on standard output"
)]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use bench::Counting;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use serde_json::json;
use sr_plugin::{Sha256Hex, Tree};
use sr_policy::{Allowlist, CheckedUrl, Phase, RequestPolicy};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const USAGE: &str = "usage: costs FOLDER, where a package of 48 MiB may be made";
/// Batches of one measurement; the median of their means is told.
const BATCHES: usize = 51;
const CALLS: u32 = 20_000;
const MIB: usize = 1024 * 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(folder) = std::env::args_os().nth(1) else {
        return Err(USAGE.into());
    };
    let names: Vec<String> = (0..20)
        .map(|number| format!("site-{number}.test"))
        .collect();
    let (allowlist, _) = Allowlist::from_entries(&names);
    let policy = RequestPolicy {
        fetch: true,
        allowlist,
        posts: vec![],
        phase: Phase::Read,
    };
    let good = "https://site-19.test/item/7?page=2";
    let allowed = CheckedUrl::parse(good)?;
    let refused = CheckedUrl::parse("https://evil.test/item/7?page=2")?;
    let (allocations, answer) = Counting::count(|| policy.check("GET", &allowed));
    answer.map_err(|denial| denial.to_string())?;

    let package = folder.as_ref();
    let bytes = make_package(package)?;
    let buffer = vec![0x5a; 64 * MIB];
    let told = json!({
        "allow_ns": nanos(|| policy.check(black_box("GET"), black_box(&allowed)).is_ok()),
        "allow_allocations": allocations,
        "compare_ns": nanos(|| names.iter().any(|name| name == black_box(&allowed).host())),
        "deny_ns": nanos(|| policy.check(black_box("GET"), black_box(&refused)).is_err()),
        "parse_ns": nanos(|| CheckedUrl::parse(black_box(good)).is_ok()),
        "sha256_gb_s": gigabytes(buffer.len(), || {
            black_box(Sha256Hex::of(&buffer));
            Ok(())
        })?,
        "package_gb_s": gigabytes(bytes, || {
            let folder = Dir::open_ambient_dir(package, ambient_authority())?;
            black_box(Tree::read(&folder)?);
            Ok(())
        })?,
        "package_bytes": bytes,
    });
    fs::remove_dir_all(package)?;
    println!("{told}");
    Ok(())
}

/// Three files of the largest size, like a package near its limit.
fn make_package(folder: &Path) -> Result<usize, Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let content: Vec<u8> = (0..16 * MIB).map(|at| (at % 251) as u8).collect();
    for name in ["a", "b", "c"] {
        fs::write(folder.join(name), &content)?;
    }
    Ok(3 * content.len())
}

/// Nanoseconds of one call.
fn nanos(work: impl Fn() -> bool) -> f64 {
    let mut means: Vec<f64> = (0..BATCHES)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..CALLS {
                black_box(work());
            }
            start.elapsed().as_nanos() as f64 / f64::from(CALLS)
        })
        .collect();
    means.sort_by(f64::total_cmp);
    means.get(BATCHES / 2).copied().unwrap_or(f64::NAN)
}

/// Billions of bytes a second, the best of five.
fn gigabytes(
    bytes: usize,
    work: impl Fn() -> Result<(), Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    let mut best = 0.0_f64;
    for _ in 0..5 {
        let start = Instant::now();
        work()?;
        best = best.max(bytes as f64 / start.elapsed().as_secs_f64() / 1e9);
    }
    Ok(best)
}
