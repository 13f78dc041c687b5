//! The fixtures of a crate, run natively: `fixtures/NAME.json` beside its `Cargo.toml`.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sr_guest::bindings::exports::sr::runtime::plugin::Access;
use sr_guest::{Failure, Plugin};
use sr_policy::fixture::{BYTES, Fixture, Outcome};
use sr_policy::limits::RECORDING_BYTES;

use crate::convert;
use crate::kit::Testkit;
use crate::rows::Rows;

/// Bytes of a manifest or calibration document.
const DOCUMENT_BYTES: usize = 16 * 1024 * 1024;
/// Names the fixtures to run: those that hold this text. `plugin test` sets it.
const FILTER: &str = "SR_FIXTURES";

/// Makes a test of all fixtures of the crate: `sr_guest_testkit::fixtures!(sr_plugin());`
#[macro_export]
macro_rules! fixtures {
    ($plugin:expr) => {
        #[test]
        fn fixtures() {
            $crate::check_fixtures($plugin, ::core::env!("CARGO_MANIFEST_DIR"));
        }
    };
}

/// Runs every fixture of the crate in this folder on its recorded replies.
///
/// # Panics
/// Names every fixture that does not hold, with what was expected and found; also when there is
/// none, or one cannot be read.
#[expect(clippy::panic, reason = "this is how a test fails")]
pub fn check_fixtures(plugin: Plugin, folder: &str) {
    let problems = match problems(plugin, Path::new(folder), &filter()) {
        Ok(problems) => problems,
        Err(reason) => panic!("{reason}"),
    };
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one variable of the test kit"
)]
fn filter() -> String {
    std::env::var(FILTER).unwrap_or_default()
}

/// One text for each fixture that does not hold.
fn problems(plugin: Plugin, folder: &Path, filter: &str) -> Result<Vec<String>, String> {
    let paths = paths(&folder.join("fixtures"))?;
    let mut problems = Vec::new();
    for path in paths {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !name.contains(filter) {
            continue;
        }
        let file = format!("fixtures/{name}.json");
        let judged = read(&path, BYTES)
            .and_then(|bytes| {
                Fixture::parse(&name, &file, &bytes).map_err(|error| error.to_string())
            })
            .and_then(|fixture| Ok(fixture.differences(&run(plugin, folder, &fixture)?)));
        // One that cannot be run fails by itself; the others still run.
        let differences = judged.unwrap_or_else(|reason| vec![reason]);
        if !differences.is_empty() {
            problems.push(format!("{file}: {}", differences.join("\n  ")));
        }
    }
    Ok(problems)
}

fn paths(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("{}: {error}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(format!("{}: no fixture is there", folder.display()));
    }
    paths.sort();
    Ok(paths)
}

fn run(plugin: Plugin, folder: &Path, fixture: &Fixture) -> Result<Outcome, String> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Sitedata {
        Path(String),
        Source { path: String },
    }
    #[derive(Deserialize)]
    struct Manifest {
        sitedata: Option<Sitedata>,
    }
    let parts = folder.join("plugin");
    let place = parts.join("sr-plugin.json");
    let bytes = read(&place, DOCUMENT_BYTES)?;
    let manifest: Manifest =
        serde_json::from_slice(&bytes).map_err(|error| format!("{}: {error}", place.display()))?;
    let recording = read(&folder.join(&fixture.replay), RECORDING_BYTES)?;
    let mut kit = Testkit::new(plugin).manifest(&bytes).recording(&recording);
    if let Some(Sitedata::Path(path) | Sitedata::Source { path }) = manifest.sitedata {
        kit = kit.sitedata(&read(&parts.join(path), DOCUMENT_BYTES)?);
    }
    let commands = kit.commands().map_err(|failure| told(&failure))?;
    let (name, words) = split(&fixture.command)?;
    let writes = commands.iter().any(|command| {
        let called = command.name == *name || command.aliases.contains(name);
        called && command.access == Access::Write
    });
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let answer = match writes {
        true => kit.prepare(name, &words).and_then(|write| write.commit()),
        false => kit.run(name, &words),
    };
    match answer {
        Ok(rows) => Ok(outcome(&rows)),
        Err(Failure::Other(coded)) if coded.code == crate::TESTKIT => Err(coded.message),
        Err(failure) => Ok(Outcome::failed(&convert::failure(&failure), told(&failure))),
    }
}

fn split(command: &[String]) -> Result<(&String, &[String]), String> {
    command
        .split_first()
        .ok_or_else(|| "a fixture runs a command".to_owned())
}

fn outcome(rows: &Rows) -> Outcome {
    Outcome::Rows {
        columns: rows.columns().into_iter().map(str::to_owned).collect(),
        rows: rows
            .rows()
            .iter()
            .map(|row| row.iter().map(convert::cell).collect())
            .collect(),
    }
}

fn told(failure: &Failure) -> String {
    match failure {
        Failure::Other(coded) => coded.message.clone(),
        Failure::Empty(what) | Failure::Unavailable(what) | Failure::Busy(what) => what.clone(),
        Failure::Invalid(invalid) => format!("{}: {}", invalid.name, invalid.reason),
        Failure::Denied(denial) => {
            let fix = denial.fix.as_ref().map_or_else(String::new, |fix| {
                format!("; the plugin's sr-plugin.json would need: {fix}")
            });
            format!("refused (rule {}): {}{fix}", denial.rule, denial.subject)
        }
        other => format!("{other:?}"),
    }
}

fn read(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    let failed = |reason: &dyn std::fmt::Display| format!("{}: {reason}", path.display());
    let metadata = path.metadata().map_err(|error| failed(&error))?;
    if !metadata.is_file() {
        return Err(failed(&"not a regular file"));
    }
    let file = File::open(path).map_err(|error| failed(&error))?;
    let mut bytes = Vec::new();
    file.take(most as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(&error))?;
    if bytes.len() > most {
        return Err(failed(&format!("larger than {most} bytes")));
    }
    Ok(bytes)
}
