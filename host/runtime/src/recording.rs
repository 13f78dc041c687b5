//! Recorded replies on disk.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use sr_engine::WasiSettings;
use sr_policy::limits::RECORDING_BYTES;
use sr_policy::recording::Recording;

use crate::fault::Fault;
use crate::new_file::{NewFile, check_place};

pub(crate) fn read(path: &Path) -> Result<Recording, Fault> {
    let bytes = read_file(path, RECORDING_BYTES).map_err(|reason| Fault::Recording {
        path: path.to_owned(),
        reason,
    })?;
    Recording::from_json(&bytes).map_err(|error| Fault::Recording {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

/// A regular file of at most `limit` bytes: no pipe is waited for, no device read for ever.
pub fn read_file(path: &Path, limit: usize) -> Result<Vec<u8>, String> {
    let metadata = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("not a regular file".to_owned());
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(limit as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() > limit {
        return Err(format!("larger than {limit} bytes"));
    }
    Ok(bytes)
}

/// Where a recording will be. Looked at before the run: a write must not take effect and then
/// lose its rows because a folder is missing. Nothing is there until the run is over, so that a
/// run that is killed leaves nothing.
pub(crate) struct Target {
    path: PathBuf,
}

impl Target {
    /// Checks that a file can be put at `path`.
    pub(crate) fn prepare(path: &Path) -> Result<Self, Fault> {
        match check_place(path) {
            Ok(()) => Ok(Self {
                path: path.to_owned(),
            }),
            Err(reason) => Err(Fault::Recording {
                path: path.to_owned(),
                reason,
            }),
        }
    }

    /// Writes the recording beside its place and moves it there, so that an old recording is
    /// never half gone.
    pub(crate) fn write(self, recording: &Recording) -> Result<(), Fault> {
        let path = self.path;
        let failed = |reason: String| Fault::Recording {
            path: path.clone(),
            reason,
        };
        let text = recording
            .to_json()
            .map_err(|error| failed(error.to_string()))?;
        if text.len() > RECORDING_BYTES {
            return Err(failed(format!(
                "the recording would have {} bytes, limit {RECORDING_BYTES}",
                text.len()
            )));
        }
        let mut new = NewFile::beside(&path).map_err(failed)?;
        new.file
            .write_all(text.as_bytes())
            .and_then(|()| new.file.sync_all())
            .and_then(|()| new.place())
            .map_err(|error| failed(error.to_string()))
    }
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
