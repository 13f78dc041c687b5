//! Every case of the published corpus, on all three systems: the core is asked what it needs, and
//! is answered from the case alone.

use std::collections::BTreeMap;

use serde_json::Value;
use slicc_browsers::corpus::{Case, Layout, corpus};
use sr_discovery::{
    Address, Answer, Ask, Core, Facts, Machine, Options, Os, ROUNDS, SevenTabs, Step,
};

/// The process that scans, as the fakes have it.
const SELF_PID: u32 = 4_242;

struct Fake<'l> {
    os: Os,
    case: &'l Case,
    layout: &'l Layout<'l>,
    files: BTreeMap<String, String>,
}

/// A path as it is looked up: the text of a case can hold separators of both kinds.
fn key(os: Os, path: &str) -> String {
    match os {
        Os::Windows => path.replace('/', "\\"),
        _ => path.to_owned(),
    }
}

impl Fake<'_> {
    fn key(&self, path: &str) -> String {
        key(self.os, path)
    }

    fn is_there(&self, path: &str) -> bool {
        let path = self.key(path);
        self.files.keys().any(|file| {
            file.strip_prefix(&path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '\\']))
        })
    }

    fn answer(&self, ask: &Ask) -> Answer {
        match ask {
            Ask::ReadText { path } => match self.files.get(&self.key(path)) {
                Some(text) => Answer::Text { text: text.clone() },
                None => Answer::Absent,
            },
            Ask::ListDirs { path } => {
                let path = self.key(path);
                let names = self.files.keys().filter_map(|file| {
                    let rest = file.strip_prefix(&path)?.strip_prefix(['/', '\\'])?;
                    Some(rest.split_once(['/', '\\'])?.0.to_owned())
                });
                Answer::Names {
                    names: names.collect(),
                }
            }
            Ask::Canonical { path } if self.is_there(path) => Answer::Path { path: path.clone() },
            Ask::Processes => {
                let text = match self.os {
                    Os::Windows => self.case.cim_output(self.layout, SELF_PID),
                    _ => self.case.ps_output(self.layout, SELF_PID),
                };
                match self.os {
                    Os::Windows => Answer::Cim { text },
                    _ => Answer::Ps { text },
                }
            }
            Ask::Version(address) => self.http(address, "/json/version"),
            Ask::List(address) => self.http(address, "/json/list"),
            _ => Answer::Absent,
        }
    }

    fn http(&self, Address { host, port, .. }: &Address, path: &str) -> Answer {
        match self.case.http_get(&format!("{host}:{port}"), path) {
            Some((status, body)) => Answer::Http { status, body },
            None => Answer::Refused,
        }
    }
}

#[test]
fn every_case_is_found_as_published() {
    let catalog = slicc_browsers::catalog();
    let core = Core::new(sr_browsers::Catalog::parse(slicc_browsers::CATALOG).expect("a catalog"))
        .expect("its patterns compile");
    let schema: Value = serde_json::from_str(slicc_browsers::BROWSERS_SCHEMA).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let is_old = env!("CARGO_MANIFEST_DIR").ends_with("1.7.4");
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
            let fake = Fake {
                os,
                case: &case,
                layout: &layout,
                files: case
                    .files(&layout)
                    .into_iter()
                    .map(|(path, text)| (key(os, &path), text))
                    .collect(),
            };
            let machine = Machine {
                home: Some(home.to_owned()),
                env: case.env(&layout),
                self_pid: SELF_PID,
                cdp: case.cdp(&layout),
                origins: case.input.origins.clone(),
                probe_ports: case.input.probe_ports.clone(),
                installed: Some(
                    serde_json::from_value(Value::Array(case.input.installed.clone()))
                        .expect("installed browsers of the known form"),
                ),
                options: Options {
                    tabs: case.input.needs.iter().any(|need| need == "tabs"),
                    seven_tabs: match is_old {
                        true => SevenTabs::Raw,
                        false => SevenTabs::Origin,
                    },
                    ..Options::default()
                },
                ..Machine::new(os)
            };
            let mut facts = Facts::new();
            let mut rounds = 0;
            let report = loop {
                match core
                    .step(&machine, &facts)
                    .expect("the fakes answer as they should")
                {
                    Step::Done(report) => break report,
                    Step::Need(asks) => {
                        rounds += 1;
                        assert!(rounds <= ROUNDS, "{}: {asks:?}", case.name);
                        facts.extend(asks.into_iter().map(|ask| (ask.clone(), fake.answer(&ask))));
                    }
                }
            };
            ran += 1;
            let found = serde_json::to_value(&report).expect("a report is JSON");
            if let Err(error) = schema.validate(&found) {
                wrong.push(format!("{name} {}: {error}", case.name));
            }
            let expected = case.expected(&layout);
            if found != expected {
                let other = |one: &Value, two: &Value| {
                    let rows =
                        |value: &Value| value["entries"].as_array().cloned().unwrap_or_default();
                    let theirs = rows(two);
                    rows(one)
                        .into_iter()
                        .filter(|row| !theirs.contains(row))
                        .collect::<Vec<_>>()
                };
                wrong.push(format!(
                    "{name} {}:\n  found {}\n  not {}",
                    case.name,
                    Value::Array(other(&found, &expected)),
                    Value::Array(other(&expected, &found))
                ));
            }
            if case.input.needs.iter().any(|need| need == "six")
                && report.auto().map(|entry| &entry.id) != case.input.auto.as_ref()
            {
                wrong.push(format!("{name} {}: auto {:?}", case.name, report.auto()));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {ran}: {}",
        wrong.len(),
        wrong.join("\n")
    );
    // The cases for all three systems thrice, and the one for Linux alone.
    assert_eq!(ran, if is_old { 3 * 20 + 1 } else { 3 * 22 + 1 });
}
