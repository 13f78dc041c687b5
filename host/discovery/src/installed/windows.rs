//! Windows: known folders, then what the registry says.

use sr_browsers::Browser;

use super::Scan;
use crate::look::Known;
use crate::places::folded;
use crate::report::Installed;

impl Scan<'_, '_, '_> {
    pub(super) fn windows(&mut self) {
        let core = self.core;
        let registered = self.start_menu();
        let app_paths = self.app_paths();
        for browser in &core.catalog.browsers {
            let in_folder = self.in_known_folder(browser);
            let by_name = registered
                .iter()
                .find(|(id, _)| id == &browser.id)
                .map(|(_, path)| path.clone());
            let by_path = app_paths
                .iter()
                .find(|(id, _)| id == &browser.id)
                .map(|(_, path)| path.clone());
            if let Some(path) = in_folder.or(by_name).or(by_path) {
                let found = self.windows_entry(browser, path);
                self.found.push(found);
            }
        }
    }

    fn windows_entry(&self, browser: &Browser, path: String) -> Installed {
        let mut found = Self::browser(browser, path.clone(), path);
        let dirs = self.places.known_dirs_of(browser);
        found.user_data_dir = dirs.into_iter().next().map(|dir| dir.path);
        found
    }

    fn in_known_folder(&mut self, browser: &Browser) -> Option<String> {
        let windows = browser.windows.as_ref()?;
        let mut found = None;
        for root in &windows.roots {
            let Some(base) = self.places.windows_root(root) else {
                continue;
            };
            for executable in &windows.executables {
                let path = self.places.join(&base, executable);
                if let Known::Is(()) = self.look.exists(&path) {
                    found = found.or(Some(path));
                }
            }
        }
        found
    }

    /// Browsers that registered themselves for the start menu: id and program.
    fn start_menu(&mut self) -> Vec<(String, String)> {
        let core = self.core;
        let registry = &core.catalog.platforms.windows.registry;
        let mut found = Vec::new();
        for hive in &registry.hives {
            for menu in &registry.start_menu_internet {
                let key = format!("{hive}\\{menu}");
                for name in self.look.registry_keys(&key).value().unwrap_or_default() {
                    let Some(browser) = core
                        .catalog
                        .browsers
                        .iter()
                        .find(|browser| is_registered_as(browser, name))
                    else {
                        continue;
                    };
                    let command = format!("{key}\\{name}\\{}", registry.open_command);
                    let Some(command) = self.look.registry_value(&command).value() else {
                        continue;
                    };
                    if let Some(program) = program_of(command)
                        && let Known::Is(()) = self.look.exists(program)
                    {
                        found.push((browser.id.clone(), program.to_owned()));
                    }
                }
            }
        }
        found
    }

    /// Browsers of the list of programs that have a path: id and program.
    fn app_paths(&mut self) -> Vec<(String, String)> {
        let core = self.core;
        let registry = &core.catalog.platforms.windows.registry;
        let mut found = Vec::new();
        for hive in &registry.hives {
            for name in &registry.app_path_names {
                let key = format!("{hive}\\{}\\{name}", registry.app_paths);
                let Some(value) = self.look.registry_value(&key).value() else {
                    continue;
                };
                let Some(program) = program_of(value) else {
                    continue;
                };
                if let Known::Is(()) = self.look.exists(program)
                    && let Some(browser) = self.browser_of(program)
                {
                    found.push((browser.id.clone(), program.to_owned()));
                }
            }
        }
        found
    }

    /// Whose program it is: by its last folders, else by its name alone.
    fn browser_of(&self, program: &str) -> Option<&Browser> {
        let program = folded(program);
        let ends = |parts: &[String]| program.ends_with(&format!("/{}", folded(&parts.join("/"))));
        let browsers = || self.core.catalog.browsers.iter();
        let is_whole = |browser: &&Browser| {
            let windows = browser.windows.as_ref();
            windows.is_some_and(|windows| windows.executables.iter().any(|parts| ends(parts)))
        };
        let is_named = |browser: &&Browser| {
            let windows = browser.windows.as_ref();
            windows.is_some_and(|windows| {
                let mut executables = windows.executables.iter();
                executables.any(|parts| {
                    parts
                        .last()
                        .is_some_and(|last| ends(std::slice::from_ref(last)))
                })
            })
        };
        browsers()
            .find(is_whole)
            .or_else(|| browsers().find(is_named))
    }
}

/// Whether a key of the start menu is a browser's: its name, or its name and a mark of the user.
fn is_registered_as(browser: &Browser, key: &str) -> bool {
    let key = key.to_lowercase();
    browser.windows.as_ref().is_some_and(|windows| {
        windows.start_menu_internet.iter().any(|name| {
            let rest = key.strip_prefix(&name.to_lowercase());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    })
}

/// The program of a command line: a text in quotes, or all up to `.exe`.
fn program_of(command: &str) -> Option<&str> {
    let command = command.trim();
    let program = match command.strip_prefix('"') {
        Some(rest) => rest.split('"').next()?,
        None => {
            let end = command.to_ascii_lowercase().find(".exe")? + ".exe".len();
            command.get(..end)?
        }
    };
    (!program.is_empty()).then_some(program)
}

#[cfg(test)]
mod tests {
    use super::program_of;

    #[test]
    fn the_program_of_a_command_may_hold_spaces() {
        for command in [
            r#""C:\Program Files\X\x.exe""#,
            r#""C:\Program Files\X\x.exe" --flag"#,
            r"C:\Program Files\X\x.exe --flag",
        ] {
            assert_eq!(program_of(command), Some(r"C:\Program Files\X\x.exe"));
        }
        assert_eq!(program_of(""), None);
        assert_eq!(program_of(r#""""#), None);
    }
}
