//! The kit: a plugin, its permissions, recorded replies.

use std::cell::RefCell;
use std::rc::Rc;

use serde::Deserialize;
use sr_guest::bindings::exports::sr::runtime::plugin::{Column, GuestPrepared};
use sr_guest::bindings::sr::runtime::log::Level;
use sr_guest::{Command, Failure, Output, Plan, Plugin, PreparedWrite, Result, host};
use sr_policy::recording::{Player, Recording};
use sr_policy::request::{Phase, RequestPolicy};
use sr_policy::{Allowlist, CheckedUrl, command_rules};

use crate::host::{RecordedHost, mistake};
use crate::rows::Rows;
use crate::sitedata::Sitedata;
use crate::{command_line, convert};

/// Code of the failure that a mistake of the test itself ends in: a broken recording, an
/// illegal domain, metadata the host would refuse at install.
pub const TESTKIT: &str = "TESTKIT";

/// Runs a plugin's commands natively. A mistake in its set-up is the answer of every `run`.
pub struct Testkit {
    plugin: Plugin,
    policy: RequestPolicy,
    recording: Recording,
    sitedata: Option<Sitedata>,
    cancelled: bool,
    mistake: Option<String>,
    host: RefCell<Option<Rc<RecordedHost>>>,
}

/// What the kit needs of a manifest.
#[derive(Deserialize)]
struct Permissions {
    #[serde(default)]
    domains: Vec<String>,
    #[serde(default)]
    posts: Vec<String>,
    #[serde(default)]
    capabilities: Vec<String>,
}

impl Testkit {
    /// A plugin with no permissions and no replies.
    #[must_use]
    pub fn new(plugin: Plugin) -> Self {
        Self {
            plugin,
            policy: RequestPolicy {
                fetch: false,
                allowlist: Allowlist::default(),
                posts: Vec::new(),
                phase: Phase::Read,
            },
            recording: Recording::new(0, 0),
            sitedata: None,
            cancelled: false,
            mistake: None,
            host: RefCell::new(None),
        }
    }

    /// A plugin and its recorded replies.
    #[must_use]
    pub fn from_recording(plugin: Plugin, recording: &[u8]) -> Self {
        Self::new(plugin).recording(recording)
    }

    /// Replies from a recording, as `--record` writes it.
    #[must_use]
    pub fn recording(mut self, bytes: &[u8]) -> Self {
        match Recording::from_json(bytes) {
            Ok(recording) => self.recording.exchanges.extend(recording.exchanges),
            Err(error) => self.note(error.to_string()),
        }
        self
    }

    /// Domains, posts and capabilities of the plugin's `sr-plugin.json`, all granted.
    #[must_use]
    pub fn manifest(mut self, bytes: &[u8]) -> Self {
        let permissions: Permissions = match serde_json::from_slice(bytes) {
            Ok(permissions) => permissions,
            Err(error) => {
                self.note(format!("manifest: {error}"));
                return self;
            }
        };
        let has = |name: &str| permissions.capabilities.iter().any(|known| known == name);
        self.policy.fetch = has("fetch");
        if has("sitedata") {
            self.sitedata.get_or_insert_default();
        }
        if has("posts") {
            for post in &permissions.posts {
                match CheckedUrl::parse(post) {
                    Ok(url) => self.policy.posts.push(url),
                    Err(error) => self.note(format!("manifest: posts: {error}")),
                }
            }
        }
        self.allow(&permissions.domains);
        self
    }

    /// The capability `fetch`, for these domains.
    #[must_use]
    pub fn domains(mut self, domains: &[&str]) -> Self {
        self.policy.fetch = true;
        self.allow(domains);
        self
    }

    /// The capability `sitedata` and the bundled document; its domains are allowed as well.
    #[must_use]
    pub fn sitedata(mut self, bytes: &[u8]) -> Self {
        match Sitedata::parse(bytes) {
            Ok(sitedata) => {
                let domains = sitedata
                    .at("/domains")
                    .and_then(serde_json::Value::as_array);
                let domains: Vec<String> = domains
                    .into_iter()
                    .flatten()
                    .filter_map(|domain| domain.as_str().map(str::to_owned))
                    .collect();
                self.allow(&domains);
                self.sitedata = Some(sitedata);
            }
            Err(message) => self.note(message),
        }
        self
    }

    /// The run is cancelled from its start: every host call answers so.
    #[must_use]
    pub fn cancelled(mut self) -> Self {
        self.cancelled = true;
        self
    }

    fn allow<S: AsRef<str>>(&mut self, domains: &[S]) {
        let (allowlist, illegal) = Allowlist::from_entries(domains);
        self.policy.allowlist = self.policy.allowlist.union(&allowlist);
        for error in illegal {
            self.note(error.to_string());
        }
    }

