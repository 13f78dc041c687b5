//! The one error of the command line: a code, a message, hints, and an exit code.

use serde_json::json;
use sr_policy::{UntrustedText, exit};

use crate::output::{Format, escape_controls};

/// Characters of a message that are shown; plugins write some of them.
const SHOWN_CHARS: usize = 4_000;

/// What went wrong, ready to print. All text passes the terminal filter when it is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandError {
    /// Stable SCREAMING_SNAKE code.
    pub(crate) code: String,
    /// One line, no final full stop.
    pub(crate) message: String,
    /// What to do, one line each.
    pub(crate) hints: Vec<String>,
    /// The process's exit code.
    pub(crate) exit: u8,
}

impl CommandError {
    /// An error with its code and exit code.
    pub(crate) fn new(code: &str, message: impl Into<String>, exit: u8) -> Self {
        Self {
            code: code.to_owned(),
            message: message.into(),
            hints: vec![],
            exit,
        }
    }

    /// A command line that does not parse.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new("USAGE", message, exit::USAGE)
    }

    /// Settings that cannot be used.
    pub(crate) fn config(message: impl Into<String>) -> Self {
        Self::new("CONFIG", message, exit::CONFIG)
    }

    /// Adds a line of advice.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The text for stderr, in the asked format, with a final newline.
    pub(crate) fn render(&self, format: Format) -> String {
        match format {
            Format::Json => {
                let hint = (!self.hints.is_empty()).then(|| self.hints.join("\n"));
                let value = json!({
                    "ok": false,
                    "error": {
                        "code": self.code,
                        "message": self.message,
                        "hint": hint,
                        "exit": self.exit,
                    },
                });
                let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
                text.push('\n');
                escape_controls(&text)
            }
            Format::Table => {
                let mut text = format!("error: {} [{}]\n", lines(&self.message), lines(&self.code));
                for hint in &self.hints {
                    text.push_str(&format!("hint: {}\n", lines(hint)));
                }
                text
            }
        }
    }
}

/// Each line filtered by itself, continued lines indented so that none can pose as another.
fn lines(text: &str) -> String {
    text.lines()
        .map(|line| UntrustedText::from(line).one_line(SHOWN_CHARS))
        .collect::<Vec<_>>()
        .join("\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_forge_a_second_error_line() {
        let error = CommandError::new("X", "bad\nerror: fake\u{1b}[2J", 1).hint("do\r\nhint: x");
        assert_eq!(
            error.render(Format::Table),
            "error: bad\n  error: fake [X]\nhint: do\n  hint: x\n"
        );
    }

    #[test]
    fn a_json_error_is_one_document_with_the_exit_code() {
        let text = CommandError::usage("no such command: x").render(Format::Json);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["error"]["exit"], 2);
        assert_eq!(value["error"]["hint"], serde_json::Value::Null);
    }
}
