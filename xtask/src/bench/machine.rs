//! The machine, said with every figure.

use std::fs;

/// Processor, cores and system.
pub(super) fn described() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor", |(_, model)| model.trim());
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let numbers = release.trim().split('-').next().unwrap_or_default();
    format!(
        "machine: {model}, {cores} cores, {} {numbers}, {}",
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}

/// Load averages of 1, 5 and 15 minutes.
pub(super) fn load() -> String {
    match fs::read_to_string("/proc/loadavg") {
        Ok(text) => text.split(' ').take(3).collect::<Vec<_>>().join(" "),
        Err(_) => "unknown on this system".to_owned(),
    }
}
