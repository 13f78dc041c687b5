//! `sr-runtime SITE COMMAND …`: from words to rows on the screen.

use std::ffi::OsString;
use std::sync::Arc;

use sr_host::{ArgumentError, Fault, OpenPlugin, Ran, RunEnd, RunOptions};
use sr_policy::command::Command;
use sr_policy::value::{Cell, Row};
use sr_policy::{UntrustedText, exit};

use crate::error::CommandError;
use crate::help::{self, Subject};
use crate::observer::{self, Verbose};
use crate::output::{self, Format};
use crate::root::{self, Context};
use crate::shell::Shell;
use crate::usage::{clap_error, nearest};
use crate::{Ended, faults, host_options, line, plugin_command, site_changed, site_command};

/// Rows that are printed before anyone could want to interrupt them, when they are small too.
const QUICK_ROWS: usize = 100;
/// Bytes of text that a pipe takes at once.
const QUICK_BYTES: usize = 32 * 1024;
/// Characters of a guest's own words that are shown.
const GUEST_CHARS: usize = 2_000;

/// What a site's command line is made of: its description and its commands.
pub(crate) type Index<'a> = (&'a str, &'a [Command]);

/// Runs one command of an installed plugin.
pub(crate) fn run(context: Context, site: &str, words: &[OsString]) -> Ended {
    let opening = context.shell.spin(&format!("loading {site}"));
    let recorded = match context.runtime()?.recorded(site) {
        Err(Fault::NotInstalled { .. }) => return Err(unknown(&context, site)),
        other => other?,
    };
    if let Some(change) = recorded.change().cloned() {
        drop(opening);
        return site_changed::run(&context, recorded, &change, words);
    }
    let plugin = context.runtime()?.load(recorded)?;
    drop(opening);
    run_opened(&context, &plugin, site, words)
}

/// Runs one command of a plugin that is open.
pub(crate) fn run_opened(
    context: &Context,
    plugin: &OpenPlugin,
    site: &str,
    words: &[OsString],
) -> Ended {
    let parser = site_command::parser(site, &plugin.description, &plugin.commands);
    let matches = match site_command::parse(parser, site, words) {
        Ok(matches) => matches,
        Err(error) => {
            let index = (plugin.description.as_str(), plugin.commands.as_slice());
            return no_run(context, site, index, &error, words);
        }
    };
    let Some((name, matches)) = matches.subcommand() else {
        return Err(CommandError::usage(format!("{site}: no command given")));
    };
    let Some(command) = plugin.command(name).cloned() else {
        return Err(CommandError::usage(format!("{site} has no command {name}")));
    };
    let asked = host_options::format(matches).or(context.format);
    let shell = Shell {
        verbose: context.shell.verbose || host_options::verbose(matches),
        format: asked,
    };
    let preferred = command.default_format.as_deref().and_then(Format::named);
    let format = Format::of_rows(asked, preferred);
    for warning in &plugin.warnings {
        shell.warn(warning);
    }
    if shell.verbose {
        shell.note(&format!("[code] {}", plugin.code()));
    }
    let options = host_options::read(matches)?;
    let typed = site_command::typed(&command, matches);
    let call = sr_host::call(&command, &typed).map_err(|error| {
        let index = (plugin.description.as_str(), plugin.commands.as_slice());
        with_example(argument_error(&error), site, index, words)
    })?;
    shell.has_output()?;
    let bar = shell.bar().map(Arc::new);
    let options = RunOptions {
        replay: options.replay,
        record: options.record,
        trace: options.trace,
        egress: options.egress,
        dry_run: options.dry_run,
        observer: match &bar {
            Some(bar) => Some(Arc::clone(bar) as _),
            None => shell.verbose.then(|| Arc::new(Verbose::new(shell)) as _),
        },
        cancel_on_interrupt: true,
        ..RunOptions::default()
    };
    let ran = plugin.run(&command, call, options);
    if let Some(bar) = bar {
        bar.end();
    }
    let mut ran = ran?;
    if shell.verbose {
        show_guest_output(shell, &ran);
        shell.note(&observer::summary(&ran.outcome, &plugin.code()));
    }
    let committed = ran.committed;
    let mut lost = std::mem::take(&mut ran.lost).into_iter();
    let ended = end(shell, format, plugin, &command, ran).and_then(|code| match lost.next() {
        None => Ok(code),
        Some(fault) if committed => Err(faults::verify_before_retry(fault.into())),
        Some(fault) => Err(fault.into()),
    });
    for fault in lost {
        shell.warn(&fault.to_string());
    }
    ended
}

