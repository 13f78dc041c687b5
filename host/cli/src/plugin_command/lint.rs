//! `sr-runtime plugin lint [DIR]`.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use serde_json::json;
use sr_author::lint::{Finding, Report};
use sr_policy::{UntrustedText, exit};

use crate::Ended;
use crate::error::CommandError;
use crate::output::Fields;
use crate::root::Context;

/// Characters of a line that are shown; the plugin wrote most of them.
const SHOWN_CHARS: usize = 1_000;

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("lint")
        .about(
            "Check a plugin before it is installed: schema, domains, imports, commands, sitedata",
        )
        .arg(
            Arg::new("folder")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::DirPath)
                .default_value(".")
                .help("A package folder, or the crate of a plugin"),
        )
        .after_help("Ends with 1 when there are errors, with 0 when there are only warnings.")
}

/// Runs it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let here = PathBuf::from(".");
    let folder = matches.get_one::<PathBuf>("folder").unwrap_or(&here);
    let report = sr_author::lint(folder).map_err(|error| {
        CommandError::usage(error.to_string()).hint(
            "give a package folder with sr-plugin.json, or a crate with plugin/sr-plugin.json",
        )
    })?;
    context.report(as_object(&report), || as_text(&report, folder))?;
    Ok(match report.errors() {
        0 => exit::OK,
        _ => exit::GENERIC,
    })
}

fn as_object(report: &Report) -> Fields {
    let findings: Vec<Fields> = report.findings.iter().map(finding_object).collect();
    Fields::new([
        ("ok", json!(report.errors() == 0)),
        ("errors", json!(report.errors())),
        ("warnings", json!(report.warnings())),
    ])
    .with("findings", findings)
}

fn finding_object(finding: &Finding) -> Fields {
    Fields::new([
        ("severity", json!(finding.severity().word())),
        ("code", json!(finding.code())),
        ("file", json!(finding.file)),
        ("line", json!(finding.place.map(|(line, _)| line))),
        ("column", json!(finding.place.map(|(_, column)| column))),
        ("pointer", json!(finding.pointer)),
        ("why", json!(finding.why)),
        ("fix", json!(finding.fix)),
    ])
}

fn as_text(report: &Report, folder: &Path) -> String {
    let mut text: String = report
        .findings
        .iter()
        .map(|finding| line(finding, folder))
        .collect();
    let count = |number: usize, word: &str| match number {
        1 => format!("1 {word}"),
        _ => format!("{number} {word}s"),
    };
    text.push_str(&format!(
        "{}, {}\n",
        count(report.errors(), "error"),
        count(report.warnings(), "warning")
    ));
    text
}

/// `file:line:column: severity[CODE]: pointer: why`, and what to do on a line of its own.
fn line(finding: &Finding, folder: &Path) -> String {
    let shown = |text: &str| UntrustedText::from(text).one_line(SHOWN_CHARS);
    let file = match (finding.file.as_str(), folder == Path::new(".")) {
        (".", _) => folder.display().to_string(),
        (file, true) => file.to_owned(),
        (file, false) => folder.join(file).display().to_string(),
    };
    let place = finding
        .place
        .map(|(line, column)| format!(":{line}:{column}"));
    let pointer = finding
        .pointer
        .as_deref()
        .map(|pointer| format!("{}: ", shown(pointer)));
    format!(
        "{}{}: {}[{}]: {}{}\n  fix: {}\n",
        shown(&file),
        place.unwrap_or_default(),
        finding.severity().word(),
        finding.code(),
        pointer.unwrap_or_default(),
        shown(&finding.why),
        shown(&finding.fix)
    )
}

#[cfg(test)]
mod tests {
    use sr_author::lint::Rule;

    use super::*;

    #[test]
    fn a_finding_of_a_hostile_plugin_stays_on_its_two_lines() {
        let finding = Finding {
            rule: Rule::Pattern,
            file: "a\n0 errors, 0 warnings\u{1b}[2J".to_owned(),
            place: Some((3, 4)),
            pointer: Some("/x\ny".to_owned()),
            why: "b\u{9b}31m\nc".to_owned(),
            fix: "d\re".to_owned(),
        };
        assert_eq!(
            line(&finding, Path::new(".")),
            "a 0 errors, 0 warnings:3:4: error[PATTERN]: /x y: b c\n  fix: de\n"
        );
    }

    #[test]
    fn the_last_line_counts() {
        let report = Report::default();
        assert_eq!(as_text(&report, Path::new("x")), "0 errors, 0 warnings\n");
    }
}
