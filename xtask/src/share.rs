//! What goes into `share/` beside the program: manual pages and completion scripts. Both are what
//! the program says about itself, so neither can describe another one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::man::{list, page, text};
use crate::{process, repo};

/// Each shell, and where it looks for the script of a program.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/sr-runtime"),
    ("zsh", "zsh/site-functions/_sr-runtime"),
    ("fish", "fish/vendor_completions.d/sr-runtime.fish"),
];

/// Writes everything below this folder, from this program.
pub(crate) fn write(program: &Path, share: &Path) -> Result<Vec<PathBuf>, String> {
    let mut written = Vec::new();
    let mut levels = vec![vec![]];
    while let Some(words) = levels.pop() {
        let level = help(program, &words)?;
        for command in list(&level, "commands") {
            let name = text(command, "name").to_owned();
            levels.push([words.as_slice(), &[name]].concat());
        }
        let name = [&["sr-runtime".to_owned()], words.as_slice()]
            .concat()
            .join("-");
        let path = share.join(format!("man/man1/{name}.1"));
        put(&path, &page(&level, env!("CARGO_PKG_VERSION")))?;
        written.push(path);
    }
    for (shell, place) in COMPLETIONS {
        let script = process::output(asked(program).args(["completion", shell]))?;
        put(&share.join(place), &script)?;
    }
    Ok(written)
}

/// Writes it all into `target/` and has the pages read by the formatter, which must not complain.
pub(crate) fn check() -> Result<(), String> {
    let share = repo::target().join("share");
    let pages = write(&repo::debug_program(), &share)?;
    let mut groff = Command::new("groff");
    groff.args(["-man", "-Tutf8", "-ww", "-z"]).args(&pages);
    let output = groff
        .output()
        .map_err(|error| format!("cannot start groff: {error}"))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    match output.status.success() && complaint.trim().is_empty() {
        true => Ok(()),
        false => Err(format!(
            "groff complains about a page:\n{}",
            complaint.trim()
        )),
    }
}

/// One level of help as the program says it.
fn help(program: &Path, words: &[String]) -> Result<Value, String> {
    let mut command = asked(program);
    command.args(words).args(["--help", "--format", "json"]);
    let text = process::output(&mut command)?;
    serde_json::from_str(&text)
        .map_err(|error| format!("{}: not JSON: {error}", process::line(&command)))
}

/// The program without a home: what it says of itself depends on none.
fn asked(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear();
    command
}

fn put(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", repo::shown(path)))
}
