//! Links, pipes, sockets, bounds; one open per file; a file that changes under the reader.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::json;
use sr_plugin::{
    Package, PackageError, ReadObserver, Sha256Hex, Strictness, Tree, TreeError, limits,
};

use crate::support::{COMPONENT, Folder, manifest_with};

fn refused_at_once(folder: &Folder) -> String {
    let start = Instant::now();
    let message = folder.refusal();
    assert!(
        start.elapsed() < Duration::from_secs(1),
        "{:?}",
        start.elapsed()
    );
    message
}

fn pipe(path: &Path) {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

#[test]
fn a_clean_package_is_read_whole() {
    let package = Folder::good().read().unwrap();
    assert_eq!(package.component, COMPONENT);
    assert_eq!(package.component_hash, Sha256Hex::of(COMPONENT));
    let paths: Vec<_> = package
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    assert_eq!(paths, ["component.wasm", "sr-plugin.json"]);
    assert_eq!(package.asks().domains, ["demo.example.com"]);
}

#[test]
fn a_link_to_a_file_outside_is_refused_by_name() {
    let folder = Folder::good();
    symlink("/etc/hostname", folder.join("notes.txt")).unwrap();
    let message = refused_at_once(&folder);
    assert!(
        message.contains("symbolic link") && message.ends_with("notes.txt"),
        "{message}"
    );
}

#[test]
fn a_link_to_a_tree_outside_is_refused_without_a_walk() {
    let folder = Folder::good();
    symlink("/", folder.join("data")).unwrap();
    assert!(refused_at_once(&folder).ends_with(": data"));
}

#[test]
fn links_that_form_a_loop_are_refused() {
    let folder = Folder::good();
    symlink(".", folder.join("loop")).unwrap();
    assert!(refused_at_once(&folder).ends_with(": loop"));
    let folder = Folder::good();
    symlink("b", folder.join("a")).unwrap();
    symlink("a", folder.join("b")).unwrap();
    assert!(refused_at_once(&folder).ends_with(": a"));
}

#[test]
fn links_inside_and_dangling_links_get_the_same_verdict_on_install_and_on_verify() {
    for (link, target) in [("alias", "component.wasm"), ("gone", "missing.txt")] {
        let folder = Folder::good();
        symlink(target, folder.join(link)).unwrap();
        let install = folder.refusal();
        let verify = Tree::read(&folder.open()).unwrap_err().to_string();
        assert_eq!(install, verify);
        assert!(verify.ends_with(link), "{verify}");
    }
}

#[test]
fn a_component_that_is_a_link_is_refused() {
    let outside = Folder::good();
    let folder = Folder::good();
    fs::remove_file(folder.join("component.wasm")).unwrap();
    symlink(
        outside.join("component.wasm"),
        folder.join("component.wasm"),
    )
    .unwrap();
    assert!(refused_at_once(&folder).ends_with(": component.wasm"));
}

#[test]
fn a_manifest_that_is_a_link_is_refused() {
    let outside = Folder::good();
    let folder = Folder::good();
    fs::remove_file(folder.join("sr-plugin.json")).unwrap();
    symlink(
        outside.join("sr-plugin.json"),
        folder.join("sr-plugin.json"),
    )
    .unwrap();
    assert!(refused_at_once(&folder).ends_with(": sr-plugin.json"));
}

#[test]
fn a_link_under_an_excluded_name_is_refused_too() {
    for link in ["node_modules", "run.log", "lib/target"] {
        let folder = Folder::good();
        folder.write("lib/a", "a");
        symlink("/etc", folder.join(link)).unwrap();
        assert!(refused_at_once(&folder).ends_with(link));
    }
}

#[test]
fn pipes_and_sockets_are_refused_without_being_opened() {
    let folder = Folder::good();
    pipe(&folder.join("fifo"));
    let message = refused_at_once(&folder);
    assert!(
        message.contains("pipe") && message.ends_with("fifo"),
        "{message}"
    );

    let folder = Folder::good();
    let listener = UnixListener::bind(folder.join("socket")).unwrap();
    listener.set_nonblocking(true).unwrap();
    let message = refused_at_once(&folder);
    assert!(
        message.contains("this socket") && message.ends_with(": socket"),
        "{message}"
    );
    assert!(listener.accept().is_err());

    let folder = Folder::good();
    pipe(&folder.join("x.log"));
    assert!(refused_at_once(&folder).ends_with("x.log"));
}

#[test]
fn excluded_places_are_not_read_at_any_depth() {
    let folder = Folder::good();
    let before = folder.read().unwrap().hash;
    for name in [
        ".git/config",
        "node_modules/a/b.js",
        "target/out",
        "lib/.git",
        "run.log",
    ] {
        folder.write(name, "x");
    }
    fs::create_dir_all(folder.join("deep/target")).unwrap();
    symlink("/etc", folder.join("deep/target/link")).unwrap();
    let opens = Opens::default();
    let package = Package::read_observed(&folder.open(), Strictness::Install, &opens).unwrap();
    assert_eq!(package.hash, before);
    assert_eq!(opens.0.lock().unwrap().len(), 2);
}

#[test]
fn the_manifest_may_not_name_a_file_in_an_excluded_place() {
    for path in [
        "target/component.wasm",
        "lib/node_modules/c.wasm",
        "c.log",
        ".git/c.wasm",
    ] {
        let folder = Folder::with_manifest(&manifest_with("component", json!(path)));
        folder.write(path, COMPONENT);
        let message = folder.refusal();
        assert!(
            message.contains("component")
                && message.contains("never hashed")
                && message.contains(path),
            "{message}"
        );
        let folder = Folder::with_manifest(&manifest_with("sitedata", json!(path)));
        folder.write(path, "{}");
        assert!(folder.refusal().contains("sitedata: "));
    }
}

#[test]
fn hard_links_count_by_content_only() {
    let linked = Folder::good();
    linked.write("a.txt", "same");
    fs::hard_link(linked.join("a.txt"), linked.join("b.txt")).unwrap();
    let plain = Folder::good();
    plain.write("a.txt", "same");
    plain.write("b.txt", "same");
    assert_eq!(linked.read().unwrap().hash, plain.read().unwrap().hash);
}

#[test]
fn a_name_that_is_not_utf8_is_refused_and_shown_escaped() {
    let folder = Folder::good();
    fs::write(
        folder.path().join(OsStr::from_bytes(b"bad\xff\x1b.txt")),
        "x",
    )
    .unwrap();
    let message = folder.refusal();
    assert!(
        message.contains("UTF-8") && message.ends_with("bad\\xff\\x1b.txt"),
        "{message}"
    );
}

#[test]
fn a_name_that_could_deceive_a_reader_is_refused_and_shown_escaped() {
    for (name, shown) in [
        ("a\nb", "a\\nb"),
        ("a\u{1b}[31m", "a\\u{1b}[31m"),
        ("a\u{202e}b", "a\\u{202e}b"),
        ("..\\..\\evil", "..\\\\..\\\\evil"),
    ] {
        let folder = Folder::good();
        folder.write(name, "x");
        let message = folder.refusal();
        assert!(message.ends_with(shown), "{message}");
        assert!(!message.contains(['\n', '\u{1b}', '\u{202e}']));
    }
}

#[test]
fn a_folder_that_is_no_package_says_so_at_once() {
    let folder = Folder::good();
    fs::remove_file(folder.join("sr-plugin.json")).unwrap();
    assert!(matches!(folder.read(), Err(PackageError::NoManifest)));
    assert!(refused_at_once(&folder).contains("sr-plugin.json"));
}

#[test]
fn a_component_that_is_missing_is_named() {
    let folder = Folder::good();
    fs::remove_file(folder.join("component.wasm")).unwrap();
    assert_eq!(
        folder.refusal(),
        "sr-plugin.json: component: the package holds no such file: component.wasm"
    );
}

#[test]
fn the_walk_is_bounded() {
    let folder = Folder::good();
    for number in 0..limits::ENTRIES {
        fs::create_dir(folder.join(&format!("d{number}"))).unwrap();
    }
    assert!(matches!(
        folder.read(),
        Err(PackageError::Tree(TreeError::TooMany))
    ));

    let folder = Folder::good();
    let deep: PathBuf = std::iter::repeat_n("d", limits::DEPTH).collect();
    fs::create_dir_all(folder.path().join(&deep)).unwrap();
    assert!(matches!(
        folder.read(),
        Err(PackageError::Tree(TreeError::TooDeep { .. }))
    ));
    fs::remove_dir(folder.path().join(deep)).unwrap();
    folder.read().unwrap();
}

#[test]
fn a_thousand_folders_need_no_thousand_descriptors() {
    let folder = Folder::good();
    for number in 0..1_500 {
        folder.write(&format!("d{number}/f"), "x");
    }
    assert_eq!(folder.read().unwrap().files.len(), 1_502);
}

#[test]
fn sizes_are_bounded() {
    let folder = Folder::good();
    let file = fs::File::create(folder.join("big")).unwrap();
    file.set_len(limits::FILE_BYTES + 1).unwrap();
    assert!(folder.refusal().ends_with(": big"));
    file.set_len(limits::FILE_BYTES).unwrap();
    folder.read().unwrap();
    for number in 0..4 {
        fs::File::create(folder.join(&format!("big{number}")))
            .unwrap()
            .set_len(limits::FILE_BYTES)
            .unwrap();
    }
    assert!(matches!(
        folder.read(),
        Err(PackageError::Tree(TreeError::TooLarge))
    ));
}

#[test]
fn a_path_over_255_bytes_is_refused() {
    let folder = Folder::good();
    folder.write(&format!("{}/{}", "a".repeat(127), "b".repeat(127)), "fits");
    folder.read().unwrap();
    folder.write(
        &format!("{}/{}", "a".repeat(127), "c".repeat(128)),
        "too long",
    );
    assert!(folder.refusal().contains("at most 255 bytes, found 256"));
}

#[derive(Default)]
struct Opens(Mutex<BTreeMap<String, usize>>);

impl ReadObserver for Opens {
    fn opened(&self, path: &str) {
        *self.0.lock().unwrap().entry(path.to_owned()).or_default() += 1;
    }
}

#[test]
fn each_file_is_opened_once() {
    let folder = Folder::with_sitedata(r#"{"version": "1"}"#);
    folder.write("lib/a", "a");
    let opens = Opens::default();
    let package = Package::read_observed(&folder.open(), Strictness::Installed, &opens).unwrap();
    let opens = opens.0.into_inner().unwrap();
    assert_eq!(opens.len(), package.files.len());
    assert!(opens.values().all(|count| *count == 1), "{opens:?}");
}

/// Does something at one point of the reading.
struct Interfere<F> {
    when: &'static str,
    act: F,
}

impl<F: Fn()> ReadObserver for Interfere<F> {
    fn listed(&self) {
        if self.when == "listed" {
            (self.act)();
        }
    }
    fn opened(&self, path: &str) {
        if self.when == "opened" && path == "component.wasm" {
            (self.act)();
        }
    }
    fn read(&self, path: &str) {
        if self.when == "read" && path == "component.wasm" {
            (self.act)();
        }
    }
}

#[test]
fn a_file_replaced_while_it_is_read_never_gives_new_bytes_under_the_old_hash() {
    let new: &[u8] = b"\0asm new and evil";
    let old_hash = Folder::good().read().unwrap().hash;
    for when in ["listed", "opened", "read"] {
        let folder = Folder::good();
        folder.write(".git/next", new);
        let act = || fs::rename(folder.join(".git/next"), folder.join("component.wasm")).unwrap();
        let package = Package::read_observed(
            &folder.open(),
            Strictness::Install,
            &Interfere { when, act },
        )
        .unwrap();
        assert_eq!(
            package.component_hash,
            Sha256Hex::of(&package.component),
            "{when}"
        );
        assert_eq!(
            package.component == COMPONENT,
            package.hash == old_hash,
            "{when}"
        );
        assert_eq!(package.component == new, when == "listed", "{when}");
        assert_eq!(fs::read(folder.join("component.wasm")).unwrap(), new);
    }
}

#[test]
fn a_file_that_becomes_a_link_or_a_pipe_after_it_was_listed_is_refused() {
    // Out of the package, and to another file of it.
    for target in ["/etc/passwd", "sr-plugin.json"] {
        let folder = Folder::good();
        let act = || {
            fs::remove_file(folder.join("component.wasm")).unwrap();
            symlink(target, folder.join("component.wasm")).unwrap();
        };
        let interfere = Interfere {
            when: "listed",
            act,
        };
        let result = Package::read_observed(&folder.open(), Strictness::Install, &interfere);
        assert!(result.unwrap_err().to_string().contains("component.wasm"));
    }

    let folder = Folder::good();
    let act = || {
        fs::remove_file(folder.join("component.wasm")).unwrap();
        pipe(&folder.join("component.wasm"));
    };
    let start = Instant::now();
    let result = Package::read_observed(
        &folder.open(),
        Strictness::Install,
        &Interfere {
            when: "listed",
            act,
        },
    );
    assert!(result.unwrap_err().to_string().contains("pipe"));
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[test]
fn a_survey_names_every_entry_that_is_refused_and_reads_the_rest() {
    let folder = Folder::good();
    symlink("/etc", folder.join("a-link")).unwrap();
    pipe(&folder.join("pipe"));
    folder.write("inner/esc\u{1b}", "x");
    symlink("/", folder.join("inner/link")).unwrap();
    let deep = vec!["d"; 20].join("/");
    folder.write(&format!("{deep}/file"), "x");
    let large = fs::File::create(folder.join("large")).unwrap();
    large.set_len(17 << 20).unwrap();

    let (tree, refused) = Tree::survey(&folder.open());
    let told: Vec<String> = refused.iter().map(ToString::to_string).collect();
    for words in [
        "symbolic links; replace it by the file or remove it: a-link",
        "remove this pipe: pipe",
        "rename: inner/esc\\u{1b}",
        "remove it: inner/link",
        "at most 16 deep: d/d",
        "bytes: large",
    ] {
        assert!(
            told.iter().any(|line| line.contains(words)),
            "{words}: {told:?}"
        );
    }
    assert_eq!(told.len(), 6, "{told:?}");
    assert!(tree.file("sr-plugin.json").is_some() && tree.file("component.wasm").is_some());
    assert!(tree.file("large").is_none());
}

#[test]
fn a_survey_of_a_good_package_is_its_tree() {
    let folder = Folder::good();
    let (tree, refused) = Tree::survey(&folder.open());
    assert!(refused.is_empty(), "{refused:?}");
    assert_eq!(tree.hash(), Tree::read(&folder.open()).unwrap().hash());
}

#[test]
fn a_survey_of_a_flooded_folder_is_bounded() {
    let folder = Folder::good();
    for number in 0..500 {
        symlink("/", folder.join(&format!("link-{number}"))).unwrap();
    }
    let (tree, refused) = Tree::survey(&folder.open());
    assert_eq!(refused.len(), 100);
    assert!(tree.file("component.wasm").is_some());
    for number in 0..5_000 {
        folder.write(&format!("many/{number}"), "");
    }
    let (tree, refused) = Tree::survey(&folder.open());
    assert!(
        refused
            .iter()
            .any(|fault| matches!(fault, TreeError::TooMany))
    );
    assert!(tree.files().is_empty());
}
