//! Where a crate finds the SDK: a link and a few lines of cargo configuration in its `.cargo`,
//! neither of which is committed. `Cargo.toml` names a version only, so it can be shared.
//!
//! The link lies inside the crate because cargo names a crate outside of a workspace by its absolute
//! path, and that name would reach the component: two people would get two hashes of one source.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::error::AuthorError;
use crate::project::Project;
use crate::sdk::Sdk;

/// The crates of the SDK that a plugin names, and where each lies in it.
const PATCHED: [(&str, &str); 2] = [
    ("sr-guest", "guest-sdk/sdk"),
    ("sr-guest-testkit", "guest-sdk/testkit"),
];
/// The first line of a configuration that is the program's to rewrite.
const MARK: &str = "# Written by `sr-runtime plugin`; not committed.\n";

/// Settings for cargo's `--config` that lead to the SDK, for a crate whose own configuration may
/// say nothing of it.
pub(crate) fn settings() -> Vec<String> {
    PATCHED
        .iter()
        .map(|(name, place)| format!("patch.crates-io.{name}.path=\".cargo/sdk/{place}\""))
        .collect()
}

/// Links the crate to this SDK and writes its configuration, where they are not right already. A
/// configuration that somebody else wrote stays as it is.
///
/// # Errors
/// The system refused, or something that is no link lies in the link's place.
pub(crate) fn adopt(project: &Project, sdk: &Sdk) -> Result<(), AuthorError> {
    let folder = project.root().join(".cargo");
    // A crate of somebody else could have links here that lead to the person's own files.
    own_folder(&folder)?;
    fs::create_dir_all(&folder).map_err(AuthorError::io("make the folder", &folder))?;
    link(&folder.join("sdk"), sdk.folder())?;
    let place = folder.join("config.toml");
    let wanted = configuration();
    let write = match place.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() => {
            return Err(AuthorError::LeadsElsewhere { path: place });
        }
        Ok(_) => {
            fs::read_to_string(&place).is_ok_and(|found| found != wanted && found.starts_with(MARK))
        }
        Err(error) => error.kind() == ErrorKind::NotFound,
    };
    if !write {
        return Ok(());
    }
    // Written beside and renamed: what lies there by then is replaced and not written through.
    let new = place.with_file_name(format!(".config.{}", std::process::id()));
    let _ = fs::remove_file(&new);
    File::create_new(&new)
        .and_then(|mut file| file.write_all(wanted.as_bytes()))
        .and_then(|()| fs::rename(&new, &place))
        .map_err(AuthorError::io("write the file", &place))
}

/// Refuses something else than a folder of the crate's own, where one is to be written into.
///
/// # Errors
/// A link or a file lies there.
pub(crate) fn own_folder(path: &Path) -> Result<(), AuthorError> {
    match path.symlink_metadata() {
        Ok(metadata) if !metadata.is_dir() => Err(AuthorError::LeadsElsewhere {
            path: path.to_owned(),
        }),
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(AuthorError::io("look at", path)(error))
        }
        _ => Ok(()),
    }
}

fn configuration() -> String {
    let mut text = String::from(MARK);
    text.push_str("[patch.crates-io]\n");
    for (name, place) in PATCHED {
        text.push_str(&format!("{name} = {{ path = \".cargo/sdk/{place}\" }}\n"));
    }
    text
}

fn link(place: &Path, target: &Path) -> Result<(), AuthorError> {
    match place.symlink_metadata() {
        Ok(metadata) if !metadata.is_symlink() => {
            return Err(AuthorError::NoLink {
                path: place.to_owned(),
            });
        }
        Ok(_) if place.read_link().is_ok_and(|found| found == target) => return Ok(()),
        _ => {}
    }
    let new = place.with_file_name(format!(".sdk.{}", std::process::id()));
    let failed = || AuthorError::io("make the link", place);
    let _ = fs::remove_file(&new);
    symlink(target, &new).map_err(failed())?;
    fs::rename(&new, place).map_err(failed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_link_and_our_own_configuration_are_made_anew_and_others_stay() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("crate");
        fs::create_dir_all(root.join("plugin")).unwrap();
        fs::write(root.join("plugin/sr-plugin.json"), "{}").unwrap();
        fs::write(root.join("Cargo.toml"), "").unwrap();
        let project = Project::at(&root).unwrap();
        let sdk = Sdk::ensure(&home.path().join(".sr")).unwrap();
        let (link, config) = (root.join(".cargo/sdk"), root.join(".cargo/config.toml"));

        fs::create_dir(root.join(".cargo")).unwrap();
        symlink("/nowhere", &link).unwrap();
        fs::write(&config, format!("{MARK}old")).unwrap();
        adopt(&project, &sdk).unwrap();
        assert_eq!(link.read_link().unwrap(), sdk.folder());
        assert_eq!(fs::read_to_string(&config).unwrap(), configuration());

        fs::write(&config, "[build]\n").unwrap();
        adopt(&project, &sdk).unwrap();
        assert_eq!(fs::read_to_string(&config).unwrap(), "[build]\n");

        fs::remove_file(&link).unwrap();
        fs::write(&link, "mine").unwrap();
        let error = adopt(&project, &sdk).unwrap_err().to_string();
        assert!(error.contains(".cargo/sdk: not the link"), "{error}");
        assert_eq!(fs::read_to_string(&link).unwrap(), "mine");
    }

    #[test]
    fn nothing_is_written_through_a_link_of_the_crate() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("crate");
        let outside = home.path().join("outside");
        fs::create_dir_all(root.join("plugin")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(root.join("plugin/sr-plugin.json"), "{}").unwrap();
        fs::write(root.join("Cargo.toml"), "").unwrap();
        let project = Project::at(&root).unwrap();
        let sdk = Sdk::ensure(&home.path().join(".sr")).unwrap();

        symlink(&outside, root.join(".cargo")).unwrap();
        let error = adopt(&project, &sdk).unwrap_err().to_string();
        assert!(error.contains(".cargo"), "{error}");
        fs::remove_file(root.join(".cargo")).unwrap();
        fs::create_dir(root.join(".cargo")).unwrap();
        symlink(outside.join("made"), root.join(".cargo/config.toml")).unwrap();
        let error = adopt(&project, &sdk).unwrap_err().to_string();
        assert!(error.contains("config.toml"), "{error}");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    }
}
