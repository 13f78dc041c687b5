//! Recorded replies on disk.

use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use sr_engine::WasiSettings;
use sr_policy::recording::Recording;

use crate::fault::Fault;

/// Bytes of a recording that are read.
const FILE_BYTES: u64 = 64 * 1024 * 1024;

pub(crate) fn read(path: &Path) -> Result<Recording, Fault> {
    use std::io::Read;
    let failed = |reason: String| Fault::Recording {
        path: path.to_owned(),
        reason,
    };
    let file = std::fs::File::open(path).map_err(|error| failed(error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(error.to_string()))?;
    if bytes.len() as u64 > FILE_BYTES {
        return Err(failed(format!("larger than {FILE_BYTES} bytes")));
    }
    Recording::from_json(&bytes).map_err(|error| failed(error.to_string()))
}

/// Writes beside the target and renames, so that an old recording is never half gone.
pub(crate) fn write(path: &Path, recording: &Recording) -> Result<(), Fault> {
    let failed = |error: std::io::Error| Fault::Recording {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let text = recording.to_json().map_err(|error| Fault::Recording {
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&temporary)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        })
        .and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written.map_err(failed)
}

/// The clock and random a replay runs with: the recording's own.
pub(crate) fn settings(recording: &Recording) -> WasiSettings {
    WasiSettings::Fixed {
        clock_ms: recording.clock_ms,
        seed: recording.seed,
    }
}

/// What a new recording starts from.
pub(crate) fn fresh_clock_and_seed() -> Result<(i64, u64), Fault> {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let clock_ms = i64::try_from(since.as_millis()).unwrap_or(0);
    // Not a secret: it is written into the recording. It only has to differ between runs.
    Ok((
        clock_ms,
        u64::from(since.subsec_nanos()) ^ u64::from(std::process::id()) << 32,
    ))
}