    fn note(&mut self, mistake: String) {
        self.mistake.get_or_insert(mistake);
    }

    /// The commands, checked as the host checks them at install.
    ///
    /// # Errors
    /// `other` with code [`TESTKIT`] naming every fault.
    pub fn commands(&self) -> Result<Vec<Command>> {
        let host = Rc::new(self.fresh_host(Phase::Metadata)?);
        let installed = host::install(host);
        let commands = self.plugin.commands();
        drop(installed);
        let plain: Vec<_> = commands.iter().map(convert::command).collect();
        command_rules::check_commands(&plain).map_err(|faults| mistake(&faults.join("\n")))?;
        Ok(commands)
    }

    /// Runs a read command with words as on the command line.
    ///
    /// # Errors
    /// `invalid` for words that do not fit; the command's own failure; `other` with code
    /// `BROKEN_ROWS` for rows that are not what it declared.
    pub fn run(&self, command: &str, words: &[&str]) -> Result<Rows> {
        let (command, host) = self.start(command, Phase::Read)?;
        let call = command_line::call(&command, words)?;
        let installed = host::install(host.clone());
        let output = self.plugin.run(call);
        drop(installed);
        collect(&host, &command.columns, output)
    }

    /// Prepares a write command; dropping the answer sends nothing.
    ///
    /// # Errors
    /// As [`Testkit::run`].
    pub fn prepare(&self, command: &str, words: &[&str]) -> Result<Write> {
        let (command, host) = self.start(command, Phase::Prepare)?;
        let call = command_line::call(&command, words)?;
        let installed = host::install(host.clone());
        let write = self.plugin.prepare(call);
        drop(installed);
        Ok(Write {
            write: write?,
            host,
            columns: command.columns,
        })
    }

    fn start(&self, name: &str, phase: Phase) -> Result<(Command, Rc<RecordedHost>)> {
        let commands = self.commands()?;
        let command = commands.into_iter().find(|command| {
            command.name == name || command.aliases.iter().any(|alias| alias == name)
        });
        let command = command.ok_or_else(|| mistake(&format!("no command {name}")))?;
        let host = Rc::new(self.fresh_host(phase)?);
        self.host.replace(Some(host.clone()));
        Ok((command, host))
    }

    fn fresh_host(&self, phase: Phase) -> Result<RecordedHost> {
        if let Some(message) = &self.mistake {
            return Err(mistake(message));
        }
        let mut policy = self.policy.clone();
        policy.phase = phase;
        Ok(RecordedHost {
            policy: policy.into(),
            player: Player::new(self.recording.clone()).into(),
            sitedata: self.sitedata.clone(),
            cancelled: self.cancelled,
            lines: Vec::new().into(),
            labels: Vec::new().into(),
            requests: Vec::new().into(),
            early: Vec::new().into(),
            asked: 0.into(),
        })
    }

    /// The log lines of the last run.
    #[must_use]
    pub fn logs(&self) -> Vec<(Level, String)> {
        self.last(|host| host.lines.borrow().clone())
    }

    /// The progress labels of the last run.
    #[must_use]
    pub fn progress(&self) -> Vec<String> {
        self.last(|host| host.labels.borrow().clone())
    }

    /// The requests that left in the last run, each `METHOD URL`, every redirect hop its own.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        self.last(|host| host.requests.borrow().clone())
    }

    fn last<T: Default>(&self, read: impl FnOnce(&RecordedHost) -> T) -> T {
        self.host.borrow().as_deref().map(read).unwrap_or_default()
    }
}

fn collect(host: &RecordedHost, columns: &[Column], output: Result<Output>) -> Result<Rows> {
    let early = host.early.take();
    Rows::checked(columns, early, output?)
}

/// A prepared write.
pub struct Write {
    write: PreparedWrite,
    host: Rc<RecordedHost>,
    columns: Vec<Column>,
}

impl Write {
    /// What it will do.
    #[must_use]
    pub fn plan(&self) -> Plan {
        self.write.plan()
    }

    /// Does it. The host lets it happen once.
    ///
    /// # Errors
    /// The command's own failure; `invalid` the second time.
    pub fn commit(&self) -> Result<Rows, Failure> {
        self.host.set_phase(Phase::Commit);
        let installed = host::install(self.host.clone());
        let output = self.write.commit();
        drop(installed);
        collect(&self.host, &self.columns, output)
    }
}

impl core::fmt::Debug for Write {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Write")
            .field("plan", &self.plan())
            .finish()
    }
}

impl core::fmt::Debug for Testkit {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Testkit")
            .field("mistake", &self.mistake)
            .finish_non_exhaustive()
    }
}
