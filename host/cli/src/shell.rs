//! The one place that writes to the terminal: data to stdout, everything else to stderr.

use std::io::{IsTerminal, Write};

use sr_policy::{UntrustedText, exit};

use crate::error::CommandError;

/// The two streams of this process.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Shell {
    /// Show log lines and the component's own output.
    pub(crate) verbose: bool,
}

impl Shell {
    /// Writes data. A reader that went away is a normal end, as for any filter.
    pub(crate) fn data(self, text: &str) -> std::io::Result<()> {
        let mut stdout = std::io::stdout().lock();
        match stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush())
        {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// Writes data, or says that it could not.
    pub(crate) fn print(self, text: &str) -> Result<(), CommandError> {
        self.data(text).map_err(|error| {
            CommandError::new(
                "OUTPUT",
                format!("cannot write the output: {error}"),
                exit::GENERIC,
            )
        })
    }

    /// A line for the person. Not being able to say it changes nothing.
    pub(crate) fn note(self, text: &str) {
        let mut line = text.to_owned();
        line.push('\n');
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }

    /// A warning with the plugin's own text filtered.
    pub(crate) fn warn(self, text: &str) {
        self.note(&format!(
            "warning: {}",
            UntrustedText::from(text).one_line(2_000)
        ));
    }

    /// The width to fit tables to; none when stdout is not a terminal, so that a pipe gets
    /// whole lines.
    pub(crate) fn width(self) -> Option<usize> {
        let stdout = std::io::stdout();
        if !stdout.is_terminal() {
            return None;
        }
        rustix::termios::tcgetwinsize(&stdout)
            .ok()
            .map(|size| usize::from(size.ws_col))
            .filter(|columns| *columns > 0)
    }
}
