//! The words before a site or a built-in command.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};
use sr_host::{Runtime, Strictness};
use sr_plugin::Home;
use sr_policy::exit;

use crate::error::CommandError;
use crate::help::{self, Subject};
use crate::output::{Document, Format};
use crate::settings::{self, Settings};
use crate::shell::{self, Shell};
use crate::usage::clap_error;
use crate::{Ended, completion, host_options, line, list, plugin_command, site};

/// What every built-in command gets.
pub(crate) struct Context {
    /// The runtime over the person's home, or why there is none: not every command needs it.
    runtime: Result<Runtime, CommandError>,
    /// Where text goes.
    pub(crate) shell: Shell,
    /// The asked format, if any.
    pub(crate) format: Option<Format>,
    /// `PATH`, for the programs that a command starts.
    pub(crate) search: OsString,
}

impl Context {
    /// The runtime over the person's home.
    pub(crate) fn runtime(&self) -> Result<&Runtime, CommandError> {
        self.runtime.as_ref().map_err(Clone::clone)
    }

    /// Writes what a command of the program did: a short text, or the document in the format
    /// that was asked for.
    pub(crate) fn report(
        &self,
        document: impl Into<Document>,
        text: impl FnOnce() -> String,
    ) -> Result<(), CommandError> {
        match self.format {
            Some(format) => self.shell.document(format, &document.into()),
            None => self.shell.print(&text()),
        }
    }
}

/// Parses the first words and hands over.
pub(crate) fn run(words: &[OsString], shell: Shell) -> Ended {
    if let Some((first, words)) = words.split_first()
        && first == completion::ENGINE
    {
        return completion::answer(words, shell);
    }
    let words = help::with_help_option(words);
    let program = OsString::from("sr-runtime");
    let parsed = parser().try_get_matches_from(std::iter::once(&program).chain(&words));
    let matches = match parsed {
        Ok(matches) => matches,
        Err(error) if help::is_help(&error, shell.format) => return own_help(&words, shell),
        Err(error) => {
            let ended = clap_error(&error, shell, parser(), &words);
            return ended.map_err(|usage| name_a_site(usage, &error));
        }
    };
    let shell = Shell {
        verbose: matches.get_flag("verbose"),
        ..shell
    };
    if let Some(("completion", matches)) = matches.subcommand() {
        return completion::print(matches, shell);
    }
    let context = Context {
        runtime: runtime(),
        shell,
        format: host_options::named_format(&matches, "format"),
        search: settings::search(),
    };
    match matches.subcommand() {
        Some(("plugin", matches)) => plugin_command::run(&context, matches),
        Some(("list", _)) => list::run(&context),
        Some((name, matches)) => {
            let rest: Vec<OsString> = matches
                .get_many::<OsString>("")
                .into_iter()
                .flatten()
                .cloned()
                .collect();
            site::run(context, name, &rest)
        }
        None => Err(CommandError::usage("no command given")),
    }
}

/// The runtime over the home that the environment names.
pub(crate) fn runtime() -> Result<Runtime, CommandError> {
    let settings = Settings::read()?;
    let strictness = Strictness {
        domains: settings.strict_domains,
        integrity: settings.strict_integrity,
    };
    Ok(Runtime::new(Home::at(&settings.home), strictness))
}

/// Help about the program's own commands, as data.
fn own_help(words: &[OsString], shell: Shell) -> Ended {
    let mut tree = parser();
    tree.build();
    let place = line::follow(&tree, &line::as_text(words));
    let document = help::document(&place.path.join(" "), place.command, &Subject::Own);
    let format = shell.format.unwrap_or(Format::Yaml);
    shell.document(format, &document.into())?;
    Ok(exit::OK)
}

/// `plugin SITE` may mean the site itself.
fn name_a_site(mut usage: CommandError, error: &clap::Error) -> CommandError {
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
        && let Ok(plugins) = runtime().and_then(|runtime| Ok(runtime.list()?))
        && plugins.iter().any(|plugin| plugin.name.as_str() == word)
    {
        usage
            .hints
            .insert(0, format!("{word} is a site: sr-runtime {word}"));
    }
    usage
}

/// The parser of everything but the plugins' own commands.
pub(crate) fn parser() -> Command {
    Command::new("sr-runtime")
        .about("Run commands on websites through sandboxed plugins")
        .version(env!("CARGO_PKG_VERSION"))
        .term_width(shell::help_width())
        .subcommand_required(true)
        .arg_required_else_help(true)
        .allow_external_subcommands(true)
        .external_subcommand_value_parser(clap::value_parser!(OsString))
        .arg(
            Arg::new("format")
                .short('f')
                .long("format")
                .value_name("FORMAT")
                .value_parser(host_options::formats())
                .global(true)
                .help("Output format"),
        )
        .arg(
            Arg::new("verbose")
                .short('v')
                .long("verbose")
                .action(ArgAction::SetTrue)
                .global(true)
                .help("Show log lines and the plugin's own output"),
        )
        .subcommand(plugin_command::parser())
        .subcommand(list::parser())
        .subcommand(completion::parser())
        .after_help(format!(
            "A plugin's commands run as `sr-runtime SITE COMMAND`; `sr-runtime list` shows them.\n\n{}",
            help::own_examples("sr-runtime")
        ))
}
