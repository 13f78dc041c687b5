//! What goes wrong in the author's loop, as errors of the command line.

use sr_author::AuthorError;
use sr_policy::exit;

use crate::error::CommandError;

impl From<AuthorError> for CommandError {
    fn from(fault: AuthorError) -> Self {
        let message = fault.to_string();
        let error = |code: &str, exit: u8| Self::new(code, message.clone(), exit);
        match &fault {
            AuthorError::Name(_) => error("PLUGIN_NAME", exit::USAGE),
            AuthorError::CrateName { name, .. } => {
                error("PLUGIN_NAME", exit::USAGE).hint(format!("another one, such as: sr-{name}"))
            }
            AuthorError::Taken { .. } => error("USAGE", exit::USAGE)
                .hint("for another place: sr-runtime plugin new NAME --dir DIR"),
            AuthorError::NoProject { .. } => error("USAGE", exit::USAGE).hint(
                "give the folder of a plugin's crate; to make one: sr-runtime plugin new NAME",
            ),
            AuthorError::Manifest { .. } => error("PACKAGE", exit::CONFIG),
            AuthorError::ComponentTaken { .. } => error("PACKAGE", exit::CONFIG)
                .hint("remove it, or give \"component\" in sr-plugin.json another path"),
            AuthorError::Folder(_) | AuthorError::Io { .. } | AuthorError::NoLink { .. } => {
                error("FILES", exit::GENERIC)
            }
            AuthorError::LeadsElsewhere { .. } => {
                error("FILES", exit::GENERIC).hint("remove it: the program makes its own")
            }
            AuthorError::Busy { .. } => error("BUSY", exit::TEMPORARY),
            AuthorError::NoProgram { .. } => {
                error("TOOLCHAIN", exit::GENERIC).hint("it comes with Rust: https://rustup.rs")
            }
            AuthorError::NoTarget { target } => error("TOOLCHAIN", exit::GENERIC)
                .hint(format!("to add it: rustup target add {target}")),
            AuthorError::Failed { .. } => error("CARGO", exit::GENERIC),
            AuthorError::Metadata { .. } => error("CARGO", exit::GENERIC),
            AuthorError::NoComponent { .. } => error("CARGO", exit::GENERIC)
                .hint("in Cargo.toml: [lib] crate-type = [\"cdylib\", \"rlib\"]"),
            AuthorError::Component { .. } => error("COMPONENT", exit::CONFIG),
            AuthorError::NoFixtures { .. } => error("FIXTURE", exit::DATA).hint(
                "a fixture is fixtures/NAME.json: a command, a recording, what must come of it",
            ),
            AuthorError::NoMatch { names, .. } => {
                error("FIXTURE", exit::USAGE).hint(format!("there are: {}", names.join(", ")))
            }
            AuthorError::Fixture(_) => error("FIXTURE", exit::DATA),
            AuthorError::TooManyFiles { .. } => error("FILES", exit::GENERIC)
                .hint("move what is no source out of src, plugin, recordings and fixtures"),
        }
    }
}
