//! Waits for a time instead of for something, and surfaces that are off.

use serde_json::Value;

use super::finding::Findings;
use super::rule::Rule;
use super::sitedata::{SitedataFile, commands};
use super::walk::{below, step, walk};

/// The longest wait that makes sense: what a command may take when it names no time of its own.
const LONGEST_MS: f64 = 60_000.0;

/// Keys that can only mean a wait for a time, wherever they stand.
const SLEEPS: &[&str] = &[
    "sleep",
    "sleep_ms",
    "sleep_seconds",
    "delay",
    "delay_ms",
    "delay_seconds",
    "pause",
    "pause_ms",
    "pause_seconds",
    "wait_ms",
    "wait_seconds",
];

pub(super) fn check(file: &SitedataFile, document: &Value, findings: &mut Findings) {
    let mut places = vec![(String::new(), document)];
    places.extend(commands(document).map(|(at, _, command)| (at, command)));
    for (at, holder) in places {
        if let Some(named) = holder.get("waits") {
            waits(file, &format!("{at}/waits"), named, findings);
        }
        if let Some(surfaces) = holder.get("automation") {
            automation(file, &format!("{at}/automation"), surfaces, findings);
        }
    }
    walk(document, &mut |pointer, key, value| {
        let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
        let is_key = SLEEPS.contains(&key) && pointer == step(parent, key);
        if is_key && let Some(why) = fixed_time(value) {
            findings.add(file.finding(Rule::LiteralSleep, pointer, why));
        }
    });
}

fn waits(file: &SitedataFile, at: &str, named: &Value, findings: &mut Findings) {
    let Some(map) = named.as_object() else {
        let why = "waits: must be an object of waits, each {\"for\": .., \"limit_ms\": ..}";
        findings.add(file.finding(Rule::SitedataValue, at, why));
        return;
    };
    for (name, wait) in map {
        // Such a key is found wherever it stands.
        if SLEEPS.contains(&name.as_str()) && fixed_time(wait).is_some() {
            continue;
        }
        let at = step(at, name);
        let condition = wait
            .get("for")
            .and_then(Value::as_str)
            .is_some_and(|text| !text.trim().is_empty());
        let limit = wait.get("limit_ms").and_then(Value::as_f64);
        if let Some(why) = fixed_time(wait) {
            findings.add(file.finding(Rule::LiteralSleep, &at, why));
        } else if !wait.is_object() {
            let why = "a wait: must be {\"for\": .., \"limit_ms\": ..}";
            findings.add(file.finding(Rule::SitedataValue, &at, why));
        } else if !condition {
            let why = "it waits for nothing: there is no \"for\"";
            findings.add(file.finding(Rule::LiteralSleep, &at, why));
        } else if limit.is_none_or(|limit| limit > LONGEST_MS) {
            let why = match limit {
                Some(limit) => format!("it waits up to {limit} ms"),
                None => "it has no \"limit_ms\"".to_owned(),
            };
            findings.add(file.finding(Rule::WaitLong, &at, why));
        }
    }
}

/// Why a value is a time and nothing else: a number, or a text such as `60s`.
fn fixed_time(value: &Value) -> Option<String> {
    let shown = match value {
        Value::Number(number) if number.as_f64() > Some(0.0) => format!("{number} ms"),
        Value::String(text) => {
            let number = ["ms", "s", "m"]
                .iter()
                .find_map(|unit| text.trim().strip_suffix(unit))
                .unwrap_or(text)
                .trim();
            number.parse::<f64>().ok().filter(|time| *time > 0.0)?;
            text.escape_default().to_string()
        }
        _ => return None,
    };
    Some(format!(
        "it waits {shown}, whatever the page does meanwhile"
    ))
}

fn automation(file: &SitedataFile, at: &str, surfaces: &Value, findings: &mut Findings) {
    let mut off = |pointer: &str, value: &Value| {
        let is_off = match value {
            Value::Bool(on) => !on,
            Value::String(word) => matches!(
                word.trim().to_ascii_lowercase().as_str(),
                "off" | "disabled" | "none" | "false"
            ),
            _ => false,
        };
        if is_off {
            let why = format!("the surface is off: {value}");
            findings.add(file.finding(Rule::SurfaceOff, pointer, why));
        }
    };
    off(at, surfaces);
    below(surfaces, at, "automation", &mut |pointer, _, value| {
        off(pointer, value);
    });
}
