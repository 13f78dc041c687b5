//! Compiled components on disk, never trusted by name.
//!
//! An entry is native code. Whoever can choose its bytes runs code as the user, so an entry is
//! read into memory once, checked there with a per-user key, and deserialized from that same
//! buffer. Its name and its header bind it to the component's hash and to the engine's exact
//! configuration. Any doubt: the entry is deleted, the component compiled again, the run goes on.
//!
//! The key does not protect against a process that can read it, which is every process of the
//! same user.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, DirBuilder, DirBuilderExt, MetadataExt, OpenOptions, OpenOptionsExt};
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use wasmtime::Engine;
use wasmtime::component::Component;

use crate::EngineError;
use crate::compile::{self, Compiler};
use crate::limits::constants::{COMPILE_MS, COMPILED_BYTES};

/// Raised when the entry's layout or the meaning of the configuration changes.
const EPOCH: &[u8; 8] = b"SRAOT001";
const HASH_BYTES: usize = 32;
const HEADER_BYTES: usize = EPOCH.len() + 3 * HASH_BYTES;
/// No honest entry is larger; a larger file is not read.
const ENTRY_BYTES: u64 = COMPILED_BYTES + HEADER_BYTES as u64;

/// No write of an entry takes as long.
const STALE: Duration = Duration::from_secs(600);

static COMPILED: AtomicU64 = AtomicU64::new(0);
static DESERIALIZED: AtomicU64 = AtomicU64::new(0);

/// How often this process compiled and how often it loaded a stored entry.
#[must_use]
pub fn counters() -> (u64, u64) {
    (
        COMPILED.load(Ordering::Relaxed),
        DESERIALIZED.load(Ordering::Relaxed),
    )
}

/// Where a loaded component's native code came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Provenance {
    /// An entry that passed every check.
    Stored,
    /// Compiled now because there was no entry.
    CompiledMissing,
    /// Compiled now because the entry was doubtful, which says why.
    CompiledDoubtful(String),
    /// Compiled in memory because the caller wanted nothing written.
    CompiledInMemory,
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stored => f.write_str("from the store"),
            Self::CompiledMissing => f.write_str("compiled, the store had none"),
            Self::CompiledDoubtful(reason) => {
                write!(f, "compiled, the store's was doubtful: {reason}")
            }
            Self::CompiledInMemory => f.write_str("compiled for this run alone"),
        }
    }
}

/// A component ready to link.
pub struct Loaded {
    /// The component.
    pub component: Component,
    /// Where its code came from.
    pub provenance: Provenance,
    /// Why a fresh entry could not be written, when that was tried.
    pub not_stored: Option<EngineError>,
}

/// The folder of compiled components, below `~/.sr/store`.
#[derive(Debug, Clone)]
pub struct AotStore {
    root: PathBuf,
    compiler: Compiler,
}

impl Compiler {
    /// Compiles for this process alone; no store is touched.
    ///
    /// # Errors
    /// [`EngineError::Compile`] and the limits of compiling.
    pub fn in_memory(self, engine: &Engine, bytes: &[u8]) -> Result<Loaded, EngineError> {
        Ok(Loaded {
            component: self.compile(engine, bytes)?,
            provenance: Provenance::CompiledInMemory,
            not_stored: None,
        })
    }

    fn compile(self, engine: &Engine, bytes: &[u8]) -> Result<Component, EngineError> {
        COMPILED.fetch_add(1, Ordering::Relaxed);
        if self == Self::ThisProcess {
            return compile_here(engine, bytes);
        }
        let code = compile::in_own_program(bytes)?;
        // SAFETY: this same program wrote `code` as the output of `precompile_component`, with the
        // one engine configuration, into a pipe between the two processes.
        #[expect(
            unsafe_code,
            clippy::disallowed_methods,
            reason = "the one home of deserialize"
        )]
        let component = unsafe { Component::deserialize(engine, &code) };
        component.map_err(EngineError::Compile)
    }
}

