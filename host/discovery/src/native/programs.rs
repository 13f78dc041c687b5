//! What only another program or a larger file knows: Debian's packages, macOS's processes and
//! bundles.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::System;
use crate::ask::{Answer, Bundle};

/// How often the end of a program is looked for.
const LOOK: Duration = Duration::from_millis(2);
/// Bytes of a program's answer that are read.
const OUTPUT_BYTES: u64 = 16 * 1024 * 1024;

/// The versions of all packages in the text of `/var/lib/dpkg/status`.
pub(super) fn deb_versions(status: &str) -> BTreeMap<String, String> {
    let mut versions = BTreeMap::new();
    for paragraph in status.split("\n\n") {
        let field = |name: &str| {
            paragraph
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
        };
        let is_installed = field("Status").is_some_and(|status| status.ends_with(" installed"));
        if let (Some(name), Some(version), true) =
            (field("Package"), field("Version"), is_installed)
        {
            versions.insert(name.to_owned(), version.to_owned());
        }
    }
    versions
}

/// The processes of a system without `/proc`.
pub(super) fn ps(until: Instant) -> Answer {
    let mut command = Command::new("/bin/ps");
    command.args(["-ax", "-o", "pid=", "-o", "command="]);
    match output(command, until) {
        Some(text) => Answer::Ps { text },
        None => Answer::Denied,
    }
}

/// The bundles in the two folders of applications.
pub(super) fn bundles(system: &System, until: Instant) -> Answer {
    let mut bundles = Vec::new();
    let own = system.home.as_ref().map(|home| home.join("Applications"));
    for folder in [Some(system.root.join("Applications")), own]
        .into_iter()
        .flatten()
    {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            if Instant::now() >= until {
                break;
            }
            let path = entry.path();
            if path.extension().is_some_and(|end| end == "app") {
                bundles.extend(bundle(&path, until));
            }
        }
    }
    Answer::Bundles { bundles }
}

/// What a bundle says of itself: a property list as XML, or one that the system turns into it.
fn bundle(path: &Path, until: Instant) -> Option<Bundle> {
    let place = path.join("Contents/Info.plist");
    let bytes = fs::read(&place).ok()?;
    let text = match bytes.starts_with(b"bplist") {
        false => String::from_utf8(bytes).ok()?,
        true => {
            let mut command = Command::new("/usr/bin/plutil");
            command
                .args(["-convert", "xml1", "-o", "-", "--"])
                .arg(&place);
            output(command, until)?
        }
    };
    let name = path.file_stem()?.to_str()?.to_owned();
    Some(Bundle {
        id: property(&text, "CFBundleIdentifier")?,
        version: property(&text, "CFBundleShortVersionString"),
        executable: property(&text, "CFBundleExecutable").unwrap_or_else(|| name.clone()),
        electron: path
            .join("Contents/Frameworks/Electron Framework.framework")
            .exists(),
        path: path.to_str()?.to_owned(),
        name,
    })
}

/// A text of the top dictionary of a property list in XML.
fn property(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<key>{name}</key>"))?;
    let value = rest.trim_start().strip_prefix("<string>")?;
    let (value, _) = value.split_once("</string>")?;
    let value = value
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&");
    (!value.is_empty()).then_some(value)
}

/// What a program prints, unless it takes too long.
fn output(mut command: Command, until: Instant) -> Option<String> {
    let mut child = command
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let pipe = child.stdout.take()?;
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.take(OUTPUT_BYTES).read_to_end(&mut bytes);
        read.is_ok().then_some(bytes)
    });
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < until => std::thread::sleep(LOOK),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    };
    let bytes = reader.join().ok()??;
    status
        .success()
        .then(|| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_are_installed_have_a_version() {
        let status = "Package: a\nStatus: install ok installed\nVersion: 1:2.0-1\n\nPackage: b\nStatus: deinstall ok config-files\nVersion: 3\n\nPackage: c\nStatus: install ok installed\n";
        let versions = deb_versions(status);
        assert_eq!(
            versions.into_iter().collect::<Vec<_>>(),
            [("a".into(), "1:2.0-1".into())]
        );
    }

    #[test]
    fn a_property_list_is_read_by_its_keys() {
        let text = "<plist><dict><key>CFBundleIdentifier</key>\n\t<string>a.b&amp;c</string></dict></plist>";
        assert_eq!(property(text, "CFBundleIdentifier"), Some("a.b&c".into()));
        assert_eq!(property(text, "CFBundleExecutable"), None);
    }
}
