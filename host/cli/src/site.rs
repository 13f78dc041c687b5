//! `sr-runtime SITE COMMAND …`: from words to rows on the screen.

use std::ffi::OsString;
use std::sync::Arc;

use sr_host::{Fault, OpenPlugin, Ran, RunEnd, RunOptions};
use sr_policy::command::Command;
use sr_policy::{UntrustedText, exit};

use crate::error::CommandError;
use crate::observer::Verbose;
use crate::output::{self, Format};
use crate::root::{Context, clap_error};
use crate::shell::Shell;
use crate::{Ended, faults, host_options, site_command};

/// Rows that are printed before anyone could want to interrupt them.
const QUICK_ROWS: usize = 100;
/// Characters of a guest's own words that are shown.
const GUEST_CHARS: usize = 2_000;

/// Runs one command of an installed plugin.
pub(crate) fn run(context: Context, site: &str, words: &[OsString], built_in: &[String]) -> Ended {
    let plugin = match context.runtime.open(site) {
        Err(Fault::NotInstalled { .. }) => return Err(unknown(&context, site, built_in)),
        other => other?,
    };
    let parser = site_command::parser(site, &plugin.description, &plugin.commands);
    let matches = match site_command::parse(parser, site, words) {
        Ok(matches) => matches,
        Err(error) => return clap_error(&error, context.shell),
    };
    let Some((name, matches)) = matches.subcommand() else {
        return Err(CommandError::usage(format!("{site}: no command given")));
    };
    let Some(command) = plugin.command(name).cloned() else {
        return Err(CommandError::usage(format!("{site} has no command {name}")));
    };
    let asked = host_options::format(matches)?.or(context.format);
    let shell = Shell {
        verbose: context.shell.verbose || host_options::verbose(matches),
        json: asked == Some(Format::Json),
    };
    let format = match asked {
        Some(format) => format,
        None => command
            .default_format
            .as_deref()
            .and_then(Format::named)
            .unwrap_or(Format::Table),
    };
    for warning in &plugin.warnings {
        shell.warn(warning);
    }
    if shell.verbose {
        shell.note(&format!("[code] {}", plugin.code()));
    }
    let options = host_options::read(matches)?;
    let typed = site_command::typed(&command, matches);
    let call = sr_host::call(&command, &typed)
        .map_err(|error| CommandError::new("ARGUMENT", error.to_string(), exit::USAGE))?;
    let options = RunOptions {
        replay: options.replay,
        record: options.record,
        egress: options.egress,
        dry_run: options.dry_run,
        observer: shell.verbose.then(|| Arc::new(Verbose::new(shell)) as _),
        cancel_on_interrupt: true,
        ..RunOptions::default()
    };
    let mut ran = plugin.run(&command, call, options)?;
    if shell.verbose {
        show_guest_output(shell, &ran);
    }
    let committed = ran.committed;
    let recording_failed = ran.recording_failed.take();
    let ended = end(shell, format, &plugin, &command, ran);
    match (ended, recording_failed) {
        (ended, None) => ended,
        (Ok(_), Some(fault)) if committed => Err(faults::verify_before_retry(fault.into())),
        (Ok(_), Some(fault)) => Err(fault.into()),
        (Err(error), Some(fault)) => {
            shell.warn(&fault.to_string());
            Err(error)
        }
    }
}

fn end(shell: Shell, format: Format, plugin: &OpenPlugin, command: &Command, ran: Ran) -> Ended {
    let committed = ran.committed;
    let after = |error: CommandError| match committed {
        true => faults::verify_before_retry(error),
        false => error,
    };
    if let (Some(missed), false) = (&ran.replay_missed, committed) {
        return Err(CommandError::new(
            "REPLAY_MISS",
            format!("the recording has no answer for: {missed}"),
            exit::EMPTY,
        )
        .hint("nothing was sent; record again with --record FILE"));
    }
    let who = format!("{} {}", plugin.name, command.name);
    match ran.end {
        RunEnd::Finished(out) => {
            if out.rows.len() > QUICK_ROWS {
                // A write that was committed is not to be run again because its rows were cut.
                sr_host::end_on_interrupt(match committed {
                    true => exit::VERIFY_BEFORE_RETRY,
                    false => exit::INTERRUPTED,
                });
            }
            let written = shell.data(|to| {
                output::write_rows(to, format, &command.columns, &out.rows, shell.width())
            });
            written.map_err(|error| {
                after(CommandError::new(
                    "OUTPUT",
                    format!("cannot write the rows: {error}"),
                    exit::GENERIC,
                ))
            })?;
            if let Some(footer) = out.footer.filter(|_| format == Format::Table) {
                shell.note(&UntrustedText::from(footer).one_line(GUEST_CHARS));
            }
            Ok(exit::OK)
        }
        RunEnd::Planned(plan) => {
            let written = shell.data(|to| output::write_plan(to, format, &plan));
            written.map_err(|error| {
                CommandError::new(
                    "OUTPUT",
                    format!("cannot write the plan: {error}"),
                    exit::GENERIC,
                )
            })?;
            Ok(exit::OK)
        }
        RunEnd::Failed(failure) => Err(faults::failure(&failure, committed)),
        RunEnd::Trapped { reason, guest } => {
            let mut error = CommandError::new(
                "PLUGIN_TRAPPED",
                format!("{who}: the plugin stopped: {reason}"),
                exit::TRAPPED,
            );
            if let Some(words) = guest {
                error = error.hint(format!("the plugin said: {words}"));
            }
            Err(after(error))
        }
        RunEnd::Limit { what } => Err(after(CommandError::new(
            "PLUGIN_LIMIT",
            format!("{who}: the plugin hit a limit: {what}"),
            exit::TRAPPED,
        ))),
        RunEnd::TimedOut { limit_ms } => Err(after(CommandError::new(
            "TIMEOUT",
            format!("{who}: the run took longer than its limit of {limit_ms} ms"),
            exit::TEMPORARY,
        ))),
        RunEnd::Cancelled => Err(after(CommandError::new(
            "CANCELLED",
            format!("{who}: cancelled"),
            exit::INTERRUPTED,
        ))),
    }
}

fn show_guest_output(shell: Shell, ran: &Ran) {
    for (stream, text) in [
        ("stdout", ran.output.stdout()),
        ("stderr", ran.output.stderr()),
    ] {
        for line in text.lines() {
            shell.note(&format!(
                "[{stream}] {}",
                UntrustedText::from(line).one_line(GUEST_CHARS)
            ));
        }
    }
}

fn unknown(context: &Context, word: &str, built_in: &[String]) -> CommandError {
    let sites = context.runtime.list().unwrap_or_default();
    let names = sites
        .iter()
        .map(|site| site.name.as_str())
        .chain(built_in.iter().map(String::as_str));
    let near = names
        .map(|name| (strsim::osa_distance(word, name), name))
        .filter(|(distance, name)| *distance <= name.len().div_ceil(3))
        .min();
    let word = UntrustedText::from(word).one_line(80);
    let error = CommandError::usage(format!("no such command or site: {word}"));
    match near {
        Some((_, name)) => error.hint(format!("did you mean: sr-runtime {name}")),
        None => error.hint("sr-runtime list shows the installed sites; sr-runtime --help the rest"),
    }
}
