//! Lines to try: of the program, and of a site the ones its plugin names.

use sr_policy::UntrustedText;
use sr_policy::command::{Command, Example};

/// Examples of a site that its help shows; each command has its own besides.
const OF_A_SITE: usize = 5;
/// Characters of a plugin's line that are shown.
const SHOWN_CHARS: usize = 2_000;

/// Examples of the program's own commands: the command, a line, what it does.
const OWN: &[(&str, &str, &str)] = &[
    (
        "sr-runtime",
        "sr-runtime plugin install ./dist/sr-arxiv",
        "install a built plugin",
    ),
    ("sr-runtime", "sr-runtime list", "show what can be run"),
    (
        "sr-runtime",
        "sr-runtime sr-arxiv search \"attention\" --limit 5 -f json",
        "run a command of a plugin",
    ),
    (
        "sr-runtime",
        "sr-runtime sr-arxiv --help -f json",
        "the same help for a program",
    ),
    (
        "sr-runtime plugin",
        "sr-runtime plugin install ./dist/sr-arxiv",
        "install a built plugin",
    ),
    (
        "sr-runtime plugin",
        "sr-runtime plugin verify",
        "compare all files with the lock",
    ),
    (
        "sr-runtime plugin",
        "sr-runtime plugin update sr-arxiv --grant",
        "record a wanted change and allow what it asks for",
    ),
    (
        "sr-runtime plugin install",
        "sr-runtime plugin install ./dist/sr-arxiv",
        "link a folder: what is built there next is what runs",
    ),
    (
        "sr-runtime plugin install",
        "sr-runtime plugin install ./dist/sr-arxiv --copy",
        "keep a copy that no later build changes",
    ),
    (
        "sr-runtime plugin install",
        "sr-runtime plugin install git+https://example.com/plugin.git#v1.0",
        "fetch a built package at a tag",
    ),
    (
        "sr-runtime plugin list",
        "sr-runtime plugin list -f json",
        "with commands, grants and sources",
    ),
    (
        "sr-runtime plugin verify",
        "sr-runtime plugin verify sr-arxiv",
        "compare its files with the lock; ends with 76 when they differ",
    ),
    (
        "sr-runtime plugin update",
        "sr-runtime plugin update sr-arxiv",
        "look at its source again and record what is there",
    ),
    (
        "sr-runtime plugin update",
        "sr-runtime plugin update sr-arxiv --grant",
        "allow what it asks for in addition",
    ),
    (
        "sr-runtime plugin uninstall",
        "sr-runtime plugin uninstall sr-arxiv",
        "remove it and its lock entry; a linked folder stays",
    ),
    (
        "sr-runtime plugin inspect",
        "sr-runtime plugin inspect sr-arxiv",
        "what it may reach, its hashes and sizes",
    ),
    (
        "sr-runtime plugin inspect",
        "sr-runtime plugin inspect ./dist/sr-arxiv",
        "the same of a folder that is not installed",
    ),
    (
        "sr-runtime plugin new",
        "sr-runtime plugin new sr-demo",
        "a crate that builds, tests and installs as it is",
    ),
    (
        "sr-runtime plugin build",
        "sr-runtime plugin build",
        "from the crate in this folder to dist/NAME",
    ),
    (
        "sr-runtime plugin build",
        "sr-runtime plugin build --watch -- list --limit 3",
        "build and run one command after each change",
    ),
    (
        "sr-runtime plugin test",
        "sr-runtime plugin test . search",
        "only the fixtures with search in their names",
    ),
    (
        "sr-runtime plugin lint",
        "sr-runtime plugin lint -f json",
        "every finding with file, place and fix",
    ),
    (
        "sr-runtime plugin pack",
        "sr-runtime plugin pack",
        "check dist/NAME as an install would, and print its hash",
    ),
    (
        "sr-runtime plugin migrate",
        "sr-runtime plugin migrate",
        "what ~/.opencli/plugins holds, and what each would need",
    ),
    (
        "sr-runtime list",
        "sr-runtime list -f csv",
        "every command as a table for a spreadsheet",
    ),
    (
        "sr-runtime completion",
        "sr-runtime completion bash > ~/.local/share/bash-completion/completions/sr-runtime",
        "for bash with its completion package",
    ),
    (
        "sr-runtime completion",
        "sr-runtime completion zsh > ~/.zfunc/_sr-runtime",
        "for zsh, with ~/.zfunc in fpath",
    ),
    (
        "sr-runtime completion",
        "sr-runtime completion fish > ~/.config/fish/completions/sr-runtime.fish",
        "for fish",
    ),
];

/// A line and what it does, ready to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) line: String,
    pub(crate) says: String,
}

/// The examples of one of the program's own commands.
pub(crate) fn for_command(path: &str) -> Vec<Line> {
    OWN.iter()
        .filter(|(command, ..)| *command == path)
        .map(|(_, line, says)| Line {
            line: (*line).to_owned(),
            says: (*says).to_owned(),
        })
        .collect()
}

/// The first example of each of the first commands.
pub(crate) fn for_site(site: &str, commands: &[Command]) -> Vec<Line> {
    let first = commands
        .iter()
        .filter_map(|command| command.examples.first());
    of_plugin(site, first.take(OF_A_SITE))
}

/// Examples that a plugin names, with program and site.
pub(crate) fn of_plugin<'a>(site: &str, examples: impl Iterator<Item = &'a Example>) -> Vec<Line> {
    examples
        .map(|example| Line {
            line: format!("sr-runtime {site} {}", example.line),
            says: example.says.clone(),
        })
        .collect()
}

/// The section of text help for one of the program's own commands.
pub(crate) fn own(path: &str) -> String {
    text(&for_command(path))
}

/// The section of text help; empty without examples.
pub(crate) fn text(examples: &[Line]) -> String {
    let shown = |text: &str| UntrustedText::from(text).one_line(SHOWN_CHARS);
    if examples.is_empty() {
        return String::new();
    }
    let mut text = String::from("Examples:");
    for example in examples {
        text.push_str(&format!("\n  {}", shown(&example.line)));
        if !example.says.is_empty() {
            text.push_str(&format!("\n      {}", shown(&example.says)));
        }
    }
    text
}
