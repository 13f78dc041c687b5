//! macOS: application bundles.

use super::Scan;
use crate::ask::Bundle;
use crate::report::Installed;

impl Scan<'_, '_, '_> {
    pub(super) fn macos(&mut self) {
        let Some(bundles) = self.look.bundles().value() else {
            return;
        };
        let mut bundles: Vec<&Bundle> = bundles.iter().collect();
        // Of several copies of a browser one is listed: where it belongs, before anywhere else.
        bundles.sort_by_key(|bundle| (self.distance(bundle), bundle.path.clone()));
        bundles.dedup_by(|one, other| one.path == other.path);
        for bundle in bundles {
            match self.of_catalog(bundle) {
                Some(found) if self.found.iter().any(|known| known.id == found.id) => {}
                Some(found) => self.found.push(found),
                None => {
                    let app = self.electron(bundle);
                    self.found.extend(app);
                }
            }
        }
    }

    /// How far a bundle is from where its browser belongs.
    fn distance(&self, bundle: &Bundle) -> u8 {
        let browsers = &self.core.catalog.browsers;
        let browser = browsers
            .iter()
            .find(|browser| browser.macos.bundle_id == bundle.id);
        let app = browser.map_or("", |browser| browser.macos.app.as_str());
        let own = self.machine.home.as_deref();
        let own = own.map(|home| self.places.join(home, &["Applications", app]));
        match bundle.path.as_str() {
            path if path == self.places.join("/Applications", &[app]) => 0,
            path if Some(path) == own.as_deref() => 1,
            _ => 2,
        }
    }

    fn of_catalog(&self, bundle: &Bundle) -> Option<Installed> {
        let browsers = &self.core.catalog.browsers;
        let browser = browsers
            .iter()
            .find(|browser| browser.macos.bundle_id == bundle.id)?;
        let executable = self.executable(bundle, &browser.macos.executable);
        let mut found = Self::browser(browser, bundle.path.clone(), executable);
        found.version = bundle.version.clone();
        found.bundle_id = Some(bundle.id.clone());
        let dirs = self.places.known_dirs_of(browser);
        found.user_data_dir = dirs.into_iter().next().map(|dir| dir.path);
        Some(found)
    }

    fn electron(&self, bundle: &Bundle) -> Option<Installed> {
        let rules = &self.core.catalog.electron;
        let known = rules
            .macos_apps
            .iter()
            .find(|app| app.bundle_id == bundle.id);
        if known.is_none() && !bundle.electron {
            return None;
        }
        let name = known.map_or(bundle.name.as_str(), |app| &app.name);
        let is_blocked = rules.debug_blocked.iter().any(|blocked| blocked == name);
        Some(Installed {
            id: format!("{}{}", rules.id_prefix, slug(name)),
            name: name.to_owned(),
            engine: "electron".to_owned(),
            channel: None,
            version: bundle.version.clone(),
            path: bundle.path.clone(),
            executable: self.executable(bundle, ""),
            bundle_id: Some(bundle.id.clone()),
            via: None,
            package: None,
            user_data_dir: None,
            debug_support: match is_blocked {
                true => "disabled",
                false => "unknown",
            }
            .to_owned(),
            debug_build: false,
        })
    }

    /// The program in a bundle: the one it names itself, else the catalog's.
    fn executable(&self, bundle: &Bundle, fallback: &str) -> String {
        let name = match bundle.executable.as_str() {
            "" => fallback,
            named => named,
        };
        self.places.join(&bundle.path, &["Contents", "MacOS", name])
    }
}

/// A name in lower case, with one `-` for each run of anything but letters and digits.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for character in name.to_lowercase().chars() {
        match character.is_ascii_alphanumeric() {
            true => slug.push(character),
            false if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            false => {}
        }
    }
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn a_slug_is_plain() {
        for (name, plain) in [
            ("Visual Studio Code", "visual-studio-code"),
            ("1Password", "1password"),
            ("  A  & B! ", "a-b"),
        ] {
            assert_eq!(slug(name), plain);
        }
    }
}
