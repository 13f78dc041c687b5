//! Where things are on the machine that is looked at. Paths are text with that machine's
//! separator: this code may run on another, or on none.

use sr_browsers::{Catalog, Location};

use crate::machine::{Machine, Os};

/// A profile folder of a browser that the catalog knows.
#[derive(Debug, Clone)]
pub(crate) struct KnownDir<'c> {
    pub(crate) browser: &'c sr_browsers::Browser,
    pub(crate) path: String,
    pub(crate) kind: DirKind,
}

/// Through which package system a folder comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DirKind {
    Plain,
    Flatpak,
    Snap,
}

/// The places of a machine.
pub(crate) struct Places<'m> {
    machine: &'m Machine,
    catalog: &'m Catalog,
}

impl<'m> Places<'m> {
    pub(crate) fn new(machine: &'m Machine, catalog: &'m Catalog) -> Self {
        Self { machine, catalog }
    }

    pub(crate) fn join<T: AsRef<str>>(&self, base: &str, parts: &[T]) -> String {
        join(self.machine.os, base, parts)
    }

    fn home(&self, parts: &[String]) -> Option<String> {
        let home = self
            .machine
            .home
            .as_deref()
            .filter(|home| !home.is_empty())?;
        Some(self.join(home, parts))
    }

    /// `$ENV`, else an absolute path, else a path below the home.
    fn location(&self, location: &Location, absolute_only: bool) -> Option<String> {
        let named = location.env.as_deref();
        let value = named.and_then(|name| self.machine.var(name));
        if let Some(value) = value.filter(|value| !absolute_only || value.starts_with('/')) {
            return Some(value.to_owned());
        }
        match &location.absolute {
            Some(path) => Some(path.clone()),
            None => self.home(&location.home),
        }
    }

    pub(crate) fn config(&self) -> Option<String> {
        let platforms = &self.catalog.platforms;
        match self.machine.os {
            Os::Darwin => self.location(&platforms.macos.config, false),
            Os::Windows => self.location(&platforms.windows.config, false),
            Os::Linux => self.location(&platforms.linux.config, true),
        }
    }

    /// A root of Windows, such as `PROGRAMFILES`.
    pub(crate) fn windows_root(&self, name: &str) -> Option<String> {
        let location = self.catalog.platforms.windows.roots.get(name)?;
        self.location(location, false)
    }

    /// The folder of six's profiles.
    pub(crate) fn six_root(&self) -> Option<String> {
        let roots = &self.catalog.profiles.six.roots;
        let root = match self.machine.os {
            Os::Darwin => &roots.macos,
            Os::Linux => &roots.linux,
            Os::Windows => &roots.windows,
        };
        let base = self.location(&root.base, false)?;
        Some(self.join(&base, &root.path))
    }

    /// The folder that six was told to use.
    pub(crate) fn six_dir_of_env(&self) -> Option<String> {
        let name = &self.catalog.profiles.six.user_data_dir_env;
        let value = self.machine.env.get(name)?.trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    /// The roots of seven's profiles: in the configuration, and in each snap's own home.
    pub(crate) fn seven_roots(&self) -> Vec<String> {
        let profiles = &self.catalog.profiles;
        let config = self.config();
        let mut roots: Vec<String> = config
            .iter()
            .map(|config| self.join(config, &profiles.root))
            .collect();
        if self.machine.os == Os::Linux {
            let snaps = self.catalog.browsers.iter().filter_map(|browser| {
                let snap = browser.linux.as_ref()?.snap.as_ref()?;
                let common = self.snap_home(snap)?;
                Some(self.join(&common, &profiles.snap_root))
            });
            roots.extend(snaps);
        }
        roots.dedup();
        roots
    }

    fn snap_home(&self, snap: &str) -> Option<String> {
        self.home(&["snap".to_owned(), snap.to_owned(), "common".to_owned()])
    }

    /// The profile folders of one browser: its own, then a flatpak's, then a snap's.
    pub(crate) fn known_dirs_of(&self, browser: &'m sr_browsers::Browser) -> Vec<KnownDir<'m>> {
        let mut found = Vec::new();
        let mut add = |path: Option<String>, kind| {
            found.extend(path.map(|path| KnownDir {
                browser,
                path,
                kind,
            }));
        };
        match self.machine.os {
            Os::Darwin => {
                let parts = &browser.macos.data_dir;
                if !parts.is_empty() {
                    let config = self.config();
                    add(config.map(|base| self.join(&base, parts)), DirKind::Plain);
                }
            }
            Os::Windows => {
                if let Some(windows) = browser.windows.as_ref().filter(|w| !w.data_dir.is_empty()) {
                    let root = self.windows_root(&windows.data_root);
                    let path = root.map(|base| self.join(&base, &windows.data_dir));
                    add(path, DirKind::Plain);
                }
            }
            Os::Linux => {
                let Some(linux) = &browser.linux else {
                    return found;
                };
                if !linux.config_dir.is_empty() {
                    let config = self.config();
                    let path = config.map(|base| self.join(&base, &linux.config_dir));
                    add(path, DirKind::Plain);
                    if let Some(app) = &linux.flatpak {
                        let parts = [".var", "app", app, "config"].map(str::to_owned);
                        let path = self.home(&parts);
                        let path = path.map(|base| self.join(&base, &linux.config_dir));
                        add(path, DirKind::Flatpak);
                    }
                }
                if let Some(snap) = &linux.snap
                    && !linux.snap_data_dir.is_empty()
                {
                    let path = self.snap_home(snap);
                    let path = path.map(|base| self.join(&base, &linux.snap_data_dir));
                    add(path, DirKind::Snap);
                }
            }
        }
        found
    }

    /// The profile folders of all browsers, in the catalog's order.
    pub(crate) fn known_dirs(&self) -> Vec<KnownDir<'m>> {
        let browsers = self.catalog.browsers.iter();
        browsers
            .flat_map(|browser| self.known_dirs_of(browser))
            .collect()
    }
}

/// Puts a path together with the separator of a system.
pub(crate) fn join<T: AsRef<str>>(os: Os, base: &str, parts: &[T]) -> String {
    let separator = match os {
        Os::Windows => '\\',
        _ => '/',
    };
    let mut path = base.trim_end_matches(['/', separator]).to_owned();
    for part in parts {
        path.push(separator);
        path.push_str(part.as_ref());
    }
    path
}

/// Whether two texts name the same place: letters of either case, separators of either kind.
pub(crate) fn same_place(one: &str, other: &str) -> bool {
    folded(one) == folded(other)
}

/// A path as it is compared: no matter of case, of separators, or of one at its end.
pub(crate) fn folded(path: &str) -> String {
    path.trim_end_matches(['/', '\\'])
        .chars()
        .map(|character| match character {
            '\\' => '/',
            other => other,
        })
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether some segments stand one after another in a path, in either case.
pub(crate) fn has_segments(path: &str, wanted: &[String]) -> bool {
    let segments: Vec<&str> = path
        .split(['/', '\\'])
        .filter(|part| !part.is_empty())
        .collect();
    let same = |(one, other): (&&str, &String)| one.to_lowercase() == other.to_lowercase();
    !wanted.is_empty()
        && segments
            .windows(wanted.len())
            .any(|window| window.iter().zip(wanted).all(same))
}
