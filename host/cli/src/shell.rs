//! The one place that writes to the terminal: data to stdout, everything else to stderr. Text
//! passes the terminal filter here, so no caller can forget it.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::os::fd::AsFd;

use serde::Serialize;
use serde_json::json;
use sr_policy::{UntrustedText, exit};

use crate::error::CommandError;
use crate::output::{self, Document, Format, write_line, write_value, write_yaml};
use crate::progress::{self, Bar, Spin};
use crate::settings;

/// Characters of a warning that are shown.
const WARNING_CHARS: usize = 2_000;

/// The two streams of this process.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Shell {
    /// Show log lines and the component's own output.
    pub(crate) verbose: bool,
    /// The asked format, if any. In JSON and YAML warnings and errors are data too.
    pub(crate) format: Option<Format>,
}

impl Shell {
    /// Streams data that is safe for a terminal already: rows, a table, JSON. A reader that went
    /// away is a normal end, as for any filter.
    pub(crate) fn data(
        self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        if sr_host::started_without_stdout() {
            return Err(io::Error::other("standard output is closed"));
        }
        progress::without_line(|| stream(io::stdout().lock(), write))
    }

    /// Refuses to start what would have nowhere to put its rows.
    pub(crate) fn has_output(self) -> Result<(), CommandError> {
        self.output(|_| Ok(()))
    }

    /// Writes text, filtered line by line, or says that it could not.
    pub(crate) fn print(self, text: &str) -> Result<(), CommandError> {
        self.output(|out| write_text(out, text))
    }

    /// Writes a report in this format.
    pub(crate) fn document(self, format: Format, document: &Document) -> Result<(), CommandError> {
        self.output(|out| output::write_document(out, format, document, self.width()))
    }

    /// Writes objects as JSON or YAML.
    pub(crate) fn objects(
        self,
        format: Format,
        objects: &[impl Serialize],
    ) -> Result<(), CommandError> {
        self.output(|out| output::write_objects(out, format, objects))
    }

    /// Writes a listing of texts under headers.
    pub(crate) fn rows(
        self,
        format: Format,
        headers: &[&str],
        rows: Vec<Vec<String>>,
    ) -> Result<(), CommandError> {
        self.output(|out| output::write_listing(out, format, headers, rows, self.width()))
    }

    fn output(
        self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), CommandError> {
        self.data(write).map_err(|error| {
            CommandError::new(
                "OUTPUT",
                format!("cannot write the output: {error}"),
                exit::GENERIC,
            )
        })
    }

    /// Lines for the person, each filtered. Not being able to say them changes nothing.
    pub(crate) fn note(self, text: &str) {
        tell(|out| write_text(out, text));
    }

    /// A warning: one line, or one JSON object on a line, or one YAML document.
    pub(crate) fn warn(self, text: &str) {
        tell(|out| write_warning(out, self.format, text));
    }

    /// The error the program ends with.
    pub(crate) fn fail(self, error: &CommandError) {
        match self.format {
            Some(Format::Json) => tell(|out| write_value(out, &error.envelope())),
            Some(Format::Yaml) => tell(|out| write_yaml(out, &error.envelope())),
            _ => self.note(&error.text()),
        }
    }

    /// Says that a long step is going on, until the value is dropped. Only on a terminal.
    pub(crate) fn spin(self, label: &str) -> Option<Spin> {
        self.progress_width().map(|width| Spin::step(label, width))
    }

    /// What shows the progress a component reports. Only on a terminal.
    pub(crate) fn bar(self) -> Option<Bar> {
        self.progress_width().map(Bar::new)
    }

    /// The width of the terminal that progress may be drawn on.
    fn progress_width(self) -> Option<usize> {
        let as_data = matches!(self.format, Some(Format::Json | Format::Yaml));
        match self.verbose || as_data || !settings::terminal_can_erase() {
            true => None,
            false => columns(&io::stderr()),
        }
    }

    /// The width to fit tables to; none when stdout is not a terminal, so that a pipe gets
    /// whole lines.
    pub(crate) fn width(self) -> Option<usize> {
        columns(&io::stdout())
    }
}

/// The width that help is broken at: of the terminal; 0, which breaks nothing, without one.
pub(crate) fn help_width() -> usize {
    columns(&io::stdout()).unwrap_or(0)
}

fn columns<T: IsTerminal + AsFd>(stream: &T) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    rustix::termios::tcgetwinsize(stream)
        .ok()
        .map(|size| usize::from(size.ws_col))
        .filter(|columns| *columns > 0)
}

fn tell(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let _ = progress::without_line(|| stream(io::stderr().lock(), write));
}

fn stream(to: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(to);
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn write_text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    text.lines()
        .try_for_each(|line| writeln!(out, "{}", UntrustedText::from(line)))
}

fn write_warning(out: &mut dyn Write, format: Option<Format>, text: &str) -> io::Result<()> {
    match format {
        Some(Format::Json) => write_line(out, &json!({ "warning": text })),
        Some(Format::Yaml) => {
            write_yaml(out, &json!({ "warning": text }))?;
            // The end of this document: what follows is another one.
            out.write_all(b"...\n")
        }
        _ => writeln!(
            out,
            "warning: {}",
            UntrustedText::from(text).one_line(WARNING_CHARS)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
        let mut made = vec![];
        stream(&mut made, write).unwrap();
        String::from_utf8(made).unwrap()
    }

    /// Fails as a closed pipe or a full device does.
    struct Broken(ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_line_of_text_is_filtered_by_itself() {
        assert_eq!(
            made(|out| write_text(
                out,
                "a\u{1b}]0;x\nits folder: /b\u{202e}\u{1b}[2J\u{200b}c\n\td"
            )),
            "a\nits folder: /bc\n\td\n"
        );
        assert_eq!(made(|out| write_text(out, "")), "");
    }

    #[test]
    fn a_warning_is_one_line_or_one_document() {
        let text = "a\nb\u{9b}31m\u{1b}[2J";
        assert_eq!(made(|out| write_warning(out, None, text)), "warning: a b\n");
        let line = made(|out| write_warning(out, Some(Format::Json), text));
        assert_eq!(line, "{\"warning\":\"a\\nb\\u009b31m\\u001b[2J\"}\n");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&line).unwrap(),
            json!({ "warning": text })
        );
        assert_eq!(
            made(|out| write_warning(out, Some(Format::Yaml), text)),
            "warning: \"a\\nb\\x9b31m\\x1b[2J\"\n...\n"
        );
    }

    #[test]
    fn a_reader_that_went_away_is_a_normal_end_and_a_full_device_is_not() {
        let end = |kind| stream(Broken(kind), |out| write_text(out, "x")).map_err(|e| e.kind());
        assert_eq!(end(ErrorKind::BrokenPipe), Ok(()));
        assert_eq!(end(ErrorKind::StorageFull), Err(ErrorKind::StorageFull));
    }
}
