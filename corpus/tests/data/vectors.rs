//! What no schema says of `protected.json`.

use sr_browsers::protected::{
    OPENER_PROTECTED, OPENER_UNKNOWN, OPENER_UNPROTECTED, Vectors, vectors,
};
use sr_browsers::{PROTECTED, shared_catalog};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// Each vector once, and enough of either answer.
fn assert_set<T: Debug>(vectors: &[T], at_least: usize, answer: impl Fn(&T) -> bool) {
    let mut seen = BTreeSet::new();
    for vector in vectors {
        assert!(seen.insert(format!("{vector:?}")), "twice: {vector:?}");
    }
    assert!(vectors.len() >= at_least, "{} of {at_least}", vectors.len());
    let yes = vectors.iter().filter(|vector| answer(vector)).count();
    assert!(
        yes * 4 > vectors.len() && yes * 4 < vectors.len() * 3,
        "{yes} of {}",
        vectors.len()
    );
}

#[test]
fn there_are_enough_of_either_answer_and_none_twice() {
    let all = vectors();
    assert_set(&all.urls, 120, |vector| vector.protected);
    assert_set(&all.targets, 50, |vector| vector.protected);
    assert_set(&all.cookie_domains, 20, |vector| vector.protected);
    assert_set(&all.storage_keys, 15, |vector| vector.protected);
}

#[test]
fn rules_are_those_of_the_catalog() {
    let (vectors, rules) = (vectors(), &shared_catalog().protected_origins);
    assert_eq!(vectors.error_page, rules.error_page);
    assert_eq!(vectors.unparseable, rules.unparseable);
    assert_eq!(vectors.unparseable_refusal, rules.unparseable_refusal);
}

#[test]
fn every_rule_of_the_catalog_has_a_vector() {
    let (vectors, rules) = (vectors(), &shared_catalog().protected_origins);
    let judged = |start: &str, protected| {
        let mut urls = vectors.urls.iter();
        urls.any(|vector| vector.protected == protected && vector.url.starts_with(start))
    };
    for scheme in rules.protected_schemes.iter().chain(&rules.any_schemes) {
        assert!(judged(&format!("{scheme}:"), true), "{scheme}");
    }
    for scheme in &rules.inner_schemes {
        assert!(
            judged(&format!("{scheme}:"), true) && judged(&format!("{scheme}:"), false),
            "{scheme}"
        );
    }
    for open in rules.scheme_exceptions.iter().chain(&rules.inheriting) {
        assert!(judged(open, false), "{open}");
    }
    for host in &rules.hosts {
        assert!(judged(&format!("https://{host}/"), true), "{host}");
    }
    for opener in [OPENER_PROTECTED, OPENER_UNPROTECTED, OPENER_UNKNOWN] {
        let known = vectors
            .targets
            .iter()
            .any(|target| target.opener.as_deref() == Some(opener));
        assert!(known, "{opener}");
    }
    for kind in &rules.target_types {
        assert!(
            vectors
                .targets
                .iter()
                .any(|target| target.kind.as_ref() == Some(kind)),
            "{kind}"
        );
    }
}

#[test]
fn an_older_file_without_the_newer_rules_is_read() {
    let mut older: serde_json::Value = serde_json::from_str(PROTECTED).expect("JSON");
    let fields = older.as_object_mut().expect("an object");
    for field in ["errorPage", "unparseable", "unparseableRefusal"] {
        fields.remove(field).expect("a field of the newer file");
    }
    let read: Vectors = serde_json::from_value(older.clone()).expect("an older file");
    assert!(read.error_page.is_empty() && read.unparseable.is_empty());
    assert_eq!(serde_json::to_value(read).expect("JSON"), older);
}
