//! The result: schema 1 of `schema/browsers.schema.json`, and why something is not in it.

use serde::{Deserialize, Serialize};

use crate::explain::Note;
use crate::machine::Source;

/// What was found, best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The version of this shape: 1.
    pub schema: u32,
    /// Endpoints and browsers of an older Chromium are left out.
    pub min_chromium: u32,
    /// Endpoints and installed browsers.
    pub entries: Vec<Entry>,
    /// Every place that was looked at, and what was there. No part of schema 1.
    #[serde(skip)]
    pub notes: Vec<Note>,
}

impl Report {
    /// The entry that a program may take without being asked: the first that is not six's.
    #[must_use]
    pub fn auto(&self) -> Option<&Entry> {
        self.entries.iter().find(|entry| !entry.is_six())
    }
}

/// One line of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// `cdp:HOST:PORT`, or the browser's id.
    pub id: String,
    /// `endpoint` or `installed`.
    pub kind: &'static str,
    /// Its rank, 1 to 6; 1 is best.
    pub tier: u8,
    /// What a person calls it.
    pub name: String,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it is.
    #[serde(flatten)]
    pub what: What,
}

impl Entry {
    /// Whether it is in a profile of SLICC six, which nobody chooses by default.
    #[must_use]
    pub fn is_six(&self) -> bool {
        matches!(&self.what, What::Endpoint(endpoint) if endpoint.six)
    }
}

/// A running browser or an installed one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// One that listens.
    Endpoint(Endpoint),
    /// One that could be started.
    Installed(Installed),
}

/// A browser that can be driven now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Endpoint {
    /// `http://HOST:PORT`.
    pub cdp: String,
    /// The address of its WebSocket.
    pub web_socket_debugger_url: String,
    /// What a person calls it.
    pub name: String,
    /// The version behind the slash of [`Self::product`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// `Browser` of its `/json/version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<String>,
    /// Its user agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// The source that found it and counts most.
    pub source: Source,
    /// The id of the browser whose own profile folder it uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser: Option<String>,
    /// Its profile folder, when that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_data_dir: Option<String>,
    /// The name of its profile among seven's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// It listens, and serves no `/json/version`: only the WebSocket can be used.
    #[serde(skip_serializing_if = "is_false")]
    pub ws_only: bool,
    /// It is in a profile of SLICC six.
    #[serde(skip_serializing_if = "is_false")]
    pub six: bool,
    /// Whether one of seven's tabs is open in it.
    pub seven_open: bool,
    /// Those tabs.
    pub seven_tabs: Vec<Tab>,
    /// The other pages, when they were asked for; never a protected one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tabs: Option<Vec<Tab>>,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tab {
    /// Its id in the protocol.
    pub id: String,
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
}

/// A browser, or an application made like one, that is on the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Installed {
    /// The catalog's id, or `electron:NAME`.
    pub id: String,
    /// What a person calls it.
    pub name: String,
    /// `chromium` or `electron`.
    pub engine: String,
    /// Its release channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Its version, when that could be told without starting it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The application: a bundle, a folder or a program.
    pub path: String,
    /// What is started.
    pub executable: String,
    /// `CFBundleIdentifier` on macOS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle_id: Option<String>,
    /// The package system it comes through: `snap` or `flatpak`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// Its name in there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// Where it keeps its profiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_data_dir: Option<String>,
    /// `supported`, `disabled` or `unknown`: whether it takes the debugging switch.
    pub debug_support: String,
    /// It is a build for debugging.
    #[serde(default, skip_serializing_if = "is_false")]
    pub debug_build: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form serde calls")]
fn is_false(value: &bool) -> bool {
    !*value
}
