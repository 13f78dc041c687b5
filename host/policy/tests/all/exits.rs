//! Exit codes, and what the host does about each failure.

use sr_policy::exit::{
    EXIT_CODES, FAILURE_TABLE, for_failure, markdown_exit_codes, markdown_failures, outcome_for,
    row_name,
};
use sr_policy::failure::{Gone, Place, codes};
use sr_policy::host_options::{
    HOST_OPTIONS, is_reserved, is_reserved_short, markdown_host_options,
};
use sr_policy::{Denial, Failure};

fn other(code: &str, retryable: bool) -> Failure {
    Failure::Other {
        code: code.to_owned(),
        message: String::new(),
        hint: None,
        retryable,
    }
}

fn denied(code: &str) -> Failure {
    Denial::new(code, "rule", "subject", None).into()
}

fn every_failure() -> Vec<(Failure, u8)> {
    let at = Place {
        origin: "https://example.com".to_owned(),
        path: "/".to_owned(),
    };
    let text = String::new;
    vec![
        (denied(codes::DOMAIN_NOT_ALLOWED), 68),
        (denied(codes::PORT_NOT_ALLOWED), 68),
        (denied(codes::SCHEME_NOT_ALLOWED), 68),
        (denied(codes::USERINFO_NOT_ALLOWED), 68),
        (denied(codes::URL_NOT_ACCEPTED), 68),
        (denied(codes::ADDRESS_NOT_ALLOWED), 68),
        (denied(codes::HEADER_NOT_ALLOWED), 68),
        (denied(codes::PROTECTED_ORIGIN), 68),
        (denied("MADE_UP_BY_A_GUEST"), 68),
        (denied(codes::METHOD_NOT_ALLOWED), 77),
        (denied(codes::NOT_DURING_PREPARE), 77),
        (denied(codes::NOT_DURING_METADATA), 77),
        (denied(codes::CAPABILITY_NOT_GRANTED), 77),
        (denied(codes::LIMIT_REACHED), 70),
        (
            Failure::LoginWall {
                at,
                evidence: text(),
            },
            77,
        ),
        (Failure::Empty(text()), 66),
        (
            Failure::SelectorMiss {
                selector: text(),
                key: None,
                strategy: text(),
            },
            1,
        ),
        (
            Failure::Timeout {
                what: text(),
                limit_ms: 1,
            },
            75,
        ),
        (
            Failure::Stale {
                why: Gone::NodeRemoved,
                candidates: Vec::new(),
            },
            1,
        ),
        (Failure::Busy(text()), 75),
        (
            Failure::Throttled {
                evidence: text(),
                retry_after_ms: None,
            },
            75,
        ),
        (
            Failure::Invalid {
                name: text(),
                reason: text(),
            },
            2,
        ),
        (Failure::Unavailable(text()), 69),
        (Failure::Cancelled, 130),
        (other("X", false), 1),
        (other("X", true), 1),
        (other("REPLAY_MISS", false), 66),
    ]
}

#[test]
fn every_failure_ends_with_the_code_of_its_line() {
    for (failure, exit) in every_failure() {
        assert_eq!(for_failure(&failure), exit, "{failure:?}");
        let row = FAILURE_TABLE
            .iter()
            .find(|row| row.failure == row_name(&failure))
            .expect("a line");
        assert_eq!(row.exit, exit, "{}", row.failure);
        assert_eq!(row.outcome, outcome_for(&failure));
    }
}

#[test]
fn codes_rise_and_every_line_uses_one_of_them() {
    assert!(EXIT_CODES.is_sorted_by(|a, b| a.code < b.code));
    let codes: Vec<u8> = EXIT_CODES.iter().map(|row| row.code).collect();
    assert_eq!(codes, [0, 1, 2, 65, 66, 68, 69, 70, 75, 76, 77, 78, 130]);
    assert!(FAILURE_TABLE.iter().all(|row| codes.contains(&row.exit)));
    assert_eq!(
        FAILURE_TABLE.last().map(|row| row.exit),
        Some(75),
        "after commit: verify before retry"
    );
}

#[test]
fn journal_words_are_the_published_ones() {
    let words = [
        "ok",
        "empty",
        "shape_mismatch",
        "auth",
        "arg",
        "env",
        "timeout",
        "selector_miss",
        "crash",
        "as above",
    ];
    for row in FAILURE_TABLE {
        assert!(words.contains(&row.outcome), "{}", row.outcome);
    }
}

#[test]
fn the_tables_are_whole_in_the_docs() {
    assert_eq!(markdown_exit_codes().lines().count(), EXIT_CODES.len() + 2);
    assert_eq!(markdown_failures().lines().count(), FAILURE_TABLE.len() + 2);
    assert_eq!(
        markdown_host_options().lines().count(),
        HOST_OPTIONS.len() + 2
    );
    assert!(markdown_exit_codes().contains("| 68 | domain-refused |"));
    assert!(markdown_host_options().contains("`-f, --format FORMAT`"));
}

#[test]
fn reserved_options_are_known_by_name_and_letter() {
    for long in [
        "format",
        "verbose",
        "help",
        "version",
        "replay",
        "record",
        "resolve",
        "connect-to",
        "cacert",
        "proxy",
        "trace",
        "timeout",
        "dry-run",
        "site-session",
        "window",
        "keep-tab",
        "profile",
        "strategy",
        "yes",
    ] {
        assert!(is_reserved(long), "{long}");
    }
    assert_eq!(HOST_OPTIONS.len(), 19);
    assert!("fvhV".chars().all(is_reserved_short) && !is_reserved_short('n'));
    assert!(!is_reserved("limit") && !is_reserved("Format") && !is_reserved(""));
}

#[test]
fn a_denial_is_ascii_and_bounded_whatever_goes_in() {
    let denial = Denial::new(
        &"C".repeat(100),
        &"r".repeat(100),
        &"é\u{1b}".repeat(200),
        Some("f".repeat(513)),
    );
    assert_eq!(
        (denial.code.len(), denial.rule.len(), denial.fix),
        (64, 64, None)
    );
    assert!(
        denial.subject.len() <= 255
            && denial
                .subject
                .chars()
                .all(|letter| letter.is_ascii_graphic())
    );
    assert!(denial.subject.starts_with("\\u{e9}\\u{1b}"));
}
