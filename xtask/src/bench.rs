//! Whole-process times of the real program, beside the floor of a process and of the engine. Informs, never gates.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::{guests, process, repo};

/// Runs of each program when nothing else is said.
pub(crate) const DEFAULT_RUNS: usize = 300;
/// Below this the 95th percentile is noise.
const FEWEST_RUNS: usize = 200;
const WARM_UP: usize = 5;
const RECORDING: &str = "plugins/sr-arxiv/recordings/paper.json";

/// Builds what is measured, runs all of it interleaved, prints one table.
pub(crate) fn run(runs: usize) -> Result<(), String> {
    if runs < FEWEST_RUNS {
        return Err(format!("at least {FEWEST_RUNS} runs, not {runs}"));
    }
    let built = guests::build()?;
    let plugin = built
        .iter()
        .find(|plugin| plugin.name == "sr-arxiv")
        .ok_or("plugins/sr-arxiv was not built")?;
    process::run(&mut process::cargo([
        "build",
        "--release",
        "--package",
        "sr-runtime",
        "--package",
        "bench",
    ]))?;
    let bench = Bench::prepare(&plugin.folder)?;
    let mut subjects = bench.subjects();
    for subject in &mut subjects {
        subject.check()?;
    }
    println!("load before: {}", load());
    // Interleaved: a busy moment of the machine then hits all of them alike.
    for round in 0..WARM_UP + runs {
        for subject in &mut subjects {
            let took = subject.once()?;
            if round >= WARM_UP {
                subject.times.push(took);
            }
        }
    }
    println!("load after:  {}", load());
    print_table(&mut subjects, runs);
    Ok(())
}

struct Bench {
    home: PathBuf,
    code: PathBuf,
    reply: PathBuf,
}

impl Bench {
    fn prepare(package: &Path) -> Result<Self, String> {
        let folder = repo::root().join("target/bench");
        let bench = Self {
            home: folder.join("home"),
            code: folder.join("sr-arxiv.cwasm"),
            reply: folder.join("reply"),
        };
        empty(&bench.home).map_err(|error| format!("{}: {error}", repo::shown(&bench.home)))?;
        fs::write(&bench.reply, first_reply()?)
            .map_err(|error| format!("{}: {error}", repo::shown(&bench.reply)))?;
        let component = package.join("sr-arxiv.wasm");
        process::run(
            Command::new(release("bare"))
                .arg("precompile")
                .args([&component, &bench.code]),
        )?;
        // A copy, as most people have it: a link is hashed through its folder in the same way.
        let url = format!("file://{}", package.display());
        process::run(
            bench
                .program(&["plugin", "install", &url, "--copy"])
                .stdout(Stdio::null()),
        )?;
        Ok(bench)
    }

    fn subjects(&self) -> Vec<Subject> {
        let mut bare = Command::new(release("bare"));
        bare.arg("run").args([&self.code, &self.reply]);
        bare.args(["paper", "id", "1706.03762"]);
        let paper = ["sr-arxiv", "paper", "1706.03762", "--replay", RECORDING];
        vec![
            Subject::new("/bin/true", Command::new("/bin/true")),
            Subject::new("bare wasmtime", bare),
            Subject::new("sr-arxiv paper", self.program(&paper)),
            Subject::new("list", self.program(&["list"])),
        ]
    }

    fn program(&self, words: &[&str]) -> Command {
        let mut command = Command::new(release("sr-runtime"));
        command
            .args(words)
            .current_dir(repo::root())
            .env_clear()
            .env("HOME", &self.home);
        command
    }
}

struct Subject {
    name: &'static str,
    command: Command,
    times: Vec<f64>,
}

impl Subject {
    fn new(name: &'static str, command: Command) -> Self {
        Self {
            name,
            command,
            times: Vec::new(),
        }
    }

    /// Once with its output kept, so that a failing program is not measured.
    fn check(&mut self) -> Result<(), String> {
        process::output(&mut self.command).map(drop)
    }

    fn once(&mut self) -> Result<f64, String> {
        self.command.stdin(Stdio::null()).stdout(Stdio::null());
        self.command.stderr(Stdio::null());
        let start = Instant::now();
        let status = self.command.status();
        let took = start.elapsed().as_secs_f64() * 1e3;
        match status {
            Ok(status) if status.success() => Ok(took),
            Ok(status) => Err(format!("{}: {status}", self.name)),
            Err(error) => Err(format!("{}: {error}", self.name)),
        }
    }
}

fn print_table(subjects: &mut [Subject], runs: usize) {
    for subject in &mut *subjects {
        subject.times.sort_by(f64::total_cmp);
    }
    let floor = subjects
        .iter()
        .find(|subject| subject.name == "bare wasmtime")
        .and_then(|subject| percentile(&subject.times, 50));
    println!("\n{runs} runs each, milliseconds, whole process");
    println!(
        "{:<16}{:>8}{:>8}{:>8}{:>12}",
        "", "min", "p50", "p95", "p50 / bare"
    );
    for subject in subjects {
        let [Some(least), Some(middle), Some(high)] =
            [0, 50, 95].map(|rank| percentile(&subject.times, rank))
        else {
            continue;
        };
        let ratio = floor.map_or_else(String::new, |floor| format!("{:.2}", middle / floor));
        println!(
            "{:<16}{least:>8.2}{middle:>8.2}{high:>8.2}{ratio:>12}",
            subject.name
        );
    }
}

/// Of sorted times; rank 0 is the least.
fn percentile(sorted: &[f64], rank: usize) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    sorted.get((last * rank).div_ceil(100)).copied()
}

fn first_reply() -> Result<String, String> {
    let path = repo::root().join(RECORDING);
    let broken = |what: String| format!("{RECORDING}: {what}");
    let text = fs::read(path).map_err(|error| broken(error.to_string()))?;
    let recording: serde_json::Value =
        serde_json::from_slice(&text).map_err(|error| broken(error.to_string()))?;
    recording
        .pointer("/exchanges/0/response/body/text")
        .and_then(serde_json::Value::as_str)
        .map(str::to_owned)
        .ok_or_else(|| broken("no text in the first reply".to_owned()))
}

fn release(name: &str) -> PathBuf {
    repo::target().join("release").join(name)
}

fn load() -> String {
    match fs::read_to_string("/proc/loadavg") {
        Ok(text) => text.split(' ').take(3).collect::<Vec<_>>().join(" "),
        Err(_) => "unknown on this system".to_owned(),
    }
}

fn empty(folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let times: Vec<f64> = (0..=100).map(f64::from).collect();
        assert_eq!(percentile(&times, 0), Some(0.0));
        assert_eq!(percentile(&times, 50), Some(50.0));
        assert_eq!(percentile(&times, 95), Some(95.0));
        assert_eq!(percentile(&[4.0], 95), Some(4.0));
        assert_eq!(percentile(&[], 50), None);
    }
}
