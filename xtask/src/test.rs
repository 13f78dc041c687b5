//! All that CI runs. Goes on after a failure, so that one run shows everything that is wrong.

use std::io::{BufRead, BufReader};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::{docs, guests, process, repo, share, tools};

/// What is counted into the last line.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Tally {
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }

    fn of(result: &Result<(), String>) -> Self {
        Self {
            passed: u64::from(result.is_ok()),
            failed: u64::from(result.is_err()),
            ignored: 0,
        }
    }
}

struct Step {
    name: &'static str,
    took: Duration,
    tally: Tally,
    complaint: Option<String>,
}

/// Runs every step and prints the tally as the last line of standard output.
pub(crate) fn run() -> ExitCode {
    let mut steps = vec![step("tools", tools::ensure)];
    steps.push(step("format", || {
        process::run(&mut process::cargo(["fmt", "--all", "--check"]))
    }));
    steps.push(step("lint", || {
        process::run(&mut process::cargo([
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]))
    }));
    steps.push(step("guests", || guests::build().map(drop)));
    steps.push(step("build", || {
        process::run(&mut process::cargo([
            "build",
            "--workspace",
            "--bins",
            "--tests",
        ]))
    }));
    steps.push(tests());
    steps.push(step("as wasm", as_wasm));
    steps.push(step("published data sets", published));
    steps.push(step("manual pages", share::check));
    steps.push(step("docs", || {
        process::run(&mut process::cargo(docs::documents("--check")))
    }));

    let tally = report(&steps);
    println!("{} passed, {} failed", tally.passed, tally.failed);
    if tally.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn step(name: &'static str, work: impl FnOnce() -> Result<(), String>) -> Step {
    println!("\n== {name}");
    let start = Instant::now();
    let result = work();
    let tally = Tally::of(&result);
    finished(name, start, tally, result.err())
}

fn finished(name: &'static str, start: Instant, tally: Tally, complaint: Option<String>) -> Step {
    if let Some(complaint) = &complaint {
        println!("failed: {name}: {complaint}");
    }
    Step {
        name,
        took: start.elapsed(),
        tally,
        complaint,
    }
}

/// The pure crates must stay pure: they build for both wasm targets, with each feature.
fn as_wasm() -> Result<(), String> {
    let builds = [
        ("sr-policy", "suffixes"),
        ("sr-browsers", ""),
        ("sr-browsers", "serde"),
        ("sr-browsers", "corpus"),
    ];
    for target in [tools::CORE_TARGET, tools::COMPONENT_TARGET] {
        for (package, features) in builds {
            process::run(&mut process::cargo([
                "build",
                "--package",
                package,
                "--features",
                features,
                "--target",
                target,
            ]))?;
        }
    }
    Ok(())
}

/// The published data sets, each in a crate of its own: a lock file holds one version of them.
fn published() -> Result<(), String> {
    for version in ["1.7.4", "1.18.22"] {
        let manifest = repo::root().join(format!("tests/published/{version}/Cargo.toml"));
        let mut cargo = process::cargo(["test", "--locked", "--target-dir"]);
        cargo.arg(repo::root().join("target/published"));
        cargo.arg("--manifest-path").arg(manifest);
        process::run(&mut cargo)?;
    }
    Ok(())
}

fn tests() -> Step {
    println!("\n== tests");
    let start = Instant::now();
    let mut cargo = process::cargo(["test", "--workspace", "--no-fail-fast"]);
    println!("$ {}", process::line(&cargo));
    let (mut tally, ended) = match count(&mut cargo) {
        Ok(pair) => pair,
        Err(complaint) => {
            let failed = Tally {
                failed: 1,
                ..Tally::default()
            };
            return finished("tests", start, failed, Some(complaint));
        }
    };
    let in_ci = repo::environment("CI").is_some_and(|value| value == "true");
    let complaint = if !ended && tally.failed == 0 {
        tally.failed += 1;
        Some("a test program did not build, or ended before its result".to_owned())
    } else if tally.failed > 0 {
        Some(format!("{} tests", tally.failed))
    } else if tally.passed == 0 {
        tally.failed += 1;
        Some("no test ran".to_owned())
    } else if in_ci && tally.ignored > 0 {
        tally.failed += 1;
        Some(format!("{} ignored tests under CI=true", tally.ignored))
    } else {
        None
    };
    finished("tests", start, tally, complaint)
}

/// Runs cargo, passes its output on, and adds up its result lines. The flag: whether it succeeded.
fn count(cargo: &mut Command) -> Result<(Tally, bool), String> {
    let mut child = cargo
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    let mut tally = Tally::default();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line.map_err(|error| format!("output of cargo: {error}"))?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            if let Some(result) = result_line(&line) {
                tally.add(result);
            }
        }
    }
    let status = child
        .wait()
        .map_err(|error| format!("waiting for cargo: {error}"))?;
    Ok((tally, status.success()))
}

/// `test result: ok. 5 passed; 0 failed; 1 ignored; …`
fn result_line(line: &str) -> Option<Tally> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut tally = Tally::default();
    for part in counts.split(';') {
        let mut words = part.split_whitespace();
        let (Some(number), Some(word)) = (words.next(), words.next()) else {
            continue;
        };
        let number = number.parse().unwrap_or(0);
        match word {
            "passed" => tally.passed = number,
            "failed" => tally.failed = number,
            "ignored" => tally.ignored = number,
            _ => {}
        }
    }
    Some(tally)
}

fn report(steps: &[Step]) -> Tally {
    println!();
    let mut total = Tally::default();
    for step in steps {
        let word = if step.tally.failed == 0 {
            "ok"
        } else {
            "FAILED"
        };
        println!(
            "{:<16}{:>8.1} s  {word}",
            step.name,
            step.took.as_secs_f64()
        );
        if let Some(complaint) = &step.complaint {
            println!("{:<16}{complaint}", "");
        }
        total.add(step.tally);
    }
    if total.ignored > 0 {
        println!("{} ignored", total.ignored);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_line_is_counted_and_no_other_line_is() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 4 filtered out; finished in 0.52s";
        assert_eq!(
            result_line(line),
            Some(Tally {
                passed: 12,
                failed: 3,
                ignored: 1
            })
        );
        assert_eq!(result_line("running 5 tests"), None);
        assert_eq!(result_line("a line with 5 passed; in it"), None);
    }

    #[test]
    fn a_failed_step_counts_as_one_failed() {
        let failed = step("nothing", || Err("no".to_owned()));
        assert_eq!(failed.tally.failed, 1);
        assert_eq!(report(&[failed, step("fine", || Ok(()))]).passed, 1);
    }
}
