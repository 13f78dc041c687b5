//! Whether a plugin's commands are what the command line can offer.

use std::collections::HashSet;

use crate::arg_rules::check_args;
pub use crate::arg_rules::{fits, read_word, settled};
use crate::command::{Column, Command, Pace};
use crate::limits;
use crate::pattern::DomainPattern;
pub use crate::rows::{RowFault, RowMeter, check_rows};
use crate::untrusted::UntrustedText;
use crate::url::CheckedUrl;
use crate::value::Note;

/// Output formats a command may prefer.
pub const FORMATS: &[&str] = &["table", "json", "yaml", "csv", "md", "plain"];

/// Command names the command line itself uses behind a site.
const RESERVED_COMMANDS: &[&str] = &["help"];

/// Messages given at most; more would only push the first ones off the screen.
const MOST_MESSAGES: usize = 40;

/// Checks the commands of a plugin.
///
/// # Errors
/// One message per fault, each naming command and field; at most 40.
pub fn check_commands(commands: &[Command]) -> Result<(), Vec<String>> {
    let mut faults = Faults::default();
    check_whole(commands, &mut faults);
    if faults.messages.is_empty() {
        check_names(commands, &mut faults);
        for command in commands {
            faults.command = shown(&command.name);
            check_command(command, &mut faults);
        }
    }
    if faults.messages.is_empty() {
        Ok(())
    } else {
        Err(faults.messages)
    }
}

#[derive(Default)]
pub(crate) struct Faults {
    command: String,
    messages: Vec<String>,
}

impl Faults {
    pub(crate) fn add(&mut self, field: &str, reason: impl AsRef<str>) {
        self.message(format!(
            "command {}: {field}: {}",
            self.command,
            reason.as_ref()
        ));
    }

    fn message(&mut self, message: String) {
        if self.messages.len() < MOST_MESSAGES {
            self.messages.push(message);
        }
    }

    fn limit(&mut self, field: &str, count: usize, most: usize) {
        if count > most {
            self.add(field, format!("{count}, at most {most}"));
        }
    }

    fn line(&mut self, field: &str, text: &str) {
        if text.trim().is_empty() {
            self.add(field, "is empty");
        } else if text.chars().any(char::is_control) {
            self.add(field, "is one line without control characters");
        }
    }

    pub(crate) fn notes(&mut self, field: &str, notes: &[Note]) {
        for note in notes {
            if note.key.is_empty()
                || note.key.len() > limits::NAME_BYTES
                || note.key.chars().any(char::is_control)
            {
                self.add(
                    field,
                    format!(
                        "a key has 1 to {} bytes on one line: {}",
                        limits::NAME_BYTES,
                        shown(&note.key)
                    ),
                );
            }
        }
    }
}

fn check_whole(commands: &[Command], faults: &mut Faults) {
    if commands.is_empty() {
        faults.message("commands: a plugin has at least one".to_owned());
    }
    if commands.len() > limits::COMMANDS {
        faults.message(format!(
            "commands: {}, at most {}",
            commands.len(),
            limits::COMMANDS
        ));
        return;
    }
    let bytes = serde_json::to_vec(commands).map_or(usize::MAX, |json| json.len());
    if bytes > limits::METADATA_BYTES {
        faults.message(format!(
            "commands: {bytes} bytes of metadata, at most {}",
            limits::METADATA_BYTES
        ));
    }
}

fn check_names(commands: &[Command], faults: &mut Faults) {
    let mut seen = HashSet::new();
    for command in commands {
        faults.command = shown(&command.name);
        let aliases = command.aliases.iter().map(|alias| ("aliases", alias));
        for (field, name) in std::iter::once(("name", &command.name)).chain(aliases) {
            if !is_name(name) {
                faults.add(field, bad_name(name));
            } else if RESERVED_COMMANDS.contains(&name.as_str()) {
                faults.add(field, format!("belongs to the command line: {name}"));
            } else if !seen.insert(name.as_str()) {
                faults.add(field, format!("is used twice in this plugin: {name}"));
            }
        }
    }
}

