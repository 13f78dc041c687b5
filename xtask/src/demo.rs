//! The main job, offline: install two plugins, run their commands on recorded replies, see a refusal.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::guests::{self, Built};
use crate::{process, repo};

/// Exit code of a refused domain.
const REFUSED: i32 = 68;

/// Runs the demo; fails when any of its commands does not end as it should.
pub(crate) fn run() -> Result<(), String> {
    let built = guests::build()?;
    process::run(&mut process::cargo(["build", "--package", "sr-runtime"]))?;
    let home = fresh_home()?;
    println!("\nHOME={}", repo::shown(&home));

    let demo = Demo {
        program: repo::debug_program(),
        home,
    };
    for plugin in built.iter().filter(|plugin| !plugin.is_test) {
        says(&format!("Install {}", plugin.name));
        demo.install(plugin)?;
    }
    says("Run their commands on recorded replies");
    let arxiv = "plugins/sr-arxiv/recordings";
    let hacker_news = "plugins/sr-hackernews/recordings";
    demo.run(&format!(
        "sr-arxiv paper 1706.03762 --replay {arxiv}/paper.json"
    ))?;
    demo.run_words(&[
        "sr-arxiv",
        "search",
        "attention",
        "--limit",
        "5",
        "-f",
        "json",
        "--replay",
        &format!("{arxiv}/search.json"),
    ])?;
    demo.run(&format!(
        "sr-hackernews top --limit 5 --replay {hacker_news}/top.json"
    ))?;

    says("What a plugin may do is written down");
    demo.run("plugin inspect sr-arxiv")?;
    demo.run("plugin list")?;
    demo.run("list")?;

    if let Some(guest) = built
        .iter()
        .find(|plugin| plugin.name.contains("every-case"))
    {
        says("A component that asks for a host off its list is refused");
        demo.install(guest)?;
        let arguments = [guest.name.as_str(), "fetch", "https://evil.test/"];
        process::run_for(&mut demo.command(&arguments), REFUSED)?;
    }

    says("Nothing was changed behind the lock file's back");
    demo.run("plugin verify")?;
    println!("\nThe replies are synthetic recordings; nothing left this machine.");
    Ok(())
}

struct Demo {
    program: PathBuf,
    home: PathBuf,
}

impl Demo {
    fn install(&self, plugin: &Built) -> Result<(), String> {
        let url = format!("file://{}", plugin.folder.display());
        self.run_words(&["plugin", "install", &url])
    }

    fn run(&self, line: &str) -> Result<(), String> {
        self.run_words(&line.split(' ').collect::<Vec<_>>())
    }

    fn run_words(&self, words: &[&str]) -> Result<(), String> {
        process::run(&mut self.command(words))
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(words)
            .current_dir(repo::root())
            // The demo says the same thing on every machine.
            .env_clear()
            .env("HOME", &self.home);
        command
    }
}

fn says(text: &str) {
    println!("\n== {text}");
}

fn fresh_home() -> Result<PathBuf, String> {
    let home = repo::root().join("target/demo/home");
    empty(&home).map_err(|error| format!("{}: {error}", repo::shown(&home)))?;
    Ok(home)
}

fn empty(folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)
}
