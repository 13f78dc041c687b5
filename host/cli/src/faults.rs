//! Faults and failures as errors of the command line: the code, the words, the fix.

use std::path::PathBuf;

use sr_host::{Changed, EngineError, Fault, HostError, Instead, MoreAsked};
use sr_plugin::{HomeError, OpenError, shown_path};
use sr_policy::failure::codes;
use sr_policy::{Denial, Failure, Grants, exit};

use crate::error::CommandError;
use crate::git_faults;

impl From<Fault> for CommandError {
    fn from(fault: Fault) -> Self {
        let message = fault.to_string();
        let error = |code: &str, exit: u8| Self::new(code, message.clone(), exit);
        match &fault {
            Fault::Source { advice, .. } => error("USAGE", exit::USAGE).hint(advice.as_str()),
            Fault::NothingToFetch { option, .. } => {
                error("USAGE", exit::USAGE).hint(format!("leave {option} out"))
            }
            Fault::PathNotUtf8 { .. } => error("USAGE", exit::USAGE)
                .hint("the lock file names the folder and is JSON"),
            Fault::NoFolder { instead, .. } => near(error("FILES", exit::GENERIC), instead),
            Fault::NoPackage { instead, .. } => near(error("PACKAGE", exit::CONFIG), instead),
            Fault::Archive { .. } => error("USAGE", exit::USAGE).hint(
                "unpack it yourself, look at what it holds, and install the folder",
            ),
            Fault::GitAddress(_) => error("USAGE", exit::USAGE).hint(
                "write git+https://HOST/PATH#REF, or git+https://HOST/PATH?path=FOLDER#REF",
            ),
            Fault::Git(fault) => git_faults::told(fault, error),
            Fault::Name(_) => error("PLUGIN_NAME", exit::USAGE),
            Fault::NotInstalled { .. }
            | Fault::Home(HomeError::NotInstalled { .. })
            | Fault::Open(OpenError::NotInstalled { .. }) => {
                error("NOT_INSTALLED", exit::USAGE).hint("sr-runtime plugin list shows what is")
            }
            Fault::Package(_) => error("PACKAGE", exit::CONFIG),
            Fault::Engine(EngineError::Store { .. } | EngineError::StoreUnsafe { .. }) => {
                error("FILES", exit::GENERIC)
            }
            Fault::Component { error: machine, .. } | Fault::Engine(machine)
                if is_of_the_machine(machine) =>
            {
                error("RUNTIME", exit::GENERIC)
            }
            Fault::Component {
                error: EngineError::ImportNotOffered { .. } | EngineError::Version { .. },
                ..
            } => error("COMPONENT", exit::CONFIG)
                .hint("get a build of the plugin for what is offered here, or a newer sr-runtime")
                .hint("other plugins are not affected"),
            Fault::Engine(_) | Fault::Component { .. } => error("COMPONENT", exit::CONFIG),
            Fault::Host(HostError::System(_)) => error("FILES", exit::GENERIC)
                .hint("a limit of the shell, such as ulimit -f or ulimit -v, holds for it too"),
            Fault::Host(HostError::Metadata { guest, .. }) => {
                let mut trapped = error("PLUGIN_TRAPPED", exit::TRAPPED);
                trapped.hints.extend(guest.as_ref().map(|words| format!("the plugin said: {words}")));
                trapped
            }
            Fault::Host(HostError::Commands { .. }) => error("COMPONENT", exit::CONFIG),
            Fault::Host(_) | Fault::NoRuntime(_) => error("RUNTIME", exit::GENERIC),
            Fault::Capabilities(gaps) => {
                let mut names: Vec<String> =
                    gaps.iter().map(|gap| format!("{:?}", gap.capability.name())).collect();
                names.sort();
                names.dedup();
                error("CAPABILITY_NOT_ASKED", exit::AUTH)
                    .hint(format!("in sr-plugin.json: \"capabilities\": [{}]", names.join(", ")))
            }
            Fault::Home(HomeError::Busy { .. }) => error("BUSY", exit::TEMPORARY),
            Fault::Home(HomeError::AlreadyInstalled { .. }) => error("ALREADY_INSTALLED", exit::GENERIC),
            Fault::Home(HomeError::Lock(_)) | Fault::Lock(_) => error("LOCK", exit::INTEGRITY),
            Fault::Home(HomeError::Unrecorded { .. }) => error("UNRECORDED", exit::INTEGRITY),
            Fault::Home(_) | Fault::Io(_) => error("FILES", exit::GENERIC),
            Fault::Open(_) => error("MISSING", exit::INTEGRITY).hint(
                "put the folder back, or uninstall the plugin and install it from its new place",
            ),
            Fault::Unrecorded { name } => error("UNRECORDED", exit::INTEGRITY).hint(format!(
                "to record it and grant what it asks for: sr-runtime plugin update {name} --grant"
            )),
            Fault::Mismatch(change) => error("INTEGRITY", exit::INTEGRITY).hint(change.advice()),
            Fault::LiveMetadata { name } => error("METADATA", exit::INTEGRITY).hint(format!(
                "its `commands` must not depend on anything; tell its author, or run: sr-runtime plugin update {name}"
            )),
            Fault::NoDomains { .. } => error("NO_DOMAINS", exit::CONFIG)
                .hint("in sr-plugin.json: \"domains\": [\"example.com\"]"),
            Fault::AsksForMore { name, asked } => {
                let MoreAsked { more, writes, moved } = asked.as_ref();
                let mut asks = error("GRANT", exit::AUTH);
                asks.hints = more_lines(more)
                    .into_iter()
                    .map(|line| format!("it now also asks for {line}"))
                    .collect();
                if !writes.is_empty() {
                    asks.hints.push(format!("it now also asks for commands that write: {}", writes.join(", ")));
                }
                asks.hints.extend(moved.as_ref().map(ToString::to_string));
                asks.hint(format!("to allow it: sr-runtime plugin update {name} --grant"))
            }
            Fault::WriteNotGranted { name, .. } => error("GRANT", exit::AUTH).hint(format!(
                "to allow it: sr-runtime plugin update {name} --grant"
            )),
            Fault::Index { name, .. } => error("LOCK", exit::INTEGRITY).hint(format!(
                "to record it anew: sr-runtime plugin update {name}"
            )),
            Fault::NotAnAuthors { .. } => error("USAGE", exit::USAGE),
            Fault::RecordingFull { .. } => error("RECORDING", exit::DATA),
            Fault::OtherName { .. } => error("PACKAGE", exit::CONFIG),
            Fault::Recording { .. } => error("RECORDING", exit::DATA)
                .hint("a recording is made by a run with --record FILE"),
            Fault::Trace { .. } => error("TRACE", exit::DATA),
            Fault::Egress(_) => error("USAGE", exit::USAGE),
        }
    }
}

