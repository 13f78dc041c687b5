//! The table of limits, read from the sources of the constants themselves.

/// Where limits live: a heading, and the source.
const SOURCES: &[(&str, &str)] = &[
    (
        "The engine: computing, memory, compiling",
        include_str!("../../../host/engine/src/limits.rs"),
    ),
    (
        "One run: what a component may ask of the host",
        include_str!("../../../host/capabilities/src/limits.rs"),
    ),
    (
        "One request",
        include_str!("../../../host/egress/src/limits.rs"),
    ),
    (
        "What a plugin says about itself, and what it returns",
        include_str!("../../../host/policy/src/limits.rs"),
    ),
    (
        "A package folder",
        include_str!("../../../host/plugin/src/limits.rs"),
    ),
];

/// One constant.
#[derive(Debug, PartialEq, Eq)]
struct Limit {
    name: String,
    value: String,
    why: String,
}

/// The tables, one per source.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::new();
    for (heading, source) in SOURCES {
        text.push_str(&format!(
            "## {heading}\n\n| limit | value | why |\n|---|---|---|\n"
        ));
        for Limit { name, value, why } in limits(source) {
            text.push_str(&format!("| `{name}` | {value} | {why} |\n"));
        }
        text.push('\n');
    }
    text
}

fn limits(source: &str) -> Vec<Limit> {
    let mut found = Vec::new();
    let mut why: Vec<&str> = Vec::new();
    for line in source.lines().map(str::trim) {
        if let Some(comment) = line.strip_prefix("///") {
            why.push(comment.trim());
            continue;
        }
        if let Some(limit) = constant(line, &why) {
            found.push(limit);
        }
        why.clear();
    }
    found
}

fn constant(line: &str, why: &[&str]) -> Option<Limit> {
    let line = line
        .strip_prefix("pub const ")
        .or_else(|| line.strip_prefix("pub(crate) const "))?;
    let (name, rest) = line.split_once(": ")?;
    let (_, expression) = rest.strip_suffix(';')?.split_once(" = ")?;
    let why = why.join(" ").replace(['[', ']'], "").replace('|', "\\|");
    Some(Limit {
        name: name.to_owned(),
        value: value(name, expression),
        why,
    })
}

/// The number in the unit that its name says; whole mebibytes and kibibytes as such.
fn value(name: &str, expression: &str) -> String {
    if let Some(positive) = expression.strip_prefix('-') {
        return format!("-{}", value(name, positive));
    }
    let seconds = expression
        .strip_prefix("Duration::from_secs(")
        .and_then(|rest| rest.strip_suffix(')'));
    if let Some(seconds) = seconds {
        return format!("{seconds} s");
    }
    let number: Option<u64> = expression
        .split('*')
        .map(|factor| factor.trim().replace('_', "").parse::<u64>().ok())
        .product();
    let Some(number) = number else {
        return format!("`{expression}`");
    };
    let is_bytes = name.contains("BYTES") || name == "SEND_ALL_BYTES";
    let is_time = name.contains("MS");
    match number {
        _ if is_bytes && number >= 1 << 20 && number % (1 << 20) == 0 => {
            format!("{} MiB", number >> 20)
        }
        _ if is_bytes && number >= 1 << 10 && number % (1 << 10) == 0 => {
            format!("{} KiB", number >> 10)
        }
        _ if is_bytes => format!("{} bytes", grouped(number)),
        _ if is_time => format!("{} ms", grouped(number)),
        _ => grouped(number),
    }
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_read_with_its_unit_and_its_reason() {
        let source = "//! Module.\n\n/// Without it [`X`] grows\n/// for ever.\npub const A_BYTES: usize = 20 * 1024 * 1024;\n/// Waits.\npub(crate) const B: Duration = Duration::from_secs(10);\n/// Runs.\n    pub const C_MS: u32 = 600_000;\n/// Before.\npub const D_MS: i64 = -1_000;\nfn no_limit() {}\n";
        let limit = |name: &str, value: &str, why: &str| Limit {
            name: name.to_owned(),
            value: value.to_owned(),
            why: why.to_owned(),
        };
        assert_eq!(
            limits(source),
            [
                limit("A_BYTES", "20 MiB", "Without it `X` grows for ever."),
                limit("B", "10 s", "Waits."),
                limit("C_MS", "600,000 ms", "Runs."),
                limit("D_MS", "-1,000 ms", "Before."),
            ]
        );
    }

    #[test]
    fn no_limit_of_the_sources_is_left_out_or_without_a_reason() {
        for (heading, source) in SOURCES {
            let constants = source.matches("const ").count();
            let found = limits(source);
            assert_eq!(found.len(), constants, "{heading}");
            for limit in found {
                assert!(!limit.why.is_empty(), "{}", limit.name);
                assert!(!limit.value.starts_with('`'), "{}", limit.value);
            }
        }
    }
}