impl AotStore {
    /// A store at this folder. Nothing is created or read yet.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            compiler: Compiler::default(),
        }
    }

    /// The same store with another compiler.
    #[must_use]
    pub fn compiled_by(mut self, compiler: Compiler) -> Self {
        self.compiler = compiler;
        self
    }

    /// Loads a component: from its entry if every check passes, otherwise compiled and stored.
    ///
    /// # Errors
    /// [`EngineError::Compile`]. A store that cannot be read or written is not an error here.
    pub fn load(
        &self,
        engine: &Engine,
        bytes: &[u8],
        component_hash: &[u8; HASH_BYTES],
    ) -> Result<Loaded, EngineError> {
        let identity = Identity::new(engine, component_hash);
        let doubt = match self.read(engine, &identity) {
            Ok(component) => {
                return Ok(Loaded {
                    component,
                    provenance: Provenance::Stored,
                    not_stored: None,
                });
            }
            Err(doubt) => doubt,
        };
        let component = self.compiler.compile(engine, bytes)?;
        let not_stored = self.write(&component, &identity).err();
        let provenance = match doubt {
            Doubt::Missing => Provenance::CompiledMissing,
            Doubt::Because(reason) => Provenance::CompiledDoubtful(reason),
        };
        Ok(Loaded {
            component,
            provenance,
            not_stored,
        })
    }

    /// Stores a compiled component, whatever is there.
    ///
    /// # Errors
    /// The store's error when the entry cannot be written; nothing half-written stays.
    pub fn keep(
        &self,
        engine: &Engine,
        component: &Component,
        component_hash: &[u8; HASH_BYTES],
    ) -> Result<(), EngineError> {
        self.write(component, &Identity::new(engine, component_hash))
    }

    /// Removes the entry of a component, for uninstall. A missing one is fine.
    ///
    /// # Errors
    /// [`EngineError::Store`] when it is there and cannot be removed.
    pub fn remove(
        &self,
        engine: &Engine,
        component_hash: &[u8; HASH_BYTES],
    ) -> Result<(), EngineError> {
        let name = Identity::new(engine, component_hash).file_name();
        let path = self.entries_path().join(&name);
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(EngineError::Store { path, source })
            }
            _ => Ok(()),
        }
    }

    /// Bytes of a component's entry; none when there is none. Neither reads nor checks it.
    #[must_use]
    pub fn entry_bytes(&self, engine: &Engine, component_hash: &[u8; HASH_BYTES]) -> Option<u64> {
        let name = Identity::new(engine, component_hash).file_name();
        let metadata = std::fs::symlink_metadata(self.entries_path().join(name)).ok()?;
        metadata.is_file().then_some(metadata.len())
    }

    fn entries_path(&self) -> PathBuf {
        self.root.join("aot")
    }

    fn read(&self, engine: &Engine, identity: &Identity) -> Result<Component, Doubt> {
        let entries = match open_private(&self.entries_path()) {
            Ok(dir) => dir,
            Err(EngineError::Store { source, .. })
                if source.kind() == std::io::ErrorKind::NotFound =>
            {
                return Err(Doubt::Missing);
            }
            Err(error) => return Err(Doubt::Because(error.to_string())),
        };
        let name = identity.file_name();
        let entry = match read_private(&entries, &name, ENTRY_BYTES) {
            Ok(entry) => entry,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Doubt::Missing);
            }
            Err(error) => {
                return Err(Doubt::reject(
                    &entries,
                    &name,
                    format!("it cannot be read: {error}"),
                ));
            }
        };
        let key = self
            .key()
            .map_err(|error| Doubt::reject(&entries, &name, error))?;
        let code = identity
            .check(&entry, &key)
            .map_err(|reason| Doubt::reject(&entries, &name, reason.to_owned()))?;
        DESERIALIZED.fetch_add(1, Ordering::Relaxed);
        // SAFETY: `code` is the exact output of `Component::serialize` for this component and
        // this engine configuration: its MAC under the user's key was checked on this buffer,
        // which nobody else can write.
        #[expect(
            unsafe_code,
            clippy::disallowed_methods,
            reason = "the one home of deserialize"
        )]
        let component = unsafe { Component::deserialize(engine, code) };
        component.map_err(|error| Doubt::reject(&entries, &name, error.to_string()))
    }

    fn write(&self, component: &Component, identity: &Identity) -> Result<(), EngineError> {
        let code = component.serialize().map_err(EngineError::Compile)?;
        create_private(&self.root)?;
        create_private(&self.entries_path())?;
        let key = self.key_or_new()?;
        let path = self.entries_path();
        let entries = open_private(&path)?;
        let name = identity.file_name();
        let failed = |source| EngineError::Store {
            path: path.join(&name),
            source,
        };
        sweep(&entries);
        sweep(&open_private(&self.root)?);
        let temporary = format!(".{name}.{}", random_name().map_err(failed)?);
        let written = write_new(&entries, &temporary, &[&identity.seal(&code, &key), &code])
            .and_then(|()| entries.rename(&temporary, &entries, &name));
        if written.is_err() {
            let _ = entries.remove_file(&temporary);
        }
        written.map_err(failed)
    }

    fn key(&self) -> Result<[u8; HASH_BYTES], String> {
        let root = open_private(&self.root).map_err(|error| error.to_string())?;
        let bytes = read_private(&root, "key", HASH_BYTES as u64)
            .map_err(|error| format!("the store's key cannot be read: {error}"))?;
        bytes
            .try_into()
            .map_err(|_| "the store's key has the wrong length".to_owned())
    }

    /// The key, made on first use. Two processes at once agree: the second to link its file
    /// finds the first's.
    fn key_or_new(&self) -> Result<[u8; HASH_BYTES], EngineError> {
        if let Ok(key) = self.key() {
            return Ok(key);
        }
        let path = self.root.join("key");
        let failed = |source| EngineError::Store {
            path: path.clone(),
            source,
        };
        let root = open_private(&self.root)?;
        let mut key = [0; HASH_BYTES];
        getrandom::fill(&mut key).map_err(|error| failed(error.into()))?;
        let temporary = format!(".key.{}", random_name().map_err(failed)?);
        if let Err(error) = write_new(&root, &temporary, &[&key]) {
            let _ = root.remove_file(&temporary);
            return Err(failed(error));
        }
        if self.key().is_err() {
            // An unusable key makes every entry unusable too; nothing is lost with it.
            let linked = match root.hard_link(&temporary, &root, "key") {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    match self.key() {
                        Ok(_) => Ok(()),
                        Err(_) => root.rename(&temporary, &root, "key"),
                    }
                }
                other => other,
            };
            if let Err(error) = linked {
                let _ = root.remove_file(&temporary);
                return Err(failed(error));
            }
        }
        let _ = root.remove_file(&temporary);
        self.key()
            .map_err(|reason| EngineError::StoreUnsafe { path, reason })
    }
}

