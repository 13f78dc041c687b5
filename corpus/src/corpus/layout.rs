//! Where the directories of a fake machine are, and the tokens that stand for them.

use crate::{Catalog, Location};

/// Directories of a machine, by the rules of a catalog. Paths have the separator of `os`, whatever
/// system this runs on.
pub struct Layout<'a> {
    /// `darwin`, `linux` or `windows`.
    pub os: &'a str,
    /// Home directory.
    pub home: &'a str,
    /// The environment, as a case gives it: a value may start with `{home}`.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// The rules.
    pub catalog: &'a Catalog,
}

/// Which values of its variable a location accepts besides being not empty.
#[derive(Clone, Copy, PartialEq)]
enum Env {
    Any,
    Absolute,
}

impl Layout<'_> {
    /// Joins parts with the separator of the system. Separators at their ends do not count, and empty
    /// parts after the first are left out.
    #[must_use]
    pub fn join(&self, parts: &[&str]) -> String {
        let separator = if self.windows() { '\\' } else { '/' };
        let mut path = String::new();
        for (index, part) in parts.iter().enumerate() {
            let part = if self.windows() {
                part.replace('/', "\\")
            } else {
                (*part).to_owned()
            };
            let part = part.trim_end_matches(separator);
            if index == 0 {
                path.push_str(part);
                continue;
            }
            let part = part.trim_start_matches(separator);
            if !part.is_empty() {
                path.push(separator);
                path.push_str(part);
            }
        }
        path
    }

    /// The config directory.
    #[must_use]
    pub fn config(&self) -> String {
        let platforms = &self.catalog.platforms;
        match self.os {
            "darwin" => self.locate(&platforms.macos.config, Env::Any),
            "windows" => self.locate(&platforms.windows.config, Env::Any),
            _ => self.locate(&platforms.linux.config, Env::Absolute),
        }
    }

    /// Root of seven's profiles.
    #[must_use]
    pub fn seven_profiles(&self) -> String {
        self.below(&self.config(), &self.catalog.profiles.root)
    }

    /// Root of six's profiles.
    #[must_use]
    pub fn six_profiles(&self) -> String {
        let roots = &self.catalog.profiles.six.roots;
        let root = match self.os {
            "darwin" => &roots.macos,
            "windows" => &roots.windows,
            _ => &roots.linux,
        };
        self.below(&self.locate(&root.base, Env::Any), &root.path)
    }

    /// A root of Windows by its name in the catalog; empty for an unknown name.
    #[must_use]
    pub fn windows_root(&self, name: &str) -> String {
        let root = self.catalog.platforms.windows.roots.get(name);
        root.map(|location| self.locate(location, Env::Any))
            .unwrap_or_default()
    }

    /// The default user-data directories of a browser; on Linux also those of its flatpak and snap.
    #[must_use]
    pub fn user_data_dirs(&self, id: &str) -> Vec<String> {
        let Some(browser) = self.catalog.browser(id) else {
            return Vec::new();
        };
        match self.os {
            "darwin" => {
                let dir = &browser.macos.data_dir;
                let known = (!dir.is_empty()).then(|| self.below(&self.config(), dir));
                known.into_iter().collect()
            }
            "windows" => {
                let windows = browser
                    .windows
                    .iter()
                    .filter(|windows| !windows.data_dir.is_empty());
                let dir = |windows: &crate::Windows| {
                    self.below(&self.windows_root(&windows.data_root), &windows.data_dir)
                };
                windows.map(dir).collect()
            }
            _ => browser
                .linux
                .as_ref()
                .map(|linux| self.linux_dirs(linux))
                .unwrap_or_default(),
        }
    }

    fn linux_dirs(&self, linux: &crate::Linux) -> Vec<String> {
        let mut dirs = Vec::new();
        if !linux.config_dir.is_empty() {
            dirs.push(self.below(&self.config(), &linux.config_dir));
            if let Some(flatpak) = &linux.flatpak {
                let config = self.join(&[self.home, ".var", "app", flatpak, "config"]);
                dirs.push(self.below(&config, &linux.config_dir));
            }
        }
        if let Some(snap) = &linux.snap
            && !linux.snap_data_dir.is_empty()
        {
            let common = self.join(&[self.home, "snap", snap, "common"]);
            dirs.push(self.below(&common, &linux.snap_data_dir));
        }
        dirs
    }

    /// The directory that a token stands for; none for an unknown one, and for a browser without a
    /// default user-data directory here.
    #[must_use]
    pub fn token(&self, name: &str) -> Option<String> {
        match name {
            "home" => Some(self.home.to_owned()),
            "config" => Some(self.config()),
            "sevenProfiles" => Some(self.seven_profiles()),
            "sixProfiles" => Some(self.six_profiles()),
            _ => {
                let id = name.strip_prefix("userData:")?;
                self.user_data_dirs(id).into_iter().next()
            }
        }
    }

    /// Replaces each `{token}` and the path after it, up to white space, a quote or a comma, by a path
    /// of the system. What is no token stays.
    #[must_use]
    pub fn expand(&self, text: &str) -> String {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            expanded.push_str(before);
            let token = after.split_once('}');
            let known = token.and_then(|(name, tail)| Some((self.token(name)?, tail)));
            let Some((base, tail)) = known else {
                expanded.push('{');
                rest = after;
                continue;
            };
            let end = tail.find(ends_path).unwrap_or(tail.len());
            let (path, next) = tail.split_at(end);
            if path.is_empty() {
                expanded.push_str(&base);
            } else {
                expanded.push_str(&self.join(&[&base, path]));
            }
            rest = next;
        }
        expanded.push_str(rest);
        expanded
    }

    fn windows(&self) -> bool {
        self.os == "windows"
    }

    fn locate(&self, location: &Location, accepted: Env) -> String {
        let value = location.env.as_deref().and_then(self.env);
        let value = value.map(|value| match value.strip_prefix("{home}") {
            Some(path) => self.join(&[self.home, path]),
            None => value,
        });
        let value = value.filter(|value| match accepted {
            Env::Any => !value.is_empty(),
            Env::Absolute => value.starts_with('/'),
        });
        value
            .or_else(|| location.absolute.clone())
            .unwrap_or_else(|| self.below(self.home, &location.home))
    }

    fn below(&self, base: &str, path: &[String]) -> String {
        let parts: Vec<&str> = std::iter::once(base)
            .chain(path.iter().map(String::as_str))
            .collect();
        self.join(&parts)
    }
}

fn ends_path(letter: char) -> bool {
    letter.is_ascii_whitespace() || matches!(letter, '"' | '\'' | ',')
}
