//! The options the runtime itself takes on every site command.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use sr_host::{ConnectRule, EgressOptions, Proxy, ResolveRule};
use sr_policy::host_options::HOST_OPTIONS;

use crate::error::CommandError;
use crate::output::{FORMATS, Format, OTHER_SPELLINGS};

/// Bytes of a `--cacert` file; the bundle of a whole system has about 250 KB.
pub(crate) const CACERT_BYTES: usize = 4 * 1024 * 1024;

/// Where requests go and how, from the command line.
#[derive(Debug, Default)]
pub(crate) struct HostOptions {
    /// `--replay FILE`.
    pub(crate) replay: Option<PathBuf>,
    /// `--record FILE`.
    pub(crate) record: Option<PathBuf>,
    /// `--trace FILE`.
    pub(crate) trace: Option<PathBuf>,
    /// `--resolve`, `--connect-to`, `--cacert`, `--proxy`.
    pub(crate) egress: EgressOptions,
    /// `--dry-run`.
    pub(crate) dry_run: bool,
}

/// Adds every implemented option of the one table, globally.
pub(crate) fn add(mut command: Command) -> Command {
    for option in HOST_OPTIONS.iter().filter(|option| option.implemented) {
        // clap brings these two itself.
        if matches!(option.long, "help" | "version") {
            continue;
        }
        let mut arg = Arg::new(id(option.long))
            .long(option.long)
            .help(option.help)
            .global(true)
            .help_heading("Runtime options");
        if let Some(short) = option.short {
            arg = arg.short(short);
        }
        arg = match option.value {
            Some(name) => arg.value_name(name),
            None => arg.action(ArgAction::SetTrue),
        };
        arg = match option.long {
            "format" => arg.value_parser(formats()),
            "resolve" | "connect-to" => arg.action(ArgAction::Append),
            _ if option.value == Some("FILE") => arg.value_hint(ValueHint::FilePath),
            _ => arg,
        };
        command = command.arg(arg);
    }
    command
}

/// Kept apart from plugin arguments of any name.
fn id(long: &str) -> String {
    format!("host:{long}")
}

/// What `--format` takes: the names in help, and their other spellings.
pub(crate) fn formats() -> PossibleValuesParser {
    FORMATS
        .map(|name| {
            let others = OTHER_SPELLINGS.iter().filter(|(_, of)| *of == name);
            PossibleValue::new(name).aliases(others.map(|(spelling, _)| *spelling))
        })
        .into()
}

/// The format asked for behind the site, if any.
pub(crate) fn format(matches: &ArgMatches) -> Option<Format> {
    named_format(matches, &id("format"))
}

/// The format that this argument names, if any.
pub(crate) fn named_format(matches: &ArgMatches, id: &str) -> Option<Format> {
    let name = matches.get_one::<String>(id)?;
    Format::named(name)
}

/// Whether `-v` was given.
pub(crate) fn verbose(matches: &ArgMatches) -> bool {
    matches.get_flag(&id("verbose"))
}

/// Reads the options of one run.
pub(crate) fn read(matches: &ArgMatches) -> Result<HostOptions, CommandError> {
    let one = |long: &str| matches.get_one::<String>(&id(long));
    let many = |long: &str| matches.get_many::<String>(&id(long)).into_iter().flatten();
    let refuse = |long: &str, error: String| CommandError::usage(format!("--{long}: {error}"));
    let options = HostOptions {
        replay: one("replay").map(PathBuf::from),
        record: one("record").map(PathBuf::from),
        trace: one("trace").map(PathBuf::from),
        egress: EgressOptions {
            resolve: many("resolve")
                .map(|rule| {
                    rule.parse::<ResolveRule>()
                        .map_err(|e| CommandError::usage(e.to_string()))
                })
                .collect::<Result<_, _>>()?,
            connect_to: many("connect-to")
                .map(|rule| {
                    rule.parse::<ConnectRule>()
                        .map_err(|e| CommandError::usage(e.to_string()))
                })
                .collect::<Result<_, _>>()?,
            cacert: one("cacert")
                .map(|path| {
                    sr_host::read_file(path.as_ref(), CACERT_BYTES)
                        .map_err(|reason| refuse("cacert", format!("{path}: {reason}")))
                })
                .transpose()?,
            proxy: one("proxy")
                .map(|url| {
                    url.parse::<Proxy>()
                        .map_err(|e| CommandError::usage(e.to_string()))
                })
                .transpose()?,
        },
        dry_run: matches.get_flag(&id("dry-run")),
    };
    if options.replay.is_some() && options.record.is_some() {
        return Err(CommandError::usage(
            "--replay and --record exclude each other",
        ));
    }
    check_trace(&options)?;
    Ok(options)
}

/// A trace goes into a file of its own.
fn check_trace(options: &HostOptions) -> Result<(), CommandError> {
    let Some(trace) = &options.trace else {
        return Ok(());
    };
    if trace.as_os_str() == "-" {
        return Err(CommandError::usage("--trace: not a file: -")
            .hint("name a file; -v shows the host calls on standard error"));
    }
    for (other, path) in [("--replay", &options.replay), ("--record", &options.record)] {
        if path.as_ref().is_some_and(|path| is_same(path, trace)) {
            return Err(CommandError::usage(format!(
                "--trace and {other} name the same file: {}",
                trace.display()
            )));
        }
    }
    Ok(())
}

fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize();
    one == other || matches!((real(one), real(other)), (Ok(one), Ok(other)) if one == other)
}
