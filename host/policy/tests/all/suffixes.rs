//! Wildcards on names under which strangers register.

use sr_policy::suffix::refuse_public_suffix;
use sr_policy::{Allowlist, DomainPattern};

fn verdict(entry: &str) -> Result<(), String> {
    let pattern: DomainPattern = entry
        .parse()
        .map_err(|error: sr_policy::PatternError| error.to_string())?;
    refuse_public_suffix(&pattern).map_err(|error| error.to_string())
}

#[test]
fn a_wildcard_on_a_public_suffix_is_refused_and_named() {
    for entry in [
        "*.co.uk",
        "*.com",
        "*.github.io",
        "*.localhost",
        "*.s3.amazonaws.com",
        "*.kawasaki.jp",
        "*.x.kawasaki.jp",
    ] {
        let error = verdict(entry).unwrap_err();
        assert!(error.contains(entry), "{error}");
    }
    assert!(
        verdict("*.github.io")
            .unwrap_err()
            .contains("example.github.io")
    );
}

#[test]
fn a_wildcard_below_one_and_an_exact_name_are_allowed() {
    for entry in [
        "*.me.github.io",
        "*.example.co.uk",
        "*.shop.test",
        "*.example.com",
        "co.uk",
        "github.io",
    ] {
        assert_eq!(verdict(entry), Ok(()), "{entry}");
    }
}

#[test]
fn the_allowlist_leaves_such_a_wildcard_out() {
    let (list, errors) = Allowlist::from_entries(["*.co.uk", "*.example.co.uk"]);
    assert_eq!(list.entries().collect::<Vec<_>>(), ["*.example.co.uk"]);
    assert_eq!(errors.len(), 1);
}
