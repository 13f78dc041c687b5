//! `sr-runtime plugin build --watch`: build, run one command, wait for a change, again.

use std::ffi::OsString;

use sr_author::{Snapshot, Workshop};
use sr_policy::exit;

use super::build::build;
use crate::Ended;
use crate::error::CommandError;
use crate::root::Context;
use crate::site;

/// Goes on until it is interrupted, or the folder cannot be looked at any more. What fails is told
/// and waits for the next change.
pub(super) fn run(context: &Context, workshop: &Workshop, words: &[OsString]) -> Ended {
    // A run catches the interrupt to cancel itself; here it ends everything.
    sr_host::end_when_asked(exit::INTERRUPTED);
    let project = workshop.project();
    loop {
        // Taken before the build: what is saved during it is built next.
        let seen = Snapshot::of(project)?;
        if let Err(error) = once(context, workshop, words) {
            context.shell.fail(&error);
        }
        context.shell.note("waiting for a change; Ctrl-C ends");
        seen.changed(project)?;
    }
}

fn once(context: &Context, workshop: &Workshop, words: &[OsString]) -> Result<(), CommandError> {
    let plugin = build(context, workshop)?;
    if !words.is_empty() {
        let site = plugin.name.to_string();
        site::run_opened(context, &plugin, &site, words)?;
    }
    Ok(())
}
