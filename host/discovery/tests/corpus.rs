//! Every case of our corpus, on every system it is for: the core is asked what it needs, and is
//! answered from the case alone.

use std::collections::BTreeMap;

use serde_json::Value;
use sr_browsers::corpus::{self, Case, Layout, corpus};
use sr_discovery::{
    Address, Answer, ArgvProcess, Ask, Bundle, Core, Facts, Machine, Options, Os, ROUNDS,
    SevenTabs, Step,
};

/// The process that scans, as the fakes have it.
const SELF_PID: u32 = 4_242;

struct Fake<'l> {
    os: Os,
    case: &'l Case,
    layout: &'l Layout<'l>,
    files: BTreeMap<String, String>,
    links: BTreeMap<String, String>,
    denied: Vec<String>,
}

/// A path as it is looked up: the text of a case can hold separators of both kinds.
fn key(os: Os, path: &str) -> String {
    match os {
        Os::Windows => path.replace('/', "\\"),
        _ => path.to_owned(),
    }
}

/// Whether a path is this one or below it.
fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '\\']))
}

impl<'l> Fake<'l> {
    fn new(os: Os, case: &'l Case, layout: &'l Layout<'l>) -> Self {
        let expanded = |path: &String| key(os, &layout.expand(path));
        let input = &case.input;
        let files = case.files(layout).into_iter();
        Self {
            os,
            case,
            layout,
            files: files.map(|(path, text)| (key(os, &path), text)).collect(),
            links: input
                .links
                .iter()
                .map(|(from, to)| (expanded(from), expanded(to)))
                .collect(),
            denied: input.denied.iter().map(expanded).collect(),
        }
    }

    /// A path without its links.
    fn real(&self, path: &str) -> String {
        let mut path = key(self.os, path);
        // A link can lead to a path with another one in it; in circles only so often.
        for _ in 0..8 {
            let link = self.links.iter().find(|(from, _)| is_below(&path, from));
            match link {
                Some((from, to)) => {
                    path = format!(
                        "{to}{}",
                        path.strip_prefix(from.as_str()).unwrap_or_default()
                    )
                }
                None => break,
            }
        }
        path
    }

    fn is_denied(&self, path: &str) -> bool {
        self.denied.iter().any(|denied| is_below(path, denied))
    }

    fn is_there(&self, path: &str) -> bool {
        let bundles = self.case.input.machine.bundles.keys();
        let registered = self.files.keys().chain(bundles);
        let mut registered = registered.map(String::as_str);
        registered.any(|file| is_below(file, path))
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let mut names = Vec::new();
        let real = self.real(folder);
        for file in self.files.keys() {
            let rest = file
                .strip_prefix(&real)
                .and_then(|rest| rest.strip_prefix(['/', '\\']));
            if let Some((name, _)) = rest.and_then(|rest| rest.split_once(['/', '\\'])) {
                names.push(name.to_owned());
            }
        }
        for (from, to) in &self.links {
            let Some(rest) = from
                .strip_prefix(&real)
                .and_then(|rest| rest.strip_prefix(['/', '\\']))
            else {
                continue;
            };
            let below = format!("{}/", self.real(to)).replace('\\', "/");
            let is_folder = self
                .files
                .keys()
                .any(|file| file.replace('\\', "/").starts_with(&below));
            if !rest.contains(['/', '\\']) && is_folder {
                names.push(rest.to_owned());
            }
        }
        names
    }

    fn answer(&self, ask: &Ask) -> Answer {
        let machine = &self.case.input.machine;
        let text = |text: Option<String>| text.map_or(Answer::Absent, |text| Answer::Text { text });
        let path_of =
            |path: Option<String>| path.map_or(Answer::Absent, |path| Answer::Path { path });
        match ask {
            Ask::ReadText { path }
            | Ask::ListDirs { path }
            | Ask::Exists { path }
            | Ask::Canonical { path }
                if self.is_denied(&self.real(path)) =>
            {
                Answer::Denied
            }
            Ask::ReadText { path } => text(self.files.get(&self.real(path)).cloned()),
            Ask::ListDirs { path } => {
                match self.is_there(&self.real(path)) || !self.names(path).is_empty() {
                    true => Answer::Names {
                        names: self.names(path),
                    },
                    false => Answer::Absent,
                }
            }
            Ask::Exists { path } => path_of(self.is_there(&self.real(path)).then(|| path.clone())),
            Ask::Canonical { path } => {
                let real = self.real(path);
                let known = machine.which.values().any(|program| program == path);
                path_of((known || self.is_there(&real)).then_some(real))
            }
            Ask::Which { name } => {
                path_of(machine.which.get(name).map(|path| self.layout.expand(path)))
            }
            Ask::RegistryValue { key } => {
                let mut keys = machine.registry.iter();
                let found = keys.find(|(known, _)| known.eq_ignore_ascii_case(key));
                text(found.map(|(_, value)| self.layout.expand(value)))
            }
            Ask::RegistryKeys { key } => {
                let below = format!("{key}\\").to_lowercase();
                let names = machine.registry.keys().filter_map(|known| {
                    known.to_lowercase().starts_with(&below).then_some(())?;
                    known[below.len()..].split('\\').next().map(str::to_owned)
                });
                Answer::Names {
                    names: names.collect(),
                }
            }
            Ask::PackageVersion { kind, name } => {
                text(machine.packages.get(&format!("{kind}:{name}")).cloned())
            }
            Ask::Bundles => Answer::Bundles {
                bundles: machine
                    .bundles
                    .iter()
                    .map(|(path, bundle)| Bundle {
                        path: self.layout.expand(path),
                        id: bundle.id.clone(),
                        name: bundle.name.clone(),
                        version: bundle.version.clone(),
                        executable: bundle.executable.clone(),
                        electron: bundle.electron,
                    })
                    .collect(),
            },
            Ask::Processes => self.processes(),
            Ask::Version(address) => self.http(address, "/json/version"),
            Ask::List(address) => self.http(address, "/json/list"),
        }
    }

