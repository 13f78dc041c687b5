//! Linux: programs on the search path, `.desktop` files, flatpaks and snaps.

use sr_browsers::{Browser, Linux};

use super::Scan;
use crate::look::Known;
use crate::places::DirKind;
use crate::report::Installed;

/// Where `.desktop` files are, in the order they are looked for; a start of `~` is the home.
const APPLICATIONS: [&str; 6] = [
    "/usr/share/applications",
    "/usr/local/share/applications",
    "~/.local/share/applications",
    "/var/lib/flatpak/exports/share/applications",
    "~/.local/share/flatpak/exports/share/applications",
    "/var/lib/snapd/desktop/applications",
];
/// Where flatpaks of the system are.
const FLATPAKS: &str = "/var/lib/flatpak";
/// Where flatpaks of a person are, below the home.
const OWN_FLATPAKS: [&str; 3] = [".local", "share", "flatpak"];
/// Where snaps are.
const SNAPS: &str = "/snap";
/// Where the programs of snaps are.
const SNAP_PROGRAMS: &str = "/snap/bin";

impl Scan<'_, '_, '_> {
    pub(super) fn linux(&mut self) {
        let flatpak_roots = self.flatpak_roots();
        let core = self.core;
        for browser in &core.catalog.browsers {
            let Some(linux) = &browser.linux else {
                continue;
            };
            let known = self.found.len();
            let on_path = self.on_path(linux);
            if let Known::Is(program) = &on_path {
                let found = self.plain(browser, linux, program.clone());
                self.found.extend(found);
            }
            if let Some(id) = &linux.flatpak
                && let Some((root, _)) = flatpak_roots
                    .iter()
                    .find(|(_, apps)| apps.iter().any(|app| app == id))
            {
                let path = format!("{root}/app/{id}");
                let executable = format!("{root}/exports/bin/{id}");
                let mut found = Self::browser(browser, path, executable);
                found.via = Some("flatpak".to_owned());
                found.package = Some(id.clone());
                found.user_data_dir = self.dir_of(browser, DirKind::Flatpak);
                self.found.push(found);
            }
            if let Some(name) = &linux.snap
                && let Some(found) = self.snap(browser, name)
            {
                self.found.push(found);
            }
            // Files that start programs, where nothing else told of one.
            if self.found.len() == known
                && on_path == Known::Absent
                && let Some(program) = self.program_of_desktop_files(linux)
            {
                let found = self.plain(browser, linux, program);
                self.found.extend(found);
            }
        }
    }

    /// The folders of flatpaks, and what is in each.
    fn flatpak_roots(&mut self) -> Vec<(String, Vec<String>)> {
        let own = self
            .machine
            .home
            .as_deref()
            .map(|home| self.places.join(home, &OWN_FLATPAKS));
        let roots = [Some(FLATPAKS.to_owned()), own].into_iter().flatten();
        roots
            .filter_map(|root| {
                let names = self.look.dirs(&format!("{root}/app"), false).value()?;
                Some((root, names.into_iter().map(str::to_owned).collect()))
            })
            .collect()
    }

    fn dir_of(&self, browser: &Browser, kind: DirKind) -> Option<String> {
        let dirs = self.places.known_dirs_of(browser);
        let of_kind = dirs.into_iter().find(|dir| dir.kind == kind);
        of_kind.map(|dir| dir.path)
    }

    /// The first of a browser's programs that is on the search path and is no snap.
    fn on_path(&mut self, linux: &Linux) -> Known<String> {
        let mut found = Known::Absent;
        let mut pending = false;
        for name in &linux.bins {
            match self.look.which(name) {
                Known::Is(path) if !path.starts_with(SNAP_PROGRAMS) => {
                    if found == Known::Absent {
                        found = Known::Is(path.to_owned());
                    }
                }
                Known::Pending => pending = true,
                Known::Is(_) | Known::Absent | Known::Denied => {}
            }
        }
        match pending {
            true => Known::Pending,
            false => found,
        }
    }

    /// An entry for a program of the system.
    fn plain(&mut self, browser: &Browser, linux: &Linux, executable: String) -> Option<Installed> {
        let path = match self.look.canonical(&executable, false) {
            Known::Is(path) => path.to_owned(),
            _ => executable.clone(),
        };
        // A link into the snaps is the snap.
        if path.starts_with("/snap/") {
            return None;
        }
        let mut found = Self::browser(browser, path, executable);
        found.version = self.version_of_package(linux);
        found.user_data_dir = self.dir_of(browser, DirKind::Plain);
        Some(found)
    }

    fn version_of_package(&mut self, linux: &Linux) -> Option<String> {
        let mut versions = linux
            .debs
            .iter()
            .map(|name| self.look.package_version("deb", name).value());
        let version = versions.find_map(|version| version);
        // Every question is asked in one round.
        let _ = versions.count();
        upstream_version(version?).map(str::to_owned)
    }

    fn program_of_desktop_files(&mut self, linux: &Linux) -> Option<String> {
        let home = self.machine.home.as_deref();
        let folders = APPLICATIONS.iter().filter_map(|folder| {
            Some(match folder.strip_prefix('~') {
                Some(below) => format!("{}{below}", home?.trim_end_matches('/')),
                None => (*folder).to_owned(),
            })
        });
        let folders: Vec<String> = folders.collect();
        let mut programs = Vec::new();
        for id in &linux.desktop_ids {
            for folder in &folders {
                let file = format!("{folder}/{id}.desktop");
                if let Known::Is(text) = self.look.text(&file, false)
                    && let Some(program) = program_of(text)
                {
                    programs.push(program.to_owned());
                }
            }
        }
        let mut found = None;
        for program in programs {
            let path = match program.starts_with('/') {
                true => self.look.exists(&program).value().map(|()| program),
                false => self.look.which(&program).value().map(str::to_owned),
            };
            found = found.or(path);
        }
        found
    }

    fn snap(&mut self, browser: &Browser, name: &str) -> Option<Installed> {
        let snaps = self.look.dirs(SNAPS, false).value()?;
        if !snaps.contains(&name) {
            return None;
        }
        let path = format!("{SNAPS}/{name}/current");
        let meta = self
            .look
            .text(&format!("{path}/meta/snap.yaml"), false)
            .value()?;
        let executable = format!("{SNAP_PROGRAMS}/{name}");
        let mut found = Self::browser(browser, path, executable);
        found.version = yaml_text(meta, "version");
        found.via = Some("snap".to_owned());
        found.package = Some(name.to_owned());
        found.user_data_dir = self.dir_of(browser, DirKind::Snap);
        Some(found)
    }
}