/// Compiles on a thread of its own, so that the wait has a bound. A compilation that is given up
/// ends with the process.
fn compile_here(engine: &Engine, bytes: &[u8]) -> Result<Component, EngineError> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let (engine, bytes) = (engine.clone(), bytes.to_vec());
    std::thread::Builder::new()
        .name("compile".into())
        .spawn(move || {
            let _ = sender.send(Component::from_binary(&engine, &bytes));
        })
        .map_err(EngineError::CompileThread)?;
    match receiver.recv_timeout(Duration::from_millis(COMPILE_MS)) {
        Ok(compiled) => compiled.map_err(EngineError::Compile),
        Err(mpsc::RecvTimeoutError::Timeout) => Err(EngineError::CompileTooLong {
            limit_ms: COMPILE_MS,
        }),
        Err(mpsc::RecvTimeoutError::Disconnected) => Err(EngineError::CompilePanicked),
    }
}

enum Doubt {
    Missing,
    Because(String),
}

impl Doubt {
    fn reject(entries: &Dir, name: &str, reason: impl Into<String>) -> Self {
        if entries.remove_file(name).is_err() {
            let _ = entries.remove_dir_all(name);
        }
        Self::Because(reason.into())
    }
}

/// What an entry is for: this component, compiled for this engine.
struct Identity {
    component: [u8; HASH_BYTES],
    engine: [u8; HASH_BYTES],
}

impl Identity {
    fn new(engine: &Engine, component: &[u8; HASH_BYTES]) -> Self {
        let mut hasher = Sha256Hasher(Sha256::new());
        engine.precompile_compatibility_hash().hash(&mut hasher);
        Self {
            component: *component,
            engine: hasher.0.finalize().into(),
        }
    }

    fn file_name(&self) -> String {
        let mut hasher = Sha256::new();
        hasher.update(EPOCH);
        hasher.update(self.component);
        hasher.update(self.engine);
        hasher
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    fn mac(&self, code: &[u8], key: &[u8; HASH_BYTES]) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
        mac.update(EPOCH);
        mac.update(&self.component);
        mac.update(&self.engine);
        mac.update(code);
        Some(mac)
    }