fn end(shell: Shell, format: Format, plugin: &OpenPlugin, command: &Command, ran: Ran) -> Ended {
    let committed = ran.committed;
    let after = |error: CommandError| match committed {
        true => faults::verify_before_retry(error),
        false => error,
    };
    if let (Some(missed), false) = (&ran.replay_missed, committed) {
        return Err(
            CommandError::new("REPLAY_MISS", faults::replay_missed(missed), exit::EMPTY)
                .hint("nothing was sent; record again with --record FILE"),
        );
    }
    let who = format!("{} {}", plugin.name, command.name);
    match ran.end {
        RunEnd::Finished(out) => {
            if !is_quick(&out.rows) {
                // A write that was committed is not to be run again because its rows were cut.
                sr_host::end_when_asked(match committed {
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
            if format == Format::Table && out.rows.is_empty() {
                shell.note("(no rows)");
            }
            if let Some(footer) = out.footer.filter(|_| format == Format::Table) {
                shell.note(&UntrustedText::from(footer).one_line(GUEST_CHARS));
            }
            Ok(exit::OK)
        }
        RunEnd::Planned(plan) => {
            let written = shell.data(|to| output::write_plan(to, format, &plan, shell.width()));
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

fn is_quick(rows: &[Row]) -> bool {
    let bytes = |cell: &Cell| match cell {
        Cell::Text(text) | Cell::Json(text) => text.len(),
        _ => 0,
    };
    rows.len() <= QUICK_ROWS && rows.iter().flatten().map(bytes).sum::<usize>() <= QUICK_BYTES
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

/// An argument that the command does not take.
pub(crate) fn argument_error(error: &ArgumentError) -> CommandError {
    CommandError::new("ARGUMENT", error.to_string(), exit::USAGE)
}

/// A line that runs nothing: it asks for help, or does not parse.
pub(crate) fn no_run(
    context: &Context,
    site: &str,
    index: Index<'_>,
    error: &clap::Error,
    words: &[OsString],
) -> Ended {
    if help::is_help(error, context.shell.format) {
        return site_help(context.shell, site, index, words);
    }
    let (summary, commands) = index;
    let parser = site_command::parser(site, summary, commands);
    clap_error(error, context.shell, parser, words)
        .map_err(|error| with_example(error, site, index, words))
}

/// Help about the plugin or one of its commands, as data.
fn site_help(
    shell: Shell,
    site: &str,
    (summary, commands): Index<'_>,
    words: &[OsString],
) -> Ended {
    let mut tree = site_command::parser(site, summary, commands);
    tree.build();
    let place = line::follow(&tree, &line::as_text(words));
    let named = sr_host::command_named(commands, place.command.get_name());
    let subject = match named.filter(|_| place.path.len() > 1) {
        Some(command) => Subject::SiteCommand(site, command),
        None => Subject::Site(site, commands),
    };
    let document = help::document(&place.path.join(" "), place.command, &subject);
    let format = shell.format.unwrap_or(Format::Yaml);
    shell.document(format, &document.into())?;
    Ok(exit::OK)
}

/// Adds an example of the command that was meant, where its plugin has one.
fn with_example(
    error: CommandError,
    site: &str,
    (summary, commands): Index<'_>,
    words: &[OsString],
) -> CommandError {
    let mut tree = site_command::parser(site, summary, commands);
    tree.build();
    let place = line::follow(&tree, &line::as_text(words));
    let named = sr_host::command_named(commands, place.command.get_name());
    let examples = match named.filter(|_| place.path.len() > 1) {
        Some(command) => help::of_plugin(site, command.examples.iter()),
        None => help::for_site(site, commands),
    };
    match examples.first() {
        Some(example) => error.hint(format!("for example: {}", example.line)),
        None => error,
    }
}

/// A first word that is neither a command nor a site: what it may have been meant for.
fn unknown(context: &Context, word: &str) -> CommandError {
    let sites = context
        .runtime()
        .ok()
        .and_then(|runtime| runtime.list().ok());
    let sites = sites.unwrap_or_default();
    let tree = root::parser();
    let built_in = tree.get_subcommands().map(clap::Command::get_name);
    let names = sites.iter().map(|site| site.name.as_str()).chain(built_in);
    let mut error = CommandError::usage(format!(
        "no such command or site: {}",
        UntrustedText::from(word).one_line(80)
    ));
    if let Some(name) = nearest(word, names) {
        error = error.hint(format!("did you mean: sr-runtime {name}"));
    }
    let of_plugins = plugin_command::parser();
    let of_plugins = of_plugins.get_subcommands().map(clap::Command::get_name);
    if let Some(name) = nearest(word, of_plugins) {
        error = error.hint(format!("did you mean: sr-runtime plugin {name}"));
    }
    for site in &sites {
        let commands = site.entry.iter().flat_map(|entry| &entry.commands);
        if commands.into_iter().any(|command| command.name == word) {
            let name = &site.name;
            error = error.hint(format!(
                "{name} has such a command: sr-runtime {name} {word}"
            ));
        }
    }
    match error.hints.is_empty() {
        false => error,
        true => error.hint("sr-runtime list shows the installed sites; sr-runtime --help the rest"),
    }
}
