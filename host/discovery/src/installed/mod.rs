//! Browsers that are installed: what the catalog says to look for, system by system.

mod linux;
mod macos;
mod windows;

use std::cmp::Ordering;

use sr_browsers::Browser;

use crate::core::Core;
use crate::explain::{Notes, Outcome};
use crate::look::Look;
use crate::machine::{Machine, Os, Source};
use crate::places::Places;
use crate::report::{Entry, Installed, What};

/// The installed browsers, in no order yet.
pub(crate) fn all(
    core: &Core,
    machine: &Machine,
    look: &mut Look<'_>,
    notes: &mut Notes,
) -> Vec<Entry> {
    if !machine.options.uses(Source::Installed) {
        return Vec::new();
    }
    let found = match &machine.installed {
        Some(given) => given.clone(),
        None => {
            let mut scan = Scan {
                core,
                machine,
                places: Places::new(machine, &core.catalog),
                look,
                found: Vec::new(),
            };
            match machine.os {
                Os::Darwin => scan.macos(),
                Os::Linux => scan.linux(),
                Os::Windows => scan.windows(),
            }
            scan.found
        }
    };
    found
        .into_iter()
        .filter_map(|installed| entry(core, installed, notes))
        .collect()
}

/// A search for installed browsers.
struct Scan<'s, 'f, 'c> {
    core: &'c Core,
    machine: &'c Machine,
    places: Places<'c>,
    look: &'s mut Look<'f>,
    found: Vec<Installed>,
}

impl Scan<'_, '_, '_> {
    /// An entry for a browser of the catalog.
    fn browser(browser: &Browser, path: String, executable: String) -> Installed {
        Installed {
            id: browser.id.clone(),
            name: browser.name.clone(),
            engine: browser.engine.clone(),
            channel: Some(browser.channel.clone()).filter(|channel| !channel.is_empty()),
            version: None,
            path,
            executable,
            bundle_id: None,
            via: None,
            package: None,
            user_data_dir: None,
            debug_support: "supported".to_owned(),
            debug_build: false,
        }
    }
}

fn entry(core: &Core, installed: Installed, notes: &mut Notes) -> Option<Entry> {
    let catalog = &core.catalog;
    let known = catalog.browser(&installed.id);
    let place = &installed.executable;
    if let Some(version) = &installed.version
        && known.is_some_and(|browser| browser.chromium_version)
        && let Some(major) = leading_number(version)
        && major < u64::from(catalog.min_chromium_major)
    {
        let detail = format!(
            "Chromium {major}, listed from {} on",
            catalog.min_chromium_major
        );
        notes.tell(Source::Installed, place, Outcome::TooOld, detail);
        return None;
    }
    notes.add(Source::Installed, place, Outcome::Listed);
    let tiers = &catalog.rank.tiers;
    Some(Entry {
        id: installed.id.clone(),
        kind: "installed",
        tier: match installed.engine.as_str() {
            "electron" => tiers.electron,
            _ if installed.id == catalog.rank.chrome_id => tiers.chrome,
            _ => tiers.chromium,
        },
        name: installed.name.clone(),
        version: installed.version.clone(),
        what: What::Installed(installed),
    })
}

fn leading_number(version: &str) -> Option<u64> {
    let end = version
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(version.len());
    version.get(..end)?.parse().ok()
}

/// The order of installed browsers in one tier: Chromium browsers as the catalog has them,
/// applications by name.
pub(crate) fn order(core: &Core, one: &Installed, other: &Installed) -> Ordering {
    let place = |installed: &Installed| match installed.engine.as_str() {
        "electron" => (usize::MAX, installed.name.to_lowercase()),
        _ => (core.catalog.priority(&installed.id), String::new()),
    };
    place(one)
        .cmp(&place(other))
        .then_with(|| one.id.cmp(&other.id))
        .then_with(|| one.path.cmp(&other.path))
}
