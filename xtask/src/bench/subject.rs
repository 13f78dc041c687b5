//! Whole processes, one after the other, many times.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::process;

const WARM_UP: usize = 5;

/// A program that is timed.
pub(super) struct Subject {
    name: &'static str,
    command: Command,
    times: Vec<f64>,
}

impl Subject {
    /// Not run yet.
    pub(super) fn new(name: &'static str, command: Command) -> Self {
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

/// Times all of them and prints one table. The first is the floor of a process.
pub(super) fn run(mut subjects: Vec<Subject>, runs: usize) -> Result<(), String> {
    for subject in &mut subjects {
        subject.check()?;
    }
    // Interleaved: a busy moment of the machine then hits all of them alike.
    for round in 0..WARM_UP + runs {
        for subject in &mut subjects {
            let took = subject.once()?;
            if round >= WARM_UP {
                subject.times.push(took);
            }
        }
    }
    for subject in &mut subjects {
        subject.times.sort_by(f64::total_cmp);
    }
    print_table(&subjects, runs);
    Ok(())
}

fn print_table(subjects: &[Subject], runs: usize) {
    let median = |name: &str| {
        let found = subjects.iter().find(|subject| subject.name == name)?;
        percentile(&found.times, 50)
    };
    let (process, bare) = (median("/bin/true"), median("bare wasmtime"));
    println!("\n{runs} runs each, milliseconds, whole process");
    println!(
        "{:<22}{:>8}{:>8}{:>8}{:>12}{:>12}",
        "", "min", "p50", "p95", "p50 / true", "p50 / bare"
    );
    for subject in subjects {
        let [Some(least), Some(middle), Some(high)] =
            [0, 50, 95].map(|rank| percentile(&subject.times, rank))
        else {
            continue;
        };
        let ratio = |floor: Option<f64>| {
            floor.map_or_else(String::new, |floor| format!("{:.2}", middle / floor))
        };
        println!(
            "{:<22}{least:>8.2}{middle:>8.2}{high:>8.2}{:>12}{:>12}",
            subject.name,
            ratio(process),
            ratio(bare)
        );
    }
}

/// Milliseconds that `work` takes.
pub(super) fn timed(work: impl FnOnce() -> Result<(), String>) -> Result<f64, String> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

/// Of sorted times; rank 0 is the least.
fn percentile(sorted: &[f64], rank: usize) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    sorted.get((last * rank).div_ceil(100)).copied()
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
