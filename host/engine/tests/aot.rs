//! The store of compiled components: what is doubtful is never run.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a failed test panics"
)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use sha2::{Digest, Sha256};
use sr_engine::wasmtime::Engine;
use sr_engine::wasmtime::component::Component;
use sr_engine::{AotStore, Provenance, counters, engine};

/// The counters belong to the process, so these tests take turns.
static TURN: Mutex<()> = Mutex::new(());

struct Fixture {
    _home: tempfile::TempDir,
    root: PathBuf,
    store: AotStore,
    engine: Engine,
    bytes: Vec<u8>,
    hash: [u8; 32],
}

fn component(text: &str) -> (Vec<u8>, [u8; 32]) {
    let bytes = wat::parse_str(text).unwrap();
    let hash = Sha256::digest(&bytes).into();
    (bytes, hash)
}

impl Fixture {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("store");
        let (bytes, hash) = component("(component (core module (func (export \"a\"))))");
        let store = AotStore::at(&root);
        Self {
            root,
            store,
            engine: engine().unwrap(),
            bytes,
            hash,
            _home: home,
        }
    }

    fn load(&self) -> (Provenance, u64, u64) {
        let (compiled, deserialized) = counters();
        let loaded = self
            .store
            .load(&self.engine, &self.bytes, &self.hash)
            .unwrap();
        let (compiled_now, deserialized_now) = counters();
        (
            loaded.provenance,
            compiled_now - compiled,
            deserialized_now - deserialized,
        )
    }

    fn entry(&self) -> PathBuf {
        let entries = fs::read_dir(self.root.join("aot")).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        assert_eq!(paths.len(), 1, "{paths:?}");
        paths.remove(0)
    }

    fn assert_recompiled(&self, why: &str) {
        let (provenance, compiled, deserialized) = self.load();
        assert!(
            matches!(&provenance, Provenance::CompiledDoubtful(reason) if reason.contains(why)),
            "{provenance:?}"
        );
        assert_eq!((compiled, deserialized), (1, 0));
        // The doubtful entry was replaced by a good one.
        assert_eq!(self.load(), (Provenance::Stored, 0, 1));
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_second_load_compiles_nothing() {
    let _turn = TURN.lock();
    let fixture = Fixture::new();
    assert_eq!(fixture.load(), (Provenance::CompiledMissing, 1, 0));
    assert_eq!(fixture.load(), (Provenance::Stored, 0, 1));
    assert_eq!(mode(&fixture.root), 0o700);
    assert_eq!(mode(&fixture.root.join("aot")), 0o700);
    assert_eq!(mode(&fixture.root.join("key")), 0o600);
    assert_eq!(mode(&fixture.entry()), 0o600);
}

#[test]
fn one_flipped_byte_anywhere_is_never_run() {
    let _turn = TURN.lock();
    let fixture = Fixture::new();
    fixture.load();
    let path = fixture.entry();
    let good = fs::read(&path).unwrap();
    // Every byte of the header, then a sample over the code, then the last.
    let places = (0..104)
        .chain((104..good.len()).step_by(good.len() / 24))
        .chain([good.len() - 1]);
    for place in places {
        let mut bad = good.clone();
        bad[place] ^= 1;
        fs::write(&path, &bad).unwrap();
        let (provenance, compiled, deserialized) = fixture.load();
        assert!(
            matches!(provenance, Provenance::CompiledDoubtful(_)),
            "byte {place}"
        );
        assert_eq!((compiled, deserialized), (1, 0), "byte {place}");
    }
}

#[test]
fn a_shortened_or_lengthened_entry_is_never_run() {
    let _turn = TURN.lock();
    let fixture = Fixture::new();
    fixture.load();
    let good = fs::read(fixture.entry()).unwrap();
    fs::write(fixture.entry(), &good[..good.len() - 1]).unwrap();
    fixture.assert_recompiled("authentication code");
    fs::write(fixture.entry(), &good[..50]).unwrap();
    fixture.assert_recompiled("too short");
    fs::write(fixture.entry(), b"").unwrap();
    fixture.assert_recompiled("too short");
    fs::write(fixture.entry(), [good.as_slice(), b"x"].concat()).unwrap();
    fixture.assert_recompiled("authentication code");
}

#[test]
fn a_valid_entry_of_another_component_is_never_run() {
    let _turn = TURN.lock();
    let fixture = Fixture::new();
    fixture.load();
    let (other, other_hash) = component("(component (core module (func (export \"b\"))))");
    let elsewhere = tempfile::tempdir().unwrap();
    let other_root = elsewhere.path().join("store");
    fs::create_dir(&other_root).unwrap();
    fs::set_permissions(&other_root, fs::Permissions::from_mode(0o700)).unwrap();
    // The same key: only the component differs.
    fs::copy(fixture.root.join("key"), other_root.join("key")).unwrap();
    AotStore::at(&other_root)
        .load(&fixture.engine, &other, &other_hash)
        .unwrap();
    let stolen = fs::read_dir(other_root.join("aot"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    fs::copy(stolen, fixture.entry()).unwrap();
    fixture.assert_recompiled("another component");
}

#[test]
fn an_entry_of_an_engine_with_another_configuration_is_never_run() {
    let _turn = TURN.lock();
    let fixture = Fixture::new();
    fixture.load();
    let mut config = sr_engine::wasmtime::Config::new();
    config.epoch_interruption(false).concurrency_support(false);
    let other = Engine::new(&config).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let other_root = elsewhere.path().join("store");
    fs::create_dir(&other_root).unwrap();
    fs::set_permissions(&other_root, fs::Permissions::from_mode(0o700)).unwrap();
    fs::copy(fixture.root.join("key"), other_root.join("key")).unwrap();
    AotStore::at(&other_root)
        .load(&other, &fixture.bytes, &fixture.hash)
        .unwrap();
    let stolen = fs::read_dir(other_root.join("aot"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    assert_ne!(stolen.file_name(), fixture.entry().file_name());
    fs::copy(stolen, fixture.entry()).unwrap();
    fixture.assert_recompiled("another engine configuration");
}

#[test]
fn an_entry_sealed_with_another_key_is_never_run() {
    let _turn = TURN.lock();
    let fixture = Fixture::new();
    fixture.load();
    fs::write(fixture.root.join("key"), [7; 32]).unwrap();
    fixture.assert_recompiled("authentication code");
}

#[test]
fn a_missing_or_short_key_makes_a_new_one_and_distrusts_the_entry() {
    let _turn = TURN.lock();
    let fixture = Fixture::new();
    fixture.load();
    fs::remove_file(fixture.root.join("key")).unwrap();
    fixture.assert_recompiled("key");
    fs::write(fixture.root.join("key"), [7; 3]).unwrap();
    fixture.assert_recompiled("key");
    assert_eq!(fs::read(fixture.root.join("key")).unwrap().len(), 32);
}

#[test]
fn a_link_or_a_pipe_in_place_of_the_entry_is_never_read() {
    let _turn = TURN.lock();
    let fixture = Fixture::new();
    fixture.load();
    let path = fixture.entry();
    let moved = fixture.root.join("moved");
    fs::rename(&path, &moved).unwrap();
    symlink(&moved, &path).unwrap();
    fixture.assert_recompiled("cannot be read");
    fs::remove_file(&path).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &path,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    fixture.assert_recompiled("cannot be read");
}

#[test]
fn a_folder_that_others_can_write_is_not_used() {
    let _turn = TURN.lock();
    let fixture = Fixture::new();
    fixture.load();
    let aot = fixture.root.join("aot");
    fs::set_permissions(&aot, fs::Permissions::from_mode(0o777)).unwrap();
    let (provenance, compiled, deserialized) = fixture.load();
    assert!(
        matches!(&provenance, Provenance::CompiledDoubtful(reason) if reason.contains("others can write")),
        "{provenance:?}"
    );
    assert_eq!((compiled, deserialized), (1, 0));
}

#[test]
fn a_store_that_cannot_be_written_is_no_error() {
    let _turn = TURN.lock();
    let fixture = Fixture::new();
    // A file where the folder should be: nothing can be stored, the component still runs.
    fs::write(&fixture.root, b"").unwrap();
    let loaded = fixture
        .store
        .load(&fixture.engine, &fixture.bytes, &fixture.hash)
        .unwrap();
    assert!(loaded.not_stored.is_some());
}

#[test]
fn two_processes_that_make_the_key_at_once_agree() {
    let _turn = TURN.lock();
    let fixture = Fixture::new();
    let compiled = Component::from_binary(&fixture.engine, &fixture.bytes).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                fixture
                    .store
                    .keep(&fixture.engine, &compiled, &fixture.hash)
                    .unwrap()
            });
        }
    });
    assert_eq!(fixture.load(), (Provenance::Stored, 0, 1));
    assert_eq!(
        fs::read_dir(&fixture.root).unwrap().count(),
        2,
        "no temporary key stays"
    );
}

#[test]
fn removing_an_entry_removes_its_file_and_a_missing_one_is_fine() {
    let _turn = TURN.lock();
    let fixture = Fixture::new();
    fixture.load();
    fixture
        .store
        .remove(&fixture.engine, &fixture.hash)
        .unwrap();
    fixture
        .store
        .remove(&fixture.engine, &fixture.hash)
        .unwrap();
    assert_eq!(fixture.load().0, Provenance::CompiledMissing);
}

#[test]
fn a_folder_in_place_of_the_entry_is_made_again() {
    let _turn = TURN.lock();
    let fixture = Fixture::new();
    fixture.load();
    let path = fixture.entry();
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    fs::write(path.join("x"), b"").unwrap();
    fixture.assert_recompiled("cannot be read");
}
