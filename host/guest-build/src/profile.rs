//! The one profile of a published component, as cargo arguments.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// The target of every component.
pub const TARGET: &str = "wasm32-wasip2";

/// Small, and a panic is a trap.
pub const PROFILE: [&str; 5] = [
    "profile.release.opt-level=\"z\"",
    "profile.release.lto=\"fat\"",
    "profile.release.codegen-units=1",
    "profile.release.panic=\"abort\"",
    "profile.release.strip=true",
];

/// Arguments of cargo for one component: library, release, target, profile, and a compiler flag for
/// each folder that gets another name in the component.
///
/// As `cdylib` alone: cargo does no link-time optimisation for a crate that is an `rlib` too, and a
/// component is a fifth larger then. Only `cargo rustc` takes the type.
#[must_use]
pub fn cargo_arguments(renamed: &[(PathBuf, &str)]) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = [
        "rustc",
        "--lib",
        "--release",
        "--crate-type",
        "cdylib",
        "--target",
        TARGET,
    ]
    .map(OsString::from)
    .into();
    for setting in PROFILE {
        arguments.extend(["--config".into(), setting.into()]);
    }
    let flags: Vec<String> = renamed
        .iter()
        .map(|(folder, name)| {
            toml_text(&format!("--remap-path-prefix={}={name}", folder.display()))
        })
        .collect();
    arguments.push("--config".into());
    arguments.push(format!("target.{TARGET}.rustflags=[{}]", flags.join(",")).into());
    arguments
}

/// The folders below cargo's home that hold the sources of crates, each renamed to `crates`. None
/// when nothing was fetched yet.
///
/// # Errors
/// The folder cannot be listed.
pub fn registry_folders(cargo_home: &Path) -> io::Result<Vec<(PathBuf, &'static str)>> {
    let mut found = Vec::new();
    let entries = match cargo_home.join("registry/src").read_dir() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        other => other?,
    };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            found.push((path, "crates"));
        }
    }
    found.sort();
    Ok(found)
}

/// A basic string of TOML.
fn toml_text(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(letter);
            }
            letter if letter.is_control() => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_odd_letters_is_still_one_flag() {
        let folders = [
            (PathBuf::from("/a \"b\"\\c"), "."),
            (PathBuf::from("/d"), "crates"),
        ];
        let last = cargo_arguments(&folders).pop().unwrap();
        assert_eq!(
            last.to_str().unwrap(),
            r#"target.wasm32-wasip2.rustflags=["--remap-path-prefix=/a \"b\"\\c=.","--remap-path-prefix=/d=crates"]"#
        );
    }
}
