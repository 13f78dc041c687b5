//! From finds to endpoints: what answers, what is the same, what it is called.

use std::collections::BTreeMap;

use serde_json::Value;
use sr_policy::protected::Protected;

use crate::address::web_socket_path;
use crate::ask::Address;
use crate::core::Core;
use crate::explain::{Notes, Outcome};
use crate::find::Find;
use crate::look::{Heard, Look};
use crate::machine::{Machine, Source};
use crate::report::{Endpoint, Entry, What};
use crate::tabs::TabRules;

/// What a browser says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Version {
    web_socket: String,
    product: Option<String>,
    user_agent: Option<String>,
}

/// A find whose address was asked, and is in the list.
struct Live<'f, 'c> {
    find: &'f Find<'c>,
    /// Nothing when only its WebSocket is known.
    version: Option<Version>,
    web_socket: String,
}

/// The endpoints behind some finds. While answers are missing, fewer.
pub(crate) fn all(
    core: &Core,
    machine: &Machine,
    protected: &Protected,
    finds: &[Find<'_>],
    look: &mut Look<'_>,
    notes: &mut Notes,
) -> Vec<Entry> {
    // In the order of finding, so that ties go to the first.
    let mut merged: Vec<Vec<Live<'_, '_>>> = Vec::new();
    let mut places: BTreeMap<(&str, u16), usize> = BTreeMap::new();
    for find in finds {
        if find.late {
            // The last round: what a good answer would lead to is asked with it.
            let _ = look.list(&find.address);
        }
        let Some(live) = check(core, find, look, notes) else {
            continue;
        };
        let next = merged.len();
        let place = *places.entry(find.address.key()).or_insert(next);
        match merged.get_mut(place) {
            Some(same) => same.push(live),
            None => merged.push(vec![live]),
        }
    }
    let rules = TabRules::new(
        core,
        protected,
        &machine.origins,
        machine.options.seven_tabs,
    );
    merged
        .iter()
        .filter_map(|same| entry(core, machine, same, &rules, look, notes))
        .collect()
}

/// Asks the address of a find, and judges the answer by what the find promises.
fn check<'f, 'c>(
    core: &Core,
    find: &'f Find<'c>,
    look: &mut Look<'_>,
    notes: &mut Notes,
) -> Option<Live<'f, 'c>> {
    let heard = look.version(&find.address)?;
    let version = match heard {
        Heard::Http { status: 200, body } => version(body),
        _ => None,
    };
    let mut refuse = |outcome: Outcome, detail: Option<String>| {
        let hint = detail.or_else(|| find.hint.map(str::to_owned));
        match hint {
            Some(hint) => notes.tell(find.source, &find.place, outcome, hint),
            None => notes.add(find.source, &find.place, outcome),
        }
        None
    };
    let shown = || format!("{}:{}", find.address.host, find.address.port);
    if let Some(version) = version {
        if let Some(path) = &find.path
            && web_socket_path(&version.web_socket).as_deref() != Some(path)
        {
            let detail = format!("another browser listens on {} now", shown());
            return refuse(Outcome::Stale, Some(detail));
        }
        if let Some(major) = too_old(core, version.user_agent.as_deref()) {
            let least = core.catalog.min_chromium_major;
            let detail = format!("Chromium {major}, listed from {least} on");
            return refuse(Outcome::TooOld, Some(detail));
        }
        return Some(Live {
            find,
            web_socket: version.web_socket.clone(),
            version: Some(version),
        });
    }
    let is_file = find.path.is_some();
    match heard {
        Heard::Refused if is_file => {
            let detail = format!("nothing listens on {}", shown());
            refuse(Outcome::Stale, Some(detail))
        }
        Heard::Refused => refuse(Outcome::Refused, None),
        Heard::Timeout => refuse(Outcome::Timeout, None),
        Heard::Open | Heard::Http { .. } => {
            let Address { host, port, .. } = &find.address;
            let web_socket = match (&find.path, &find.web_socket) {
                (Some(path), _) => format!("ws://{host}:{port}{path}"),
                (None, Some(named)) => named.clone(),
                (None, None) => {
                    let detail = format!(
                        "{} answers, and not as a browser; when debugging was turned on at chrome://inspect, only the file in its profile tells its address",
                        shown()
                    );
                    return refuse(Outcome::NotABrowser, Some(detail));
                }
            };
            Some(Live {
                find,
                version: None,
                web_socket,
            })
        }
    }
}

/// Reads `/json/version`; nothing when it names no WebSocket.
fn version(body: &str) -> Option<Version> {
    let value: Value = serde_json::from_str(body).ok()?;
    let text = |name: &str| {
        let text = value.get(name)?.as_str()?;
        (!text.is_empty()).then(|| text.to_owned())
    };
    Some(Version {
        web_socket: text("webSocketDebuggerUrl")?,
        product: text("Browser"),
        user_agent: text("User-Agent"),
    })
}

/// The major version of a Chromium that is too old to be listed.
fn too_old(core: &Core, user_agent: Option<&str>) -> Option<u64> {
    let found = core.chrome_major.captures(user_agent?)?;
    let major: u64 = found.get(1)?.as_str().parse().ok()?;
    (major < u64::from(core.catalog.min_chromium_major)).then_some(major)
}

/// Finds of one host and port as one entry.
fn entry(
    core: &Core,
    machine: &Machine,
    same: &[Live<'_, '_>],
    rules: &TabRules<'_>,
    look: &mut Look<'_>,
    notes: &mut Notes,
) -> Option<Entry> {
    let rank = |source: Source| {
        let ranks = &core.catalog.discovery.source_rank;
        ranks.get(source.as_str()).copied().unwrap_or(u8::MAX)
    };
    // The first of the best rank.
    let winner = same.iter().min_by_key(|live| rank(live.find.source))?;
    let tabs = match &winner.version {
        None => Some(crate::tabs::Tabs::default()),
        Some(_) => look.list(&winner.find.address).map(|heard| match heard {
            Heard::Http { status: 200, body } => rules.read(body),
            _ => crate::tabs::Tabs::default(),
        }),
    };
    let tabs = tabs?;
    for live in same {
        let outcome = match std::ptr::eq(live, winner) {
            true => Outcome::Listed,
            false => Outcome::Merged,
        };
        notes.add(live.find.source, &live.find.place, outcome);
    }
    let find = winner.find;
    let six = same.iter().find(|live| live.find.six);
    let user_data_dir = find
        .dir
        .clone()
        .or_else(|| six.and_then(|live| live.find.dir.clone()));
    let version = winner.version.as_ref();
    let product = version.and_then(|version| version.product.clone());
    let number = product.as_deref().and_then(product_version);
    let user_agent = version.and_then(|version| version.user_agent.clone());
    let name = match find.browser {
        Some(browser) => browser.name.clone(),
        None => name(core, product.as_deref(), user_agent.as_deref()),
    };
    let Address { scheme, host, port } = &find.address;
    let tiers = &core.catalog.rank.tiers;
    let seven_open = !tabs.seven.is_empty();
    let is_six = six.is_some();
    Some(Entry {
        id: format!("cdp:{host}:{port}"),
        kind: "endpoint",
        tier: match (is_six, seven_open) {
            (true, _) => tiers.six,
            (false, true) => tiers.seven_open,
            (false, false) => tiers.endpoint,
        },
        name: name.clone(),
        version: number.clone(),
        what: What::Endpoint(Endpoint {
            cdp: format!("{scheme}://{host}:{port}"),
            web_socket_debugger_url: winner.web_socket.clone(),
            name,
            version: number,
            product,
            user_agent,
            source: find.source,
            browser: find.browser.map(|browser| browser.id.clone()),
            user_data_dir,
            profile: find.profile.clone(),
            ws_only: winner.version.is_none(),
            six: is_six,
            seven_open,
            seven_tabs: tabs.seven,
            tabs: machine.options.tabs.then_some(tabs.others),
        }),
    })
}

/// The version in `Chrome/154.0.8037.98`.
fn product_version(product: &str) -> Option<String> {
    let (_, rest) = product.split_once('/')?;
    let number = rest.split(char::is_whitespace).next()?;
    (!number.is_empty()).then(|| number.to_owned())
}

/// What a browser is called that uses no folder of its own.
fn name(core: &Core, product: Option<&str>, user_agent: Option<&str>) -> String {
    let names = &core.catalog.discovery.names;
    let mark = names.electron_user_agent.as_str();
    if !mark.is_empty() && user_agent.is_some_and(|agent| agent.contains(mark)) {
        return names.electron.clone();
    }
    let product = product.map(|product| product.split('/').next().unwrap_or(product));
    match product.filter(|product| !product.is_empty()) {
        Some(product) => {
            let known = names.products.get(product);
            known.cloned().unwrap_or_else(|| product.to_owned())
        }
        None => names.fallback.clone(),
    }
}