fn check_command(command: &Command, faults: &mut Faults) {
    faults.line("summary", &command.summary);
    faults.limit("aliases", command.aliases.len(), limits::ALIASES);
    faults.limit("args", command.args.len(), limits::ARGS);
    faults.limit("columns", command.columns.len(), limits::COLUMNS);
    faults.limit("examples", command.examples.len(), limits::EXAMPLES);
    faults.notes("notes", &command.notes);
    check_args(&command.args, faults);
    check_columns(&command.columns, faults);
    check_examples(command, faults);
    check_place(command, faults);
    if let Some(format) = command
        .default_format
        .as_deref()
        .filter(|format| !FORMATS.contains(format))
    {
        faults.add(
            "default-format",
            format!("is one of {}: {}", FORMATS.join(", "), shown(format)),
        );
    }
    if command.timeout_ms > limits::TIMEOUT_MS {
        faults.add(
            "timeout-ms",
            format!("{}, at most {}", command.timeout_ms, limits::TIMEOUT_MS),
        );
    }
    if let Some(pace) = &command.pace {
        check_pace(pace, faults);
    }
}

fn check_place(command: &Command, faults: &mut Faults) {
    if let Some(domain) = &command.domain {
        match domain.parse::<DomainPattern>() {
            Err(error) => faults.add("domain", error.to_string()),
            Ok(pattern) if pattern.is_wildcard() => {
                faults.add("domain", format!("is one host, not a wildcard: {pattern}"))
            }
            Ok(_) => {}
        }
    }
    if let Some(url) = &command.navigate_before {
        if let Err(error) = CheckedUrl::parse(url) {
            faults.add("navigate-before", error.to_string());
        }
        if !command.browser {
            faults.add("navigate-before", "needs browser = true");
        }
    }
}

fn check_pace(pace: &Pace, faults: &mut Faults) {
    if pace.min_gap_ms > limits::PACE_GAP_MS {
        faults.add(
            "pace.min-gap-ms",
            format!("{}, at most {}", pace.min_gap_ms, limits::PACE_GAP_MS),
        );
    }
    for (field, runs) in [
        ("pace.per-hour", pace.per_hour),
        ("pace.per-day", pace.per_day),
    ] {
        if runs == Some(0) {
            faults.add(field, "0 would never let it run");
        }
    }
}

fn check_examples(command: &Command, faults: &mut Faults) {
    for example in &command.examples {
        faults.line("examples.line", &example.line);
        if example.says.chars().any(char::is_control) {
            faults.add("examples.says", "is one line without control characters");
        }
        let first = example.line.split_whitespace().next().unwrap_or_default();
        let is_own = first == command.name || command.aliases.iter().any(|alias| alias == first);
        if !is_own && !first.is_empty() {
            faults.add(
                "examples.line",
                format!(
                    "starts with the command's name, without program and site: {}",
                    shown(first)
                ),
            );
        }
    }
}

fn check_columns(columns: &[Column], faults: &mut Faults) {
    let mut seen = HashSet::new();
    for column in columns {
        if !is_name(&column.name) {
            faults.add("columns", bad_name(&column.name));
        } else if !seen.insert(column.name.as_str()) {
            faults.add("columns", format!("named twice: {}", column.name));
        }
        faults.notes(
            &format!("column {}: notes", shown(&column.name)),
            &column.notes,
        );
    }
}

/// Whether a word can name a command, argument or column: `[a-z][a-z0-9-]{0,63}`.
#[must_use]
pub fn is_name(word: &str) -> bool {
    word.len() <= limits::NAME_BYTES
        && word.starts_with(|letter: char| letter.is_ascii_lowercase())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

pub(crate) fn bad_name(name: &str) -> String {
    format!(
        "a name is 1 to 64 of a-z, 0-9 and -, starting with a letter: {}",
        shown(name)
    )
}

pub(crate) fn shown(text: &str) -> String {
    let line = UntrustedText::from(text).one_line(limits::NAME_BYTES);
    if line.is_empty() {
        "\"\"".to_owned()
    } else {
        line
    }
}