    fn processes(&self) -> Answer {
        if self.case.input.options.argv {
            let processes = self.case.commands(self.layout, SELF_PID).into_iter();
            let processes = processes.map(|process| ArgvProcess {
                pid: process.pid,
                argv: process.argv,
            });
            return Answer::Argv {
                processes: processes.collect(),
            };
        }
        match self.os {
            Os::Windows => Answer::Cim {
                text: self.case.cim_output(self.layout, SELF_PID),
            },
            _ => Answer::Ps {
                text: self.case.ps_output(self.layout, SELF_PID),
            },
        }
    }

    fn http(&self, Address { host, port, .. }: &Address, path: &str) -> Answer {
        match self.case.answer(&format!("{host}:{port}"), path) {
            corpus::Answer::Refused => Answer::Refused,
            corpus::Answer::Timeout => Answer::Timeout,
            corpus::Answer::Open => Answer::Open,
            corpus::Answer::Http { status, body } => Answer::Http { status, body },
        }
    }
}

#[expect(clippy::expect_used, reason = "a case of another form fails the test")]
fn machine(os: Os, home: &str, case: &Case, layout: &Layout<'_>) -> Machine {
    let input = &case.input;
    let needs = |need: &str| input.needs.iter().any(|one| one == need);
    let installed = serde_json::from_value(Value::Array(input.installed.clone()))
        .expect("installed browsers of the known form");
    Machine {
        home: Some(home.to_owned()),
        env: case.env(layout),
        self_pid: SELF_PID,
        cdp: case.cdp(layout),
        origins: input.origins.clone(),
        probe_ports: input.probe_ports.clone(),
        installed: (!needs("installed-scan")).then_some(installed),
        options: Options {
            tabs: needs("tabs"),
            seven_tabs: match input.options.seven_tabs.as_deref() {
                Some("raw") => SevenTabs::Raw,
                _ => SevenTabs::Origin,
            },
            ..Options::default()
        },
        ..Machine::new(os)
    }
}

#[test]
fn every_case_is_found_as_expected() {
    let core = Core::new(sr_browsers::catalog()).unwrap();
    let catalog = sr_browsers::catalog();
    let (mut ran, mut wrong) = (0, Vec::new());
    for (os, name, home) in [
        (Os::Darwin, "darwin", "/Users/me"),
        (Os::Linux, "linux", "/home/me"),
        (Os::Windows, "windows", "C:\\Users\\me"),
    ] {
        for case in corpus().cases {
            if !case.input.os.is_empty() && !case.input.os.iter().any(|wanted| wanted == name) {
                continue;
            }
            let env = |variable: &str| case.input.env.get(variable).cloned();
            let layout = Layout {
                os: name,
                home,
                env: &env,
                catalog: &catalog,
            };
            let fake = Fake::new(os, &case, &layout);
            let machine = machine(os, home, &case, &layout);
            let mut facts = Facts::new();
            let mut rounds = 0;
            let report = loop {
                match core.step(&machine, &facts).unwrap() {
                    Step::Done(report) => break report,
                    Step::Need(asks) => {
                        rounds += 1;
                        assert!(rounds <= ROUNDS, "{}: {asks:?}", case.name);
                        facts.extend(asks.into_iter().map(|ask| (ask.clone(), fake.answer(&ask))));
                    }
                }
            };
            ran += 1;
            let (found, expected) = (
                serde_json::to_value(&report).unwrap(),
                case.expected(&layout),
            );
            if found != expected {
                let rows = |value: &Value| value["entries"].as_array().cloned().unwrap_or_default();
                let other = |one: &Value, two: &Value| {
                    let theirs = rows(two);
                    Value::Array(
                        rows(one)
                            .into_iter()
                            .filter(|row| !theirs.contains(row))
                            .collect(),
                    )
                };
                wrong.push(format!(
                    "{name} {}:\n  found {}\n  not   {}",
                    case.name,
                    other(&found, &expected),
                    other(&expected, &found)
                ));
            }
            if case.input.needs.iter().any(|need| need == "six")
                && report.auto().map(|entry| &entry.id) != case.input.auto.as_ref()
            {
                wrong.push(format!(
                    "{name} {}: auto {:?}",
                    case.name,
                    report.auto().map(|one| &one.id)
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {ran}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(ran > 200, "{ran}");
}