/// The upstream part of a Debian version: no epoch, no revision.
fn upstream_version(version: &str) -> Option<&str> {
    let version = version.split_once(':').map_or(version, |(_, rest)| rest);
    let version = version.rsplit_once('-').map_or(version, |(rest, _)| rest);
    Some(version.trim()).filter(|version| !version.is_empty())
}

/// The program that a `.desktop` file starts: the first word of `Exec` in its main group, behind
/// `env` and what that sets. One that another program starts is found where that keeps it.
fn program_of(text: &str) -> Option<&str> {
    let mut lines = text
        .lines()
        .skip_while(|line| line.trim() != "[Desktop Entry]");
    lines.next()?;
    let line = lines
        .take_while(|line| !line.starts_with('['))
        .find_map(|line| line.strip_prefix("Exec")?.trim_start().strip_prefix('='))?;
    let mut rest = line.trim();
    let mut behind_env = false;
    loop {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        let base = word.rsplit('/').next()?;
        rest = after.trim_start();
        match base {
            "env" => behind_env = true,
            _ if behind_env && word.contains('=') => {}
            "flatpak" | "snap" | "sh" | "bash" | "" => return None,
            _ => {
                let is_program = !word.starts_with('%') && !word.starts_with("/snap/");
                return is_program.then_some(word);
            }
        }
    }
}

/// A plain text of the top level of a YAML document.
fn yaml_text(text: &str, name: &str) -> Option<String> {
    let value = text
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?
        .trim();
    let value = ['"', '\'']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or_else(|| value.split(" #").next().unwrap_or_default().trim());
    (!value.is_empty()).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debian_version_loses_epoch_and_revision() {
        assert_eq!(
            upstream_version("1:154.0.8037.98-1~deb12u1"),
            Some("154.0.8037.98")
        );
        assert_eq!(upstream_version("154.0"), Some("154.0"));
        assert_eq!(upstream_version(""), None);
    }

    #[test]
    fn the_program_of_a_desktop_file_is_its_first_word() {
        let of = |line: &str| {
            let text = format!(
                "[Other]\nExec=/wrong\n[Desktop Entry]\nName=x\n{line}\n[Action]\nExec=/wrong\n"
            );
            program_of(&text).map(str::to_owned)
        };
        assert_eq!(of("Exec=/opt/x/x %U").as_deref(), Some("/opt/x/x"));
        assert_eq!(
            of("Exec = \"/opt/my x/x\" %U").as_deref(),
            Some("/opt/my x/x")
        );
        assert_eq!(of("Exec=env A=b C=d /opt/x %U").as_deref(), Some("/opt/x"));
        for other in [
            "Exec=/usr/bin/flatpak run x",
            "Exec=env A=b /snap/bin/x",
            "Exec=",
            "ExecX=y",
            "",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn a_snap_says_its_version() {
        assert_eq!(
            yaml_text("name: x\nversion: '154.0'\n", "version"),
            Some("154.0".into())
        );
        assert_eq!(yaml_text("version: 1.2 # x", "version"), Some("1.2".into()));
        assert_eq!(yaml_text("name: x", "version"), None);
    }
}
