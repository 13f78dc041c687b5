//! What was found, as plain data. All texts are the plugins' own and untrusted.

use std::collections::BTreeSet;
use std::path::PathBuf;

use sr_policy::Capability;

/// Everything that was found.
#[derive(Debug, Clone, Default)]
pub struct Migration {
    /// The folder that was looked at.
    pub folder: PathBuf,
    /// Whether it is there.
    pub found: bool,
    /// The plugins, by name.
    pub plugins: Vec<FoundPlugin>,
    /// What could not be read, outside of one plugin.
    pub problems: Vec<String>,
}

/// One plugin.
#[derive(Debug, Clone, Default)]
pub struct FoundPlugin {
    /// The name of its entry in the folder.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
    /// Where the lock says it came from.
    pub origin: Option<Origin>,
    /// The manifest's version, else the first characters of the recorded commit.
    pub version: Option<String>,
    /// The manifest's description.
    pub description: Option<String>,
    /// The commands it seems to register, in the order of files and lines.
    pub commands: Vec<FoundCommand>,
    /// Capabilities it would ask for here.
    pub capabilities: BTreeSet<Capability>,
    /// Domains its commands name.
    pub domains: BTreeSet<String>,
    /// What its author would do, in order.
    pub steps: Vec<String>,
    /// What it needs and this runtime does not have yet.
    pub missing: Vec<String>,
    /// What could not be read.
    pub problems: Vec<String>,
}

/// Where the ancestor's lock says a plugin came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A repository.
    Git {
        /// Its address.
        url: String,
    },
    /// A folder of the person's own.
    Local {
        /// The folder.
        path: String,
    },
    /// One folder of a repository.
    Monorepo {
        /// The repository's address.
        url: String,
        /// Its name among the clones.
        repository: String,
        /// The folder in it.
        folder: String,
    },
    /// A single text, as early versions wrote it.
    Text(String),
}

/// A value in a script, as far as it can be read without running it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Literal {
    /// Not given.
    #[default]
    Absent,
    /// Given, and computed.
    Unreadable,
    /// Given as a literal.
    Text(String),
}

impl Literal {
    /// The text of a literal.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Absent | Self::Unreadable => None,
        }
    }
}

/// A command that a script seems to register.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundCommand {
    /// The script.
    pub file: String,
    /// The line of the registration, from 1.
    pub line: usize,
    /// `site`.
    pub site: Literal,
    /// `name`.
    pub name: Literal,
    /// `access`: `read` or `write`.
    pub access: Literal,
    /// `domain`.
    pub domain: Literal,
    /// `strategy`, in lower case.
    pub strategy: Literal,
    /// `browser`: `true` or `false`.
    pub browser: Literal,
    /// Names of its arguments that are literals.
    pub arguments: Vec<String>,
    /// It is a list of steps instead of a function.
    pub pipeline: bool,
}

impl FoundCommand {
    /// The strategy in force: the ancestor's default is `public` without a browser, else `cookie`.
    #[must_use]
    pub fn effective_strategy(&self) -> Option<&str> {
        match (&self.strategy, &self.browser) {
            (Literal::Text(strategy), _) => Some(strategy),
            (Literal::Unreadable, _) | (Literal::Absent, Literal::Unreadable) => None,
            (Literal::Absent, Literal::Text(browser)) if browser == "false" => Some("public"),
            (Literal::Absent, _) => Some("cookie"),
        }
    }

    /// Whether it drives a browser: by default unless it is public or local.
    #[must_use]
    pub fn needs_browser(&self) -> bool {
        match &self.browser {
            Literal::Text(browser) => browser == "true",
            Literal::Absent | Literal::Unreadable => self
                .effective_strategy()
                .is_some_and(|strategy| !matches!(strategy, "public" | "local")),
        }
    }

    /// The keys that are given and cannot be read.
    #[must_use]
    pub fn unreadable(&self) -> Vec<&'static str> {
        [
            ("site", &self.site),
            ("name", &self.name),
            ("access", &self.access),
            ("domain", &self.domain),
            ("strategy", &self.strategy),
            ("browser", &self.browser),
        ]
        .into_iter()
        .filter(|(_, value)| **value == Literal::Unreadable)
        .map(|(key, _)| key)
        .collect()
    }
}
