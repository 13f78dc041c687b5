//! One plugin of the ancestor: its folder, manifest and scripts.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::found::{FoundPlugin, Origin};
use super::lock::Recorded;
use super::registration::{self, AUTH, HOOKS, Registered};
use super::value::text;
use super::{files, needs, script, value};

const MANIFEST: &str = "opencli-plugin.json";
/// Where the ancestor keeps the clones that its links lead into, beside the plugins.
const CLONES: &str = "monorepos";
/// Bytes of one script that is read.
const SCRIPT_BYTES: usize = 1024 * 1024;
/// Bytes of the scripts of all plugins that are read.
pub(super) const ALL_SCRIPT_BYTES: usize = 16 * 1024 * 1024;
/// Scripts of one plugin that are read.
const MOST_SCRIPTS: usize = 100;
/// Entries of a plugin's folder that are looked at.
const MOST_ENTRIES: usize = 4_096;
/// Characters of a commit that stand for a version.
const SHORT_COMMIT: usize = 7;

/// Reads one plugin, or says why its entry is none.
pub(super) fn read(
    plugins: &Path,
    name: &OsStr,
    recorded: Option<&Recorded>,
    room: &mut usize,
) -> Result<FoundPlugin, String> {
    let path = plugins.join(name);
    let shown = name.to_string_lossy().into_owned();
    let place = place(plugins, &path, recorded).map_err(|why| format!("{shown}: {why}"))?;
    let folder = Dir::open_ambient_dir(&place, ambient_authority())
        .map_err(|error| format!("{shown}: {error}"))?;
    let mut plugin = FoundPlugin {
        name: shown,
        path: place,
        origin: recorded.and_then(|recorded| recorded.origin.clone()),
        ..FoundPlugin::default()
    };
    if let Some(manifest) = value::read(&folder, MANIFEST, &mut plugin.problems) {
        plugin.version = text(&manifest, "version");
        plugin.description = text(&manifest, "description");
    }
    if plugin.version.is_none() {
        plugin.version = recorded
            .and_then(|recorded| recorded.commit.as_deref())
            .map(|commit| commit.chars().take(SHORT_COMMIT).collect());
    }
    let registered = scripts(&folder, &mut plugin, room);
    needs::tell(&mut plugin, &registered);
    Ok(plugin)
}

/// The folder behind an entry. The ancestor links into its own clones and to folders of the
/// person's own, which it records; any other link is not followed.
fn place(plugins: &Path, path: &Path, recorded: Option<&Recorded>) -> Result<PathBuf, String> {
    let metadata = path.symlink_metadata().map_err(|error| error.to_string())?;
    if metadata.is_dir() {
        return Ok(path.to_owned());
    }
    if !metadata.is_symlink() {
        return Err("not a folder".to_owned());
    }
    let real = path
        .canonicalize()
        .map_err(|error| format!("its link leads nowhere: {error}"))?;
    if !real.is_dir() {
        return Err("its link does not lead to a folder".to_owned());
    }
    let clones = plugins.parent().map(|around| around.join(CLONES));
    let in_clones = clones
        .and_then(|clones| clones.canonicalize().ok())
        .is_some_and(|clones| real.starts_with(clones));
    let own = match recorded.and_then(|recorded| recorded.origin.as_ref()) {
        Some(Origin::Local { path }) => Path::new(path).canonicalize().is_ok_and(|own| own == real),
        _ => false,
    };
    match in_clones || own {
        true => Ok(real),
        false => Err(format!(
            "a link that the lock does not record is not followed: {}",
            real.display()
        )),
    }
}

/// Reads the scripts that lie flat in the folder, as the ancestor loads them.
fn scripts(folder: &Dir, plugin: &mut FoundPlugin, room: &mut usize) -> Registered {
    let mut all = Registered::default();
    let mut names = Vec::new();
    let mut sources = 0;
    match folder.entries() {
        Err(error) => plugin.problems.push(format!("its folder: {error}")),
        Ok(entries) => {
            for entry in entries.take(MOST_ENTRIES).flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.ends_with(".js") {
                    names.push(name);
                } else if name.ends_with(".ts") && !name.ends_with(".d.ts") {
                    sources += 1;
                }
            }
        }
    }
    names.sort_unstable();
    if names.len() > MOST_SCRIPTS {
        plugin.problems.push(format!(
            "{} scripts; the first {MOST_SCRIPTS} are read",
            names.len()
        ));
        names.truncate(MOST_SCRIPTS);
    }
    if names.is_empty() && sources > 0 {
        plugin.problems.push(format!(
            "{sources} .ts files and no .js file: the ancestor never transpiled them, and they are not read"
        ));
    }
    for name in names {
        if *room == 0 {
            plugin.problems.push(format!(
                "more than {ALL_SCRIPT_BYTES} bytes of scripts in all plugins; the rest is not read, from: {name}"
            ));
            break;
        }
        let bytes = match files::read(folder, &name, SCRIPT_BYTES) {
            Ok(bytes) => bytes,
            Err(why) => {
                plugin.problems.push(format!("{name} is not read: {why}"));
                continue;
            }
        };
        *room = room.saturating_sub(bytes.len());
        let text = String::from_utf8_lossy(&bytes);
        if !registers(&text) {
            continue;
        }
        let found = registration::read(&name, &script::tokens(&text));
        for line in found.unreadable {
            plugin.problems.push(format!(
                "{name}:{line}: a registration that is not readable without running it"
            ));
        }
        plugin.commands.extend(found.commands);
        all.auth |= found.auth;
        all.evaluates |= found.evaluates;
        for hook in found.hooks {
            if !all.hooks.contains(&hook) {
                all.hooks.push(hook);
            }
        }
    }
    all
}

/// The ancestor's own test of whether a script belongs to the plugin.
fn registers(text: &str) -> bool {
    let calls = HOOKS.iter().copied().chain(["cli", AUTH]);
    calls.into_iter().any(|call| {
        text.match_indices(call).any(|(at, _)| {
            text.get(at + call.len()..)
                .is_some_and(|behind| behind.trim_start().starts_with('('))
        })
    })
}
