//! A home of its own for the program that is measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::{failed, release};
use crate::{process, repo};

/// Plugins and commands of each in a filled home.
const PLUGINS: usize = 50;
const COMMANDS: usize = 20;

/// A home folder.
pub(super) struct Home(PathBuf);

impl Home {
    /// An empty one; what was there goes.
    pub(super) fn new(folder: &Path) -> Result<Self, String> {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|error| failed(folder, &error))?;
        }
        fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        Ok(Self(folder.to_owned()))
    }

    /// The program in this home, run in the repository's root.
    pub(super) fn program(&self, words: &[&str]) -> Command {
        let mut command = Command::new(release("sr-runtime"));
        command
            .args(words)
            .current_dir(repo::root())
            .env_clear()
            .env("HOME", &self.0);
        command
    }

    /// Installs a copy.
    pub(super) fn install(&self, package: &Path) -> Result<(), String> {
        let url = format!("file://{}", package.display());
        process::output(&mut self.program(&["plugin", "install", &url, "--copy"])).map(drop)
    }

    /// Adds plugins until a thousand commands are indexed, all made of the commands of one that is
    /// installed. The program then writes the lock once, in its own way.
    pub(super) fn fill(&self, name: &str) -> Result<(), String> {
        let path = self.0.join(".sr/plugins.lock.json");
        let text = fs::read(&path).map_err(|error| failed(&path, &error))?;
        let mut lock: Value =
            serde_json::from_slice(&text).map_err(|error| format!("the lock: {error}"))?;
        let plugins = lock.get_mut("plugins").and_then(Value::as_object_mut);
        let plugins = plugins.ok_or("the lock has no plugins")?;
        let entry = plugins.get(name).and_then(Value::as_object).cloned();
        let mut entry = entry.ok_or_else(|| format!("{name} is not in the lock"))?;
        let made_of = entry.get("commands").and_then(Value::as_array).cloned();
        let made_of = made_of.unwrap_or_default();
        for plugin in 0..PLUGINS {
            let commands = made_of.iter().cycle().take(COMMANDS).enumerate();
            let commands: Value = commands
                .map(|(number, command)| {
                    let mut command = command.as_object().cloned().unwrap_or_default();
                    command.insert("name".to_owned(), json!(format!("command-{number}")));
                    Value::from(command)
                })
                .collect();
            entry.insert("commands".to_owned(), commands);
            let name = format!("site-{plugin:02}");
            let folder = self.0.join(".sr/plugins").join(&name);
            fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
            plugins.insert(name, Value::from(entry.clone()));
        }
        fs::write(&path, lock.to_string()).map_err(|error| failed(&path, &error))?;
        let update = ["plugin", "update", name];
        process::output(&mut self.program(&update))?;
        let length = fs::metadata(&path).map_err(|error| failed(&path, &error))?;
        println!(
            "a lock with {} commands has {} bytes",
            PLUGINS * COMMANDS + made_of.len(),
            length.len()
        );
        Ok(())
    }
}
