//! Recorded replies on disk.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{Access, AtFlags, CWD, accessat};
use sr_engine::WasiSettings;
use sr_policy::limits::RECORDING_BYTES;
use sr_policy::recording::Recording;

use crate::fault::Fault;

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
        let failed = |reason: String| Fault::Recording {
            path: path.to_owned(),
            reason,
        };
        match path.symlink_metadata() {
            // A rename over a device or a link would replace it.
            Ok(metadata) if !metadata.is_file() => {
                return Err(failed("not a regular file, so it is not replaced".into()));
            }
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(failed(error.to_string()));
            }
            _ => {}
        }
        if path.file_name().is_none() {
            return Err(failed("not the name of a file".into()));
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let wanted = Access::WRITE_OK | Access::EXEC_OK;
        accessat(CWD, folder, wanted, AtFlags::EACCESS)
            .map_err(|errno| failed(std::io::Error::from(errno).to_string()))?;
        Ok(Self {
            path: path.to_owned(),
        })
    }

    /// Writes the recording beside its place and moves it there, so that an old recording is
    /// never half gone.
    pub(crate) fn write(self, recording: &Recording) -> Result<(), Fault> {
        let failed = |reason: String| Fault::Recording {
            path: self.path.clone(),
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
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.new", std::process::id()));
        let temporary = self.path.with_file_name(name);
        let file = File::options()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&temporary)
            .map_err(|error| failed(error.to_string()))?;
        put(file, text.as_bytes())
            .and_then(|()| std::fs::rename(&temporary, &self.path))
            .map_err(|error| {
                let _ = std::fs::remove_file(&temporary);
                failed(error.to_string())
            })
    }
}

fn put(mut file: File, bytes: &[u8]) -> std::io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
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
