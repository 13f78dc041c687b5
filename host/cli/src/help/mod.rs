//! Help for programs: the same tree that parses the command line, as one document for each level.

mod document;
mod examples;
mod request;

pub(crate) use document::{Subject, access, document, range};
pub(crate) use examples::{
    for_command as examples_for, for_site, of_plugin, own as own_examples, text as examples_text,
};
pub(crate) use request::{is_help, with_help_option};
