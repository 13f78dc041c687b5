//! The options of a command that can fetch from a repository.

use std::time::Duration;

use clap::{Arg, ArgMatches, Command, value_parser};
use sr_host::FetchOptions;
use sr_host::git::limits::{FETCH, LONGEST_FETCH};

use crate::error::CommandError;
use crate::host_options::CACERT_BYTES;
use crate::root::Context;

const OPTIONS: [(&str, &str); 2] = [("cacert", "--cacert"), ("timeout", "--timeout")];

/// Adds `--cacert` and `--timeout`.
pub(super) fn add(command: Command) -> Command {
    command
        .arg(
            Arg::new("cacert")
                .long("cacert")
                .value_name("FILE")
                .help("Trust the PEM certificates in FILE for the repository's server, instead of the system's"),
        )
        .arg(
            Arg::new("timeout")
                .long("timeout")
                .value_name("SECONDS")
                .value_parser(value_parser!(u64).range(1..=LONGEST_FETCH.as_secs()))
                .help(format!(
                    "End fetching from a repository after this time, {} unless told",
                    FETCH.as_secs()
                )),
        )
}

/// What they say.
pub(super) fn read(context: &Context, matches: &ArgMatches) -> Result<FetchOptions, CommandError> {
    let cacert = matches
        .get_one::<String>("cacert")
        .map(|path| {
            sr_host::read_file(path.as_ref(), CACERT_BYTES)
                .map_err(|reason| CommandError::usage(format!("--cacert: {path}: {reason}")))
        })
        .transpose()?;
    let time = matches
        .get_one::<u64>("timeout")
        .map_or(FETCH, |seconds| Duration::from_secs(*seconds));
    Ok(FetchOptions {
        search: context.search.clone(),
        cacert,
        time,
        named: OPTIONS
            .into_iter()
            .filter(|(id, _)| matches.contains_id(id))
            .map(|(_, option)| option)
            .collect(),
    })
}