/// What leads from a folder that is no package to one that is.
fn near(error: CommandError, instead: &Instead) -> CommandError {
    let install = |path: &PathBuf| format!("sr-runtime plugin install {}", shown_path(path));
    match instead {
        Instead::Crate { root, built } if built.is_empty() => error.hint(format!(
            "{} is a plugin's crate, and install never builds: sr-runtime plugin build {}, then install dist/NAME of it",
            shown_path(root),
            shown_path(root),
        )),
        Instead::Crate { built, .. } => built
            .iter()
            .fold(error, |error, path| error.hint(format!("what was built of this crate: {}", install(path)))),
        Instead::Packages(found) => found
            .iter()
            .fold(error, |error, path| error.hint(format!("a package in it: {}", install(path)))),
        Instead::Other => error.hint("give the folder of a built package, as plugin build writes it to dist/NAME"),
    }
}

/// Whatever went wrong with a plugin whose files were changed: that they were is told with it.
pub(crate) fn of_changed(mut error: CommandError, change: &Changed) -> CommandError {
    if !error.hints.contains(&change.advice()) {
        error.hints.push(change.to_string());
        error.hints.push(change.advice());
    }
    error
}

/// The system refused, whatever the component is.
fn is_of_the_machine(error: &EngineError) -> bool {
    matches!(
        error,
        EngineError::CompilerProcess(_)
            | EngineError::CompileThread(_)
            | EngineError::Configuration(_)
    )
}

