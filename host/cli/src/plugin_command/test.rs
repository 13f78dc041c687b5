//! `sr-runtime plugin test`: the crate's own tests, then every fixture in the real host.

use std::ffi::OsString;

use clap::{Arg, ArgMatches, Command};
use serde_json::json;
use sr_author::AuthorError;
use sr_host::{OpenPlugin, RunEnd, RunOptions};
use sr_policy::exit;
use sr_policy::fixture::{Fixture, Outcome};

use super::{crate_folder, word, workshop};
use crate::Ended;
use crate::error::CommandError;
use crate::output::Fields;
use crate::root::Context;
use crate::{faults, site_command};

/// The parser of this subcommand.
pub(crate) fn parser() -> Command {
    Command::new("test")
        .about("Run a plugin's fixtures on recorded replies, natively and in the real host")
        .arg(crate_folder())
        .arg(
            Arg::new("filter")
                .value_name("FILTER")
                .default_value("")
                .hide_default_value(true)
                .help("Only the fixtures with this in their names"),
        )
}

/// What came of one check.
struct Judged {
    name: String,
    differences: Vec<String>,
}

/// Runs it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Ended {
    let filter = word(matches, "filter");
    let folder = word(matches, "folder");
    let workshop = workshop(folder).map_err(|error| a_filter(error, folder))?;
    // Read first: a fixture that is none is told before anything is built.
    let fixtures = sr_author::fixtures(workshop.project(), filter)?;
    let built = workshop.build()?;
    let plugin = context.runtime()?.open_folder(&built.folder)?;
    let mut judged = vec![Judged {
        name: "native (cargo test)".to_owned(),
        differences: match workshop.test(filter) {
            Ok(()) => vec![],
            Err(error @ AuthorError::Failed { .. }) => vec![error.to_string()],
            Err(other) => return Err(other.into()),
        },
    }];
    for fixture in &fixtures {
        let replay = workshop.project().root().join(&fixture.replay);
        // A recording that is missing or none fails its own fixture; the others still run.
        let differences = match outcome(&plugin, fixture, replay) {
            Ok(outcome) => fixture.differences(&outcome),
            Err(error) => vec![error.message],
        };
        judged.push(Judged {
            name: format!("fixtures/{}.json", fixture.name),
            differences,
        });
    }
    say(context, &judged)?;
    match judged.iter().all(Judged::holds) {
        true => Ok(exit::OK),
        false => Ok(exit::GENERIC),
    }
}

/// The first word is a folder; a word that is none was probably meant for the second.
fn a_filter(error: CommandError, folder: &str) -> CommandError {
    match std::path::Path::new(folder).is_dir() {
        true => error,
        false => error.hint(format!(
            "the first word is the folder of a crate; for the fixtures with {folder} in their names: sr-runtime plugin test . {folder}"
        )),
    }
}

impl Judged {
    fn holds(&self) -> bool {
        self.differences.is_empty()
    }
}

fn say(context: &Context, judged: &[Judged]) -> Result<(), CommandError> {
    let passed = judged.iter().filter(|one| one.holds()).count();
    let failed = judged.len() - passed;
    let tests: Vec<Fields> = judged
        .iter()
        .map(|one| {
            Fields::new([
                ("name", json!(one.name)),
                ("ok", json!(one.holds())),
                ("differences", json!(one.differences)),
            ])
        })
        .collect();
    let document = Fields::new([
        ("ok", json!(failed == 0)),
        ("passed", json!(passed)),
        ("failed", json!(failed)),
    ])
    .with("tests", tests);
    context.report(document, || {
        let mut text = String::new();
        for one in judged {
            let word = if one.holds() { "ok    " } else { "FAILED" };
            text.push_str(&format!("{word}  {}\n", one.name));
            for difference in &one.differences {
                text.push_str(&format!("        {difference}\n"));
            }
        }
        text.push_str(&format!("{passed} passed, {failed} failed\n"));
        text
    })
}

/// Runs the fixture's command in the real host: no network, nothing installed, nothing kept.
fn outcome(
    plugin: &OpenPlugin,
    fixture: &Fixture,
    replay: std::path::PathBuf,
) -> Result<Outcome, CommandError> {
    let site = plugin.name.as_str();
    let parser = site_command::parser(site, &plugin.description, &plugin.commands);
    let words: Vec<OsString> = fixture.command.iter().map(OsString::from).collect();
    let refused = |message: String| Outcome::Failed {
        // Whether the parser or the command refuses an argument is all the same to its author.
        code: "ARGUMENT".to_owned(),
        exit: exit::USAGE,
        message,
    };
    let matches = match site_command::parse(parser, site, &words) {
        Ok(matches) => matches,
        Err(error) => return Ok(refused(first_line(&error.to_string()))),
    };
    let found = matches
        .subcommand()
        .and_then(|(name, matches)| Some((plugin.command(name)?, matches)));
    let Some((command, matches)) = found else {
        return Ok(refused("no command given".to_owned()));
    };
    let typed = site_command::typed(command, matches);
    let call = match sr_host::call(command, &typed) {
        Ok(call) => call,
        Err(error) => return Ok(refused(error.to_string())),
    };
    let options = RunOptions {
        replay: Some(replay),
        ..RunOptions::default()
    };
    let ran = plugin.run(command, call, options)?;
    if let (Some(missed), false) = (&ran.replay_missed, ran.committed) {
        return Ok(Outcome::Failed {
            code: exit::REPLAY_MISS.to_owned(),
            exit: exit::EMPTY,
            message: faults::replay_missed(missed),
        });
    }
    let stopped = |code: &str, exit: u8, message: String| Outcome::Failed {
        code: code.to_owned(),
        exit,
        message,
    };
    Ok(match ran.end {
        RunEnd::Finished(out) => Outcome::Rows {
            columns: command
                .columns
                .iter()
                .map(|column| column.name.clone())
                .collect(),
            rows: out.rows,
        },
        RunEnd::Failed(failure) => {
            let error = faults::failure(&failure, ran.committed);
            let words = std::iter::once(error.message).chain(error.hints);
            stopped(
                &error.code,
                error.exit,
                words.collect::<Vec<_>>().join("; "),
            )
        }
        RunEnd::Trapped { reason, .. } => stopped("PLUGIN_TRAPPED", exit::TRAPPED, reason),
        RunEnd::Limit { what } => stopped("PLUGIN_LIMIT", exit::TRAPPED, what),
        RunEnd::TimedOut { limit_ms } => stopped(
            "TIMEOUT",
            exit::TEMPORARY,
            format!("longer than {limit_ms} ms"),
        ),
        RunEnd::Cancelled => stopped("CANCELLED", exit::INTERRUPTED, "cancelled".to_owned()),
        RunEnd::Planned(_) => stopped("PLUGIN_TRAPPED", exit::TRAPPED, "only a plan".to_owned()),
    })
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
