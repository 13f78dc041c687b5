//! Patterns for texts: regular expressions of somebody else, on an engine whose time grows with
//! the text and not with what the pattern makes of it.
//!
//! Look-around and back references are not offered: they are what needs a search that goes back.

use regex::{Regex, RegexBuilder};

use crate::untrusted::UntrustedText;

/// Longest pattern, in bytes. Longer ones are tables that belong in a list.
pub const LONGEST: usize = 1_000;
/// Bytes of the compiled pattern: `(a{99}){99}` is short and would take megabytes.
const COMPILED_BYTES: usize = 256 * 1024;
/// Bytes of the cache a search builds.
const CACHE_BYTES: usize = 1024 * 1024;
/// Groups inside groups.
const DEEPEST: u32 = 32;

/// A pattern that was judged and compiled.
#[derive(Debug, Clone)]
pub struct TextPattern(Regex);

/// Why a pattern is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextPatternError {
    /// Over [`LONGEST`] bytes.
    #[error("a pattern has at most {LONGEST} bytes, found: {0}")]
    TooLong(usize),
    /// Short, but large once its repeats are written out.
    #[error("the pattern takes more than {COMPILED_BYTES} bytes once its repeats are written out")]
    TooLarge,
    /// Not a pattern of this engine.
    #[error("not a pattern: {0}")]
    Syntax(String),
}

impl TextPattern {
    /// Judges and compiles a pattern.
    ///
    /// # Errors
    /// Too long, too large, or not of the syntax.
    pub fn parse(pattern: &str) -> Result<Self, TextPatternError> {
        if pattern.len() > LONGEST {
            return Err(TextPatternError::TooLong(pattern.len()));
        }
        RegexBuilder::new(pattern)
            .size_limit(COMPILED_BYTES)
            .dfa_size_limit(CACHE_BYTES)
            .nest_limit(DEEPEST)
            .build()
            .map(Self)
            .map_err(|error| match error {
                regex::Error::CompiledTooBig(_) => TextPatternError::TooLarge,
                other => TextPatternError::Syntax(reason(&other.to_string())),
            })
    }

    /// Whether it matches somewhere in the text. `^` and `$` bind it to the ends.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

/// The engine's message shows the pattern over several lines; its last one says why.
fn reason(message: &str) -> String {
    let last = message.lines().next_back().unwrap_or_default();
    let last = last.strip_prefix("error: ").unwrap_or(last);
    UntrustedText::from(last).one_line(200)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_pattern_finds_its_text_anywhere_unless_it_is_bound() {
        let anywhere = TextPattern::parse(r"\d{4}-\d\d").unwrap();
        assert!(anywhere.is_match("on 2026-10-02"));
        assert!(!TextPattern::parse(r"^\d+$").unwrap().is_match("12a"));
        assert!(TextPattern::parse(r"(?i)^é\w$").unwrap().is_match("Éü"));
    }

    #[test]
    fn a_pattern_that_needs_a_search_that_goes_back_is_refused_with_its_reason() {
        for (pattern, says) in [
            ("(?=a)", "look-around"),
            ("(?<!a)b", "look-around"),
            (r"(a)\1", "backreferences"),
            ("(a", "unclosed group"),
            ("[z-a]", "invalid character class range"),
        ] {
            let message = TextPattern::parse(pattern).unwrap_err().to_string();
            assert!(message.contains(says), "{pattern}: {message}");
            assert!(!message.contains('\n'), "{message}");
        }
    }

    #[test]
    fn a_short_pattern_that_would_be_huge_is_refused() {
        for pattern in ["(a{99}){99}", r"(\w{50}){50}", "((a{30}){30}){30}"] {
            let started = Instant::now();
            assert_eq!(
                TextPattern::parse(pattern).unwrap_err(),
                TextPatternError::TooLarge,
                "{pattern}"
            );
            assert!(started.elapsed() < Duration::from_millis(500), "{pattern}");
        }
        let deep = format!("{}a{}", "(".repeat(40), ")".repeat(40));
        assert!(TextPattern::parse(&deep).is_err());
        let long = "a".repeat(LONGEST + 1);
        assert_eq!(
            TextPattern::parse(&long).unwrap_err(),
            TextPatternError::TooLong(LONGEST + 1)
        );
    }

    #[test]
    fn nested_repeats_do_not_stall() {
        let text = format!("{}!", "a".repeat(40));
        for pattern in ["^(a+)+$", "^(a|aa)+$", "^(a*)*$", "(.*)*x"] {
            let pattern = TextPattern::parse(pattern).unwrap();
            let started = Instant::now();
            assert!(!pattern.is_match(&text));
            assert!(started.elapsed() < Duration::from_millis(100));
        }
    }
}
