//! Browsers in the list of processes: which were started with a debugging port, and where they
//! keep their profile.

use serde::Deserialize;
use sr_browsers::Process as Rules;

use crate::look::ProcessList;

/// A process that was started with the debugging switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Debugged {
    pub(crate) pid: u32,
    /// The port of the switch; 0 lets the browser choose.
    pub(crate) port: u16,
    /// Its profile folder.
    pub(crate) dir: Option<String>,
}

/// A process, or why it is not looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Judged {
    Debugged(Debugged),
    /// It has the switch, and something that rules it out.
    Skipped {
        pid: u32,
        reason: &'static str,
    },
}

/// The processes of a list that have the debugging switch, in the list's order.
pub(crate) fn debugged(list: ProcessList<'_>, rules: &Rules, self_pid: u32) -> Vec<Judged> {
    let mut found = Vec::new();
    let mut add = |pid: u32, judged: Option<Judged>| {
        if pid != 0 && pid != self_pid {
            found.extend(judged);
        }
    };
    match list {
        ProcessList::Ps(text) => {
            for line in text.lines() {
                if let Some((pid, command)) = ps_line(line) {
                    add(pid, of_text(pid, command, rules));
                }
            }
        }
        ProcessList::Cim(text) => {
            for row in cim_rows(text) {
                if let Some(command) = row.command.as_deref() {
                    add(row.pid, of_text(row.pid, command.trim(), rules));
                }
            }
        }
        ProcessList::Argv(processes) => {
            for process in processes {
                add(process.pid, of_argv(process.pid, &process.argv, rules));
            }
        }
    }
    found
}

fn ps_line(line: &str) -> Option<(u32, &str)> {
    let (pid, command) = line.trim_start().split_once(char::is_whitespace)?;
    let command = command.trim();
    Some((pid.parse().ok()?, command)).filter(|_| !command.is_empty())
}

/// A row of `Win32_Process`.
#[derive(Debug, Deserialize)]
struct CimRow {
    #[serde(rename = "ProcessId", default)]
    pid: u32,
    #[serde(rename = "CommandLine", default)]
    command: Option<String>,
}

/// PowerShell prints an array, or one object when there is one row. A row of another form is
/// passed over.
fn cim_rows(text: &str) -> Vec<CimRow> {
    let values = match serde_json::from_str(text) {
        Ok(serde_json::Value::Array(rows)) => rows,
        Ok(row @ serde_json::Value::Object(_)) => vec![row],
        _ => return Vec::new(),
    };
    values
        .into_iter()
        .filter_map(|row| serde_json::from_value(row).ok())
        .collect()
}

fn of_text(pid: u32, command: &str, rules: &Rules) -> Option<Judged> {
    let port = match text_port(command, &rules.port_flag)? {
        Ok(port) => port,
        Err(reason) => return Some(Judged::Skipped { pid, reason }),
    };
    judge(
        pid,
        first_token(command, rules),
        port,
        text_dir(command, rules),
        rules,
    )
}

fn of_argv(pid: u32, argv: &[String], rules: &Rules) -> Option<Judged> {
    // Chromium joins its arguments into one text when it changes its title.
    if let [joined] = argv
        && joined.contains(&rules.port_flag)
    {
        return of_text(pid, joined.trim(), rules);
    }
    let mut port = None;
    let mut dir = None;
    let mut rest = argv.iter().skip(1);
    while let Some(word) = rest.next() {
        if port.is_none()
            && let Some(value) = value_of(word, &rules.port_flag, rest.clone().next())
            && value.starts_with(|first: char| first.is_ascii_digit())
        {
            port = Some(digits(value));
        }
        if dir.is_none()
            && let Some(value) = value_of(word, &rules.user_data_dir_flag, rest.clone().next())
        {
            let is_switch = value.starts_with(&rules.value_stop);
            dir = Some(value.to_owned()).filter(|value| !value.is_empty() && !is_switch);
        }
    }
    let port = match port? {
        Ok(port) => port,
        Err(reason) => return Some(Judged::Skipped { pid, reason }),
    };
    judge(
        pid,
        argv.first().map_or("", String::as_str),
        port,
        dir,
        rules,
    )
}

fn judge(
    pid: u32,
    executable: &str,
    port: u16,
    dir: Option<String>,
    rules: &Rules,
) -> Option<Judged> {
    if executable.is_empty() || executable.starts_with('-') {
        let reason = "its command line names no program before its first switch";
        return Some(Judged::Skipped { pid, reason });
    }
    if is_wrapper(executable, rules) {
        let reason = "it is a program that starts others";
        return Some(Judged::Skipped { pid, reason });
    }
    Some(Judged::Debugged(Debugged { pid, port, dir }))
}

