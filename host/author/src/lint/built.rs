//! The package a crate was built into: whether it is there and newer than its source.

use cap_std::fs::Dir;
use cap_std::time::SystemTime;
use sr_plugin::{ManifestParts, Tree, limits};

use super::files;
use super::finding::{Finding, Findings};
use super::rule::Rule;
use super::subject::{ComponentFile, Subject};

/// Where package folders are built.
const DIST: &str = "dist";

/// The component of a crate, when it was built. What is not as its source is told.
pub(super) fn find(
    subject: &Subject,
    parts: &ManifestParts,
    findings: &mut Findings,
) -> Option<ComponentFile> {
    let (Some(name), Some(path), true) = (&parts.name, &parts.component, subject.is_crate()) else {
        return None;
    };
    let place = format!("{DIST}/{name}");
    let Ok(folder) = subject.root.open_dir(&place) else {
        let why = "there is no built package, so the component is not checked";
        findings.add(Finding::new(Rule::NotBuilt, place, why));
        return None;
    };
    let (tree, refused) = Tree::survey(&folder);
    files::refused(&refused, &format!("{place}/"), findings);
    let file = format!("{place}/{path}");
    let Some(component) = tree.file(path.as_str()) else {
        let why = "the component is not there, so it is not checked";
        findings.add(Finding::new(Rule::NotBuilt, file, why));
        return None;
    };
    for part in subject.tree.files() {
        let same = tree
            .file(&part.path)
            .is_some_and(|built| built.sha256 == part.sha256);
        if !same {
            let why = format!("it is not the file in {}", subject.prefix);
            let built = format!("{place}/{}", part.path);
            findings.add(Finding::new(Rule::NotBuilt, built, why));
        }
    }
    let built = folder
        .metadata(path.as_str())
        .and_then(|file| file.modified());
    if let (Ok(built), Some((source, changed))) = (built, newest(&subject.root))
        && changed > built
    {
        let why = format!("it is older than {source}");
        findings.add(Finding::new(Rule::NotBuilt, file.as_str(), why));
    }
    Some(ComponentFile {
        file,
        bytes: component.content.clone(),
    })
}

/// The source file that was changed last. Looks at as many entries as a package may have and
/// follows no link.
fn newest(root: &Dir) -> Option<(String, SystemTime)> {
    let mut newest: Option<(String, SystemTime)> = None;
    let mut keep = |path: &str, modified: std::io::Result<SystemTime>| {
        if let Ok(modified) = modified
            && newest.as_ref().is_none_or(|(_, known)| modified > *known)
        {
            newest = Some((path.to_owned(), modified));
        }
    };
    for path in ["Cargo.toml", "build.rs"] {
        if let Ok(file) = root.symlink_metadata(path) {
            keep(path, file.modified());
        }
    }
    let mut left = limits::ENTRIES;
    let mut folders = vec![("src".to_owned(), 0)];
    while let Some((path, depth)) = folders.pop() {
        let is_folder = root
            .symlink_metadata(&path)
            .is_ok_and(|metadata| metadata.is_dir());
        let Some(entries) = is_folder.then(|| root.read_dir(&path).ok()).flatten() else {
            continue;
        };
        for entry in entries.flatten() {
            if left == 0 {
                return newest;
            }
            left -= 1;
            let inner = format!("{path}/{}", entry.file_name().to_string_lossy());
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() && depth < limits::DEPTH => {
                    folders.push((inner, depth + 1));
                }
                Ok(metadata) if metadata.is_file() => keep(&inner, metadata.modified()),
                _ => {}
            }
        }
    }
    newest
}
