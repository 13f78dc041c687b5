//! The package hash: what counts and what does not.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use sha2::{Digest as _, Sha256};
use sr_plugin::{Sha256Hex, Tree};

use crate::support::Folder;

fn hash(files: &[(&str, &str)]) -> Sha256Hex {
    let folder = Folder::good();
    for (name, content) in files {
        folder.write(name, content);
    }
    folder.read().unwrap().hash
}

/// The rule as the documentation states it, written a second time.
fn by_the_rule(files: &[(&str, &[u8])]) -> String {
    let mut bytes = b"sr-runtime package 1\n".to_vec();
    bytes.extend((files.len() as u64).to_le_bytes());
    for (path, content) in files {
        bytes.extend((path.len() as u64).to_le_bytes());
        bytes.extend(path.as_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(*content);
    }
    let digits: String = Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("sha256:{digits}")
}

#[test]
fn the_hash_follows_the_written_rule() {
    let folder = Folder {
        dir: tempfile::TempDir::new().unwrap(),
    };
    // In byte order "a-b" < "a.b" < "a/b" < "ab", whatever order the folders are listed in.
    folder.write("ab", "4");
    folder.write("a/b", "3");
    folder.write("a.b", "2");
    folder.write("a-b", "1");
    let expected = by_the_rule(&[("a-b", b"1"), ("a.b", b"2"), ("a/b", b"3"), ("ab", b"4")]);
    assert_eq!(
        Tree::read(&folder.open()).unwrap().hash().to_string(),
        expected
    );
}

#[test]
fn the_hash_is_the_same_on_every_machine() {
    let folder = Folder {
        dir: tempfile::TempDir::new().unwrap(),
    };
    folder.write("sr-plugin.json", "{}");
    folder.write("lib/a.txt", "line\n");
    assert_eq!(
        Tree::read(&folder.open()).unwrap().hash().to_string(),
        "sha256:04c714d7e13819cbd058cb478cbfdf4446be9f9cfd921e27bb83a8ab9b2f1215"
    );
}

#[test]
fn moving_bytes_between_name_and_content_changes_the_hash() {
    assert_ne!(hash(&[("ab", "c")]), hash(&[("a", "bc")]));
    assert_ne!(
        hash(&[("a", ""), ("b", "x")]),
        hash(&[("a", "x"), ("b", "")])
    );
    assert_ne!(hash(&[("a/b", "x")]), hash(&[("ab", "x")]));
}

#[test]
fn modes_and_empty_folders_do_not_count() {
    let folder = Folder::good();
    folder.write("run.sh", "echo");
    let before = folder.read().unwrap().hash;
    fs::set_permissions(folder.join("run.sh"), Permissions::from_mode(0o755)).unwrap();
    fs::create_dir(folder.join("empty2")).unwrap();
    assert_eq!(folder.read().unwrap().hash, before);
}

#[test]
fn lf_crlf_and_a_lone_cr_give_three_hashes() {
    let hashes =
        ["one\ntwo\n", "one\r\ntwo\r\n", "one\rtwo\n"].map(|text| hash(&[("a.txt", text)]));
    assert_ne!(hashes[0], hashes[1]);
    assert_ne!(hashes[0], hashes[2]);
    assert_ne!(hashes[1], hashes[2]);
}

#[test]
fn a_digest_has_one_spelling() {
    let good = Sha256Hex::of(b"x").to_string();
    assert_eq!(good.parse::<Sha256Hex>().unwrap().to_string(), good);
    let digits = good.strip_prefix("sha256:").unwrap();
    for (text, says) in [
        (digits.to_owned(), "unknown hash algorithm"),
        (format!("md5:{digits}"), "unknown hash algorithm"),
        (format!("sha256:{}", digits.to_uppercase()), "lower case"),
        (format!("sha256:{}", &digits[..63]), "64 digits, found: 63"),
        (format!("sha256:{}g", &digits[..63]), "hexadecimal digit"),
    ] {
        let message = text.parse::<Sha256Hex>().unwrap_err().to_string();
        assert!(message.contains(says), "{message}");
    }
}