    /// What stands before the code in an entry. Apart from it: code can be large, and is not copied.
    fn seal(&self, code: &[u8], key: &[u8; HASH_BYTES]) -> Vec<u8> {
        let tag = self
            .mac(code, key)
            .map(|mac| mac.finalize().into_bytes())
            .unwrap_or_default();
        [EPOCH.as_slice(), &self.component, &self.engine, &tag].concat()
    }

    /// The code of an entry, if what stands before it is what [`Self::seal`] made for it.
    fn check<'a>(&self, entry: &'a [u8], key: &[u8; HASH_BYTES]) -> Result<&'a [u8], &'static str> {
        let (header, code) = entry
            .split_at_checked(HEADER_BYTES)
            .ok_or("it is too short")?;
        let (epoch, rest) = header.split_at(EPOCH.len());
        let (component, rest) = rest.split_at(HASH_BYTES);
        let (engine, tag) = rest.split_at(HASH_BYTES);
        if epoch != EPOCH {
            return Err("it has another format");
        }
        if component != self.component {
            return Err("it belongs to another component");
        }
        if engine != self.engine {
            return Err("it was compiled for another engine configuration");
        }
        let mac = self.mac(code, key).ok_or("the key is unusable")?;
        mac.verify_slice(tag)
            .map_err(|_| "its authentication code does not match")?;
        Ok(code)
    }
}

/// Feeds a `Hash` implementation into SHA-256: a 64-bit hash would be too short for a name.
struct Sha256Hasher(Sha256);

impl Hasher for Sha256Hasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

fn random_name() -> std::io::Result<String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn create_private(path: &Path) -> Result<(), EngineError> {
    let failed = |source| EngineError::Store {
        path: path.to_owned(),
        source,
    };
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(failed(std::io::ErrorKind::InvalidInput.into()));
    };
    let parent = Dir::open_ambient_dir(parent, ambient_authority()).map_err(failed)?;
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    match parent.create_dir_with(name, &builder) {
        Err(source) if source.kind() != std::io::ErrorKind::AlreadyExists => Err(failed(source)),
        _ => Ok(()),
    }
}

/// Opens a folder that must be a real folder of ours that nobody else can write.
fn open_private(path: &Path) -> Result<Dir, EngineError> {
    let failed = |source| EngineError::Store {
        path: path.to_owned(),
        source,
    };
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(failed(std::io::ErrorKind::InvalidInput.into()));
    };
    let parent = Dir::open_ambient_dir(parent, ambient_authority()).map_err(failed)?;
    let mut options = OpenOptions::new();
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::DIRECTORY;
    options.read(true).custom_flags(flags.bits().cast_signed());
    let dir = parent.open_with(name, &options).map_err(failed)?;
    let dir = Dir::from_std_file(dir.into_std());
    let metadata = dir.dir_metadata().map_err(failed)?;
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(EngineError::StoreUnsafe {
            path: path.to_owned(),
            reason: format!("it belongs to user {}", metadata.uid()),
        });
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(EngineError::StoreUnsafe {
            path: path.to_owned(),
            reason: format!(
                "others can write to it (mode {:o})",
                metadata.mode() & 0o777
            ),
        });
    }
    Ok(dir)
}

/// Removes what writes that were killed left behind. A younger file may be another process's.
fn sweep(dir: &Dir) {
    let is_stale = |entry: &cap_std::fs::DirEntry| {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified
            .ok()
            .and_then(|time| time.into_std().elapsed().ok());
        entry.file_name().as_encoded_bytes().starts_with(b".") && age.is_some_and(|age| age > STALE)
    };
    let entries = dir.entries().into_iter().flatten().flatten();
    for entry in entries.filter(is_stale) {
        let _ = entry.remove_file();
    }
}

fn read_private(dir: &Dir, name: &str, limit: u64) -> std::io::Result<Vec<u8>> {
    let mut options = OpenOptions::new();
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    options.read(true).custom_flags(flags.bits().cast_signed());
    let mut file = dir.open_with(name, &options)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() > limit {
        return Err(std::io::Error::other(
            "not a regular file of the expected size",
        ));
    }
    // One read of the known length: a growing buffer takes six for a usual entry.
    let mut bytes = vec![0; usize::try_from(metadata.len()).unwrap_or(0)];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn write_new(dir: &Dir, name: &str, parts: &[&[u8]]) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let mut file = dir.open_with(name, &options)?;
    parts.iter().try_for_each(|part| file.write_all(part))?;
    file.sync_all()
}
