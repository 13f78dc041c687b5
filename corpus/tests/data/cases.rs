//! What no schema says of the cases.

use crate::machines::{HOMES, on};
use crate::schemas::validator;
use regex::Regex;
use serde_json::Value;
use sr_browsers::corpus::{self, Case, NEEDS, corpus};
use sr_browsers::{BROWSERS_SCHEMA, CORPUS, PROTECTED, shared_catalog};
use std::collections::BTreeSet;
use std::path::Path;

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"))
}

/// Each case of `corpus.json` as it stands there.
fn raw() -> Vec<Value> {
    let corpus: Value = serde_json::from_str(CORPUS).expect("JSON");
    corpus["cases"].as_array().expect("cases").clone()
}

fn entries(case: &Case) -> &Vec<Value> {
    case.expected["entries"].as_array().expect("entries")
}

#[test]
fn corpus_json_is_what_the_folders_make_of_it() {
    let made = crate::generator::corpus_json(folder()).expect("cases");
    assert!(
        made == CORPUS,
        "stale: corpus/corpus.json; run `cargo xtask corpus`"
    );
}

#[test]
fn there_are_enough_cases_of_every_need_on_every_system() {
    let cases = corpus().cases;
    assert!(cases.len() >= 60, "{} cases", cases.len());
    for (os, _) in HOMES {
        for need in NEEDS {
            let needs = |case: &&Case| case.input.needs.iter().any(|one| one == need);
            let some = cases.iter().filter(needs).any(|case| case.runs(os, &NEEDS));
            assert!(some, "no case of {need} on {os}");
        }
    }
}

#[test]
fn each_case_says_something_of_its_own() {
    let mut names = BTreeSet::new();
    let mut descriptions = BTreeSet::new();
    for case in corpus().cases {
        let description = case.input.description;
        assert!(names.insert(case.name.clone()), "name twice: {}", case.name);
        assert!(
            descriptions.insert(description.clone()),
            "described twice: {description}"
        );
    }
}

#[test]
fn types_lose_nothing_of_the_cases() {
    for (read, mut raw) in corpus().cases.iter().zip(raw()) {
        let input = raw["case"].as_object_mut().expect("an object");
        // Null and absent are one to the type; a schema tells them apart.
        input.retain(|_, value| !value.is_null());
        for process in input
            .get_mut("processes")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            let process = process.as_object_mut().expect("an object");
            process.entry("pid").or_insert(0.into());
        }
        assert_eq!(
            serde_json::to_value(read).expect("JSON"),
            raw,
            "{}",
            read.name
        );
    }
}

#[test]
fn no_port_of_a_developers_browser_is_used() {
    let port = Regex::new(r"\b922[2-9]\b").expect("a pattern");
    for (name, text) in [("corpus.json", CORPUS), ("protected.json", PROTECTED)] {
        let found = port.find(text).map(|found| found.as_str());
        assert_eq!(found, None, "{name}");
    }
}

#[test]
fn tokens_are_known_where_the_case_runs() {
    let token = Regex::new(r"\{([A-Za-z][A-Za-z0-9:-]*)\}").expect("a pattern");
    for (case, raw) in corpus().cases.iter().zip(raw()) {
        let text = raw.to_string();
        for (os, home) in HOMES.into_iter().filter(|(os, _)| case.runs(os, &NEEDS)) {
            on(os, home, &case.input.env, |layout| {
                for name in token.captures_iter(&text).map(|found| found[1].to_owned()) {
                    assert!(
                        layout.token(&name).is_some(),
                        "{} on {os}: {{{name}}}",
                        case.name
                    );
                }
            });
        }
    }
}

#[test]
fn reports_fit_the_schema_on_every_system_and_have_no_token_left() {
    let schema = validator(BROWSERS_SCHEMA);
    for case in corpus().cases {
        for (os, home) in HOMES.into_iter().filter(|(os, _)| case.runs(os, &NEEDS)) {
            on(os, home, &case.input.env, |layout| {
                let report = case.expected(layout);
                let faults: Vec<_> = schema
                    .iter_errors(&report)
                    .map(|error| error.to_string())
                    .collect();
                assert_eq!(faults, [""; 0], "{} on {os}", case.name);
                assert!(
                    !report.to_string().contains("{home"),
                    "{} on {os}",
                    case.name
                );
            });
        }
    }
}