/// The value of a switch: behind its `=`, or the next word.
fn value_of<'a>(word: &'a str, flag: &str, next: Option<&'a String>) -> Option<&'a str> {
    let rest = word.strip_prefix(flag)?;
    match rest.strip_prefix('=') {
        Some(value) => Some(value),
        None if rest.is_empty() => next.map(String::as_str),
        None => None,
    }
}

/// The digits at the start of a text, as a port.
fn digits(text: &str) -> Result<u16, &'static str> {
    let end = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    let digits = text.get(..end).unwrap_or_default();
    let digits = digits.trim_start_matches('0');
    match digits.is_empty() {
        true => Ok(0),
        false => digits.parse().map_err(|_| "its port is above 65535"),
    }
}

/// The first switch with a port of digits; nothing when there is none.
fn text_port(command: &str, flag: &str) -> Option<Result<u16, &'static str>> {
    if flag.is_empty() {
        return None;
    }
    command.match_indices(flag).find_map(|(start, _)| {
        let rest = command.get(start + flag.len()..)?;
        let value = match rest.strip_prefix('=') {
            Some(value) => value,
            None => rest.strip_prefix(char::is_whitespace)?.trim_start(),
        };
        let is_number = value.starts_with(|first: char| first.is_ascii_digit());
        is_number.then(|| digits(value))
    })
}

/// The program at the start of a command: a quoted text, or what is before the first space.
fn first_token<'c>(command: &'c str, rules: &Rules) -> &'c str {
    for quote in rules.value_quotes.iter().filter(|quote| !quote.is_empty()) {
        if let Some(rest) = command.strip_prefix(quote.as_str()) {
            return rest
                .split_once(quote.as_str())
                .map_or(rest, |(token, _)| token);
        }
    }
    command
        .split(char::is_whitespace)
        .next()
        .unwrap_or_default()
}

fn is_wrapper(executable: &str, rules: &Rules) -> bool {
    let base = executable.rsplit(['/', '\\']).next().unwrap_or_default();
    let base = base.to_lowercase();
    let bare = rules
        .wrapper_suffixes
        .iter()
        .find_map(|suffix| base.strip_suffix(suffix.to_lowercase().as_str()))
        .unwrap_or(&base);
    rules
        .wrappers
        .iter()
        .any(|wrapper| wrapper.to_lowercase() == bare)
}

/// The profile folder in a command line of one text.
fn text_dir(command: &str, rules: &Rules) -> Option<String> {
    let flag = rules.user_data_dir_flag.as_str();
    if flag.is_empty() {
        return None;
    }
    let quotes = || {
        rules
            .value_quotes
            .iter()
            .map(String::as_str)
            .filter(|quote| !quote.is_empty())
    };
    let value = command.match_indices(flag).find_map(|(start, _)| {
        let before = command.get(..start)?;
        let rest = command.get(start + flag.len()..)?;
        let starts_a_token =
            |before: &str| before.is_empty() || before.ends_with(char::is_whitespace);
        // A whole argument can stand in quotes, too: `"--user-data-dir=C:\My profile"`.
        let around = quotes().find(|quote| before.strip_suffix(quote).is_some_and(starts_a_token));
        if around.is_none() && !starts_a_token(before) {
            return None;
        }
        let value = match rest.strip_prefix('=') {
            Some(value) => value,
            None => rest.strip_prefix(char::is_whitespace)?.trim_start(),
        };
        Some(match around {
            Some(quote) => value.split_once(quote).map_or(value, |(value, _)| value),
            None => bare_value(value, quotes(), &rules.value_stop),
        })
    })?;
    (!value.is_empty()).then(|| value.to_owned())
}

/// A value in quotes, or one that ends where the next switch begins.
fn bare_value<'c, 'q>(
    value: &'c str,
    mut quotes: impl Iterator<Item = &'q str>,
    stop: &str,
) -> &'c str {
    let quoted = quotes.find_map(|quote| {
        let rest = value.strip_prefix(quote)?;
        Some(
            rest.split_once(quote)
                .map_or(rest.trim_end(), |(value, _)| value),
        )
    });
    if let Some(value) = quoted {
        return value;
    }
    if !stop.is_empty() && value.starts_with(stop) {
        return "";
    }
    let end = value.char_indices().find_map(|(place, character)| {
        let rest = value.get(place..)?.trim_start();
        (character.is_whitespace() && !stop.is_empty() && rest.starts_with(stop)).then_some(place)
    });
    value
        .get(..end.unwrap_or(value.len()))
        .unwrap_or_default()
        .trim_end()
}
