//! What the linter found.

use std::collections::BTreeMap;

use super::rule::Rule;

/// Findings of one rule that are told; more would only hide the others.
const MOST_ALIKE: usize = 50;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// `install` refuses it, or the plugin cannot do what it says.
    Error,
    /// It can be used, and could be better.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// One finding: where, which rule, why, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The file, relative to the folder; "." is the folder itself.
    pub file: String,
    /// Line and character in it, from 1.
    pub place: Option<(usize, usize)>,
    /// JSON pointer of the value; none for a file that is not JSON.
    pub pointer: Option<String>,
    /// What was found. Holds text of the plugin.
    pub why: String,
    /// What to do.
    pub fix: String,
}

impl Finding {
    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.rule.row().severity
    }

    /// The rule's stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.rule.row().code
    }

    /// A finding about a file as a whole, with the rule's own advice.
    pub(super) fn new(rule: Rule, file: impl Into<String>, why: impl Into<String>) -> Self {
        Self {
            rule,
            file: file.into(),
            place: None,
            pointer: None,
            why: why.into(),
            fix: rule.row().fix.to_owned(),
        }
    }

    pub(super) fn at(mut self, pointer: &str, place: Option<(usize, usize)>) -> Self {
        self.place = place;
        self.pointer = (!pointer.is_empty()).then(|| pointer.to_owned());
        self
    }

    pub(super) fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = fix.into();
        self
    }
}

/// Everything that was found, by file and place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The findings.
    pub findings: Vec<Finding>,
}

impl Report {
    /// How many errors.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// How many warnings.
    #[must_use]
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    fn count(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity() == severity)
            .count()
    }
}

/// Findings while they are made.
#[derive(Default)]
pub(super) struct Findings {
    made: Vec<Finding>,
    /// How often each rule was broken.
    counts: BTreeMap<Rule, usize>,
}

impl Findings {
    pub(super) fn add(&mut self, finding: Finding) {
        let count = self.counts.entry(finding.rule).or_default();
        *count += 1;
        if *count <= MOST_ALIKE {
            self.made.push(finding);
        }
    }

    pub(super) fn into_report(self) -> Report {
        let mut findings = self.made;
        findings.sort_by(|a, b| {
            let key = |one: &Finding| (one.file.clone(), one.place, one.rule);
            key(a).cmp(&key(b))
        });
        for (rule, count) in self.counts {
            if let Some(more @ 1..) = count.checked_sub(MOST_ALIKE) {
                findings.push(Finding::new(rule, ".", format!("{more} more of these")));
            }
        }
        Report { findings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_is_broken_everywhere_does_not_hide_the_others() {
        let mut findings = Findings::default();
        for number in 0..1_000 {
            findings.add(Finding::new(Rule::FileNotNeeded, format!("f{number}"), "x"));
        }
        findings.add(Finding::new(Rule::Name, "sr-plugin.json", "y"));
        let report = findings.into_report();
        assert_eq!((report.errors(), report.warnings()), (1, MOST_ALIKE + 1));
        assert_eq!(
            report.findings.last().unwrap().why,
            format!("{} more of these", 1_000 - MOST_ALIKE)
        );
    }
}
