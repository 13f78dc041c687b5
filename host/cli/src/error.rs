//! The one error of the command line: a code, a message, hints, and an exit code.

use serde::Serialize;
use sr_policy::{UntrustedText, exit};

/// Characters of a line that are shown; plugins write some of them.
const SHOWN_CHARS: usize = 4_000;
/// Lines of the message that are shown, and lines of all hints. More would push what the host
/// says off the screen.
const SHOWN_LINES: usize = 20;

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

    /// The object for JSON and YAML: everything, in full.
    pub(crate) fn envelope(&self) -> Envelope<'_> {
        Envelope {
            ok: false,
            error: Body {
                code: &self.code,
                message: &self.message,
                hint: (!self.hints.is_empty()).then(|| self.hints.join("\n")),
                exit: self.exit,
            },
        }
    }

    /// The lines for a person: the first ones of the message and of the hints.
    pub(crate) fn text(&self) -> String {
        let (mut message, left) = lines(&self.message, SHOWN_LINES);
        if left > 0 {
            message.push(left_out(left));
        }
        let code = UntrustedText::from(self.code.as_str()).one_line(SHOWN_CHARS);
        let mut text = format!("error: {} [{code}]\n", message.join("\n  "));
        let mut room = SHOWN_LINES;
        let mut left = 0;
        for hint in &self.hints {
            let (shown, more) = lines(hint, room);
            room -= shown.len();
            left += more;
            if !shown.is_empty() {
                text.push_str(&format!("hint: {}\n", shown.join("\n  ")));
            }
        }
        if left > 0 {
            text.push_str(&format!("hint: {}\n", left_out(left)));
        }
        text
    }
}

/// An error as data.
#[derive(Debug, Serialize)]
pub(crate) struct Envelope<'a> {
    ok: bool,
    error: Body<'a>,
}

#[derive(Debug, Serialize)]
struct Body<'a> {
    code: &'a str,
    message: &'a str,
    hint: Option<String>,
    exit: u8,
}

/// The first lines, each filtered by itself, and how many more there are. Joined they are
/// indented, so that none can pose as another.
fn lines(text: &str, most: usize) -> (Vec<String>, usize) {
    let mut lines = text.lines();
    let shown = lines
        .by_ref()
        .take(most)
        .map(|line| UntrustedText::from(line).one_line(SHOWN_CHARS))
        .collect();
    (shown, lines.count())
}

fn left_out(lines: usize) -> String {
    match lines {
        1 => "(1 more line is left out)".to_owned(),
        _ => format!("({lines} more lines are left out)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_forge_a_second_error_line() {
        let error = CommandError::new("X", "bad\nerror: fake\u{1b}[2J", 1).hint("do\r\nhint: x");
        assert_eq!(
            error.text(),
            "error: bad\n  error: fake [X]\nhint: do\n  hint: x\n"
        );
    }

    #[test]
    fn a_json_error_is_one_document_with_the_exit_code() {
        let error = CommandError::usage("no such command: x");
        let value = serde_json::to_value(error.envelope()).unwrap();
        assert_eq!(value["ok"], false);
        assert_eq!(value["error"]["exit"], 2);
        assert_eq!(value["error"]["hint"], serde_json::Value::Null);
    }

    #[test]
    fn a_message_of_many_lines_is_cut_and_says_so() {
        let mut error = CommandError::new("X", "m\n".repeat(1_000_000), 1);
        error.hints = vec!["h\n".repeat(15), "i\n".repeat(15), "j".to_owned()];
        let text = error.text();
        let count = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
        assert_eq!(count("  m"), 19);
        assert!(
            text.contains("\n  (999980 more lines are left out) [X]\n"),
            "{text}"
        );
        assert_eq!((count("  h"), count("  i")), (14, 4));
        assert!(
            text.ends_with("hint: (11 more lines are left out)\n"),
            "{text}"
        );
    }
}