#[test]
fn tiers_are_those_of_the_catalog_and_rise() {
    let rank = &shared_catalog().rank;
    for case in corpus().cases {
        let tiers: Vec<u64> = entries(&case)
            .iter()
            .filter_map(|entry| entry["tier"].as_u64())
            .collect();
        assert!(tiers.is_sorted(), "{}: {tiers:?}", case.name);
        for entry in entries(&case) {
            let (endpoint, installed) = (&entry["endpoint"], &entry["installed"]);
            let tier = match () {
                () if endpoint["six"] == true => rank.tiers.six,
                () if endpoint["sevenOpen"] == true => rank.tiers.seven_open,
                () if endpoint.is_object() => rank.tiers.endpoint,
                () if installed["engine"] == "electron" => rank.tiers.electron,
                () if installed["id"] == rank.chrome_id.as_str() => rank.tiers.chrome,
                () => rank.tiers.chromium,
            };
            assert_eq!(entry["tier"], tier, "{}: {}", case.name, entry["id"]);
        }
    }
}

#[test]
fn entries_agree_with_what_they_contain() {
    for case in corpus().cases {
        let lowest = &case.expected["minChromium"];
        assert_eq!(
            *lowest,
            shared_catalog().min_chromium_major,
            "{}",
            case.name
        );
        for entry in entries(&case) {
            let here = format!("{}: {}", case.name, entry["id"]);
            let endpoint = &entry["endpoint"];
            let inner = if endpoint.is_object() {
                endpoint
            } else {
                &entry["installed"]
            };
            assert_eq!(entry["name"], inner["name"], "{here}");
            assert_eq!(entry["version"], inner["version"], "{here}");
            if endpoint.is_object() {
                let cdp = endpoint["cdp"].as_str().expect("cdp");
                let address = cdp.split_once("://").expect("a URL").1;
                assert_eq!(entry["id"], format!("cdp:{address}"), "{here}");
                assert_eq!(corpus::normalize_host_port(address), address, "{here}");
                let tabs = endpoint["sevenTabs"].as_array().expect("tabs");
                assert_eq!(endpoint["sevenOpen"], !tabs.is_empty(), "{here}");
            } else {
                assert_eq!(entry["id"], inner["id"], "{here}");
            }
        }
    }
}

#[test]
fn no_endpoint_and_no_way_to_start_is_listed_twice() {
    for case in corpus().cases {
        let mut seen = BTreeSet::new();
        for entry in entries(&case) {
            let key = format!("{} {}", entry["id"], entry["installed"]["executable"]);
            assert!(seen.insert(key.clone()), "{}: {key}", case.name);
        }
    }
}

#[test]
fn auto_is_the_first_entry_that_is_not_of_six() {
    for (case, raw) in corpus().cases.iter().zip(raw()) {
        let Some(auto) = raw["case"].as_object().and_then(|input| input.get("auto")) else {
            continue;
        };
        let first = entries(case)
            .iter()
            .find(|entry| entry["endpoint"]["six"] != true);
        let first = first.map_or(&Value::Null, |entry| &entry["id"]);
        assert_eq!(auto, first, "{}", case.name);
    }
}

#[test]
fn needs_are_those_of_the_inputs() {
    for case in corpus().cases {
        let input = &case.input;
        let argv = input
            .processes
            .iter()
            .any(|process| !process.argv.is_empty());
        let special = input.http.values().any(|server| server.answer.is_some());
        for (need, used) in [
            (corpus::NEED_FLAG, !input.cdp.is_empty()),
            (corpus::NEED_PROBE, !input.probe_ports.is_empty()),
            (corpus::NEED_PROCESS, !input.processes.is_empty()),
            (corpus::NEED_ORIGINS, !input.origins.is_empty()),
            (corpus::NEED_INSTALLED, !input.installed.is_empty()),
            (corpus::NEED_LINKS, !input.links.is_empty()),
            (corpus::NEED_OPTIONS, !input.options.is_default()),
            (corpus::NEED_ANSWERS, special),
        ] {
            let needed = input.needs.iter().any(|one| one == need);
            assert_eq!(needed, used, "{}: {need}", case.name);
        }
        assert_eq!(input.options.argv, argv, "{}: argv", case.name);
        let scan = input
            .needs
            .iter()
            .any(|need| need == corpus::NEED_INSTALLED_SCAN);
        assert!(scan || input.machine.is_empty(), "{}: machine", case.name);
    }
}