/// A request that a recording has no reply for, and the one it has that is nearest.
pub(crate) fn replay_missed(missed: &sr_host::Missed) -> String {
    let text = format!("the recording has no answer for: {}", missed.request);
    match &missed.nearest {
        Some(nearest) => format!("{text}\nthe nearest it has: {nearest}"),
        None => text,
    }
}

/// What a grant covers, one line a kind.
pub(crate) fn more_lines(more: &Grants) -> Vec<String> {
    let mut lines = Vec::new();
    if !more.domains.is_empty() {
        lines.push(format!("domains: {}", more.domains.join(", ")));
    }
    if !more.posts.is_empty() {
        lines.push(format!("posts: {}", more.posts.join(", ")));
    }
    if !more.capabilities.is_empty() {
        let names: Vec<&str> = more.capabilities.iter().map(|one| one.name()).collect();
        lines.push(format!("capabilities: {}", names.join(", ")));
    }
    lines
}

/// A command's failure. `committed` means a write may have taken effect.
pub(crate) fn failure(failure: &Failure, committed: bool) -> CommandError {
    let exit = exit::for_failure(failure);
    let code = exit::code_for(failure);
    let error = match failure {
        Failure::Denied(denial) => denied(denial, exit),
        Failure::LoginWall { at, evidence } => CommandError::new(
            code,
            format!(
                "the site wants a login at {}{}: {evidence}",
                at.origin, at.path
            ),
            exit,
        ),
        Failure::Empty(what) => CommandError::new(code, what.clone(), exit),
        Failure::SelectorMiss {
            selector,
            key,
            strategy,
        } => {
            let key = key.as_deref().unwrap_or("no key");
            CommandError::new(
                code,
                format!("nothing on the page for {selector} ({key}, strategy {strategy})"),
                exit,
            )
        }
        Failure::Timeout { what, limit_ms } => {
            CommandError::new(code, format!("{what} took longer than {limit_ms} ms"), exit)
        }
        Failure::Stale { candidates, .. } => {
            let mut error = CommandError::new(code, "the page changed under the command", exit);
            error.hints = candidates.clone();
            error
        }
        Failure::Busy(holder) => {
            CommandError::new(code, format!("the session is busy: {holder}"), exit)
        }
        Failure::Throttled {
            evidence,
            retry_after_ms,
        } => {
            let error = CommandError::new(
                code,
                format!("the site asks to slow down: {evidence}"),
                exit,
            );
            match retry_after_ms {
                Some(ms) => error.hint(format!("try again in {} s", ms.div_ceil(1_000))),
                None => error,
            }
        }
        Failure::Invalid { name, reason } => {
            CommandError::new(code, format!("{name}: {reason}"), exit)
        }
        Failure::Unavailable(what) => CommandError::new(code, what.clone(), exit),
        Failure::Cancelled => CommandError::new(code, "cancelled", exit),
        Failure::Other { message, hint, .. } => {
            let mut error = CommandError::new(code, message.clone(), exit);
            error.hints.extend(hint.clone());
            error
        }
    };
    match committed {
        true => verify_before_retry(error),
        false => error,
    }
}

/// Whatever ended a write after `commit` was entered: it may have taken effect.
pub(crate) fn verify_before_retry(mut error: CommandError) -> CommandError {
    error.message = format!("{} ({})", error.message, error.code);
    "VERIFY_BEFORE_RETRY".clone_into(&mut error.code);
    error.exit = exit::TEMPORARY;
    error.hints.insert(
        0,
        "the write may have taken effect: check the site before you run it again".into(),
    );
    error
}

fn denied(denial: &Denial, exit: u8) -> CommandError {
    let says = match denial.code.as_str() {
        codes::CAPABILITY_NOT_GRANTED => "not granted to this plugin",
        codes::NOT_DURING_METADATA => "not available while commands are listed",
        codes::NOT_DURING_PREPARE => "not while a write is only being prepared",
        codes::METHOD_NOT_ALLOWED => "a read command may not send this",
        codes::LIMIT_REACHED => "a limit of the run is used up",
        _ => "refused",
    };
    let error = CommandError::new(
        &denial.code,
        format!("{says} (rule {}): {}", denial.rule, denial.subject),
        exit,
    );
    match &denial.fix {
        Some(fix) => error.hint(format!("the plugin's sr-plugin.json would need: {fix}")),
        None => error,
    }
}
