//! What no schema says of the catalog, and how it is read.

use regex::Regex;
use serde_json::Value;
use sr_browsers::{CATALOG, Catalog, CatalogError, catalog, shared_catalog};
use std::collections::BTreeSet;

fn assert_unique<'a>(what: &str, values: impl Iterator<Item = &'a str>) {
    let mut seen = BTreeSet::new();
    for value in values {
        assert!(seen.insert(value), "{what} twice: {value}");
    }
}

#[test]
fn ids_names_and_bundles_are_unique() {
    let catalog = shared_catalog();
    let browsers = &catalog.browsers;
    let apps = &catalog.electron.macos_apps;
    assert_unique("id", browsers.iter().map(|browser| browser.id.as_str()));
    assert_unique("name", browsers.iter().map(|browser| browser.name.as_str()));
    let bundles = browsers
        .iter()
        .map(|browser| browser.macos.bundle_id.as_str());
    assert_unique(
        "bundle id",
        bundles.chain(apps.iter().map(|app| app.bundle_id.as_str())),
    );
    assert_unique("app", apps.iter().map(|app| app.name.as_str()));
    let linux = || browsers.iter().filter_map(|browser| browser.linux.as_ref());
    assert_unique(
        "bin",
        linux().flat_map(|linux| &linux.bins).map(String::as_str),
    );
    assert_unique(
        "desktop id",
        linux()
            .flat_map(|linux| &linux.desktop_ids)
            .map(String::as_str),
    );
    assert_unique(
        "package",
        linux().flat_map(|linux| &linux.debs).map(String::as_str),
    );
}

#[test]
fn tiers_rise_from_seven_to_six() {
    let tiers = &shared_catalog().rank.tiers;
    let order = [
        tiers.seven_open,
        tiers.endpoint,
        tiers.chrome,
        tiers.chromium,
        tiers.electron,
        tiers.six,
    ];
    assert!(order.is_sorted_by(|one, next| one < next), "{order:?}");
}

#[test]
fn patterns_compile_and_have_their_group() {
    let catalog = shared_catalog();
    let compile =
        |pattern: &str| Regex::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
    for (pattern, groups) in [
        (&catalog.discovery.chrome_major_pattern, 1),
        (&catalog.seven.origin_host_pattern, 1),
        (&catalog.profiles.six_profile_pattern, 1),
        (&catalog.profiles.name_pattern, 0),
    ] {
        assert_eq!(compile(pattern).captures_len(), groups + 1, "{pattern}");
    }
    let six = &catalog.profiles.six;
    let name = format!(
        "{}{}",
        six.default_name,
        six.port_suffix.replace("{port}", "5720")
    );
    let pattern = compile(&catalog.profiles.six_profile_pattern);
    assert!(
        pattern.is_match(&six.default_name) && pattern.is_match(&name),
        "{name}"
    );
}

#[test]
fn what_is_referred_to_exists() {
    let catalog = shared_catalog();
    assert!(catalog.browser(&catalog.rank.chrome_id).is_some());
    let roots = &catalog.platforms.windows.roots;
    for browser in &catalog.browsers {
        if let Some(windows) = &browser.windows {
            for name in windows.roots.iter().chain([&windows.data_root]) {
                assert!(roots.contains_key(name), "{}: root {name}", browser.id);
            }
        }
    }
    let protected = &catalog.protected_origins;
    for host in &protected.hosts {
        let covered = protected
            .domains
            .iter()
            .any(|domain| host.ends_with(domain));
        assert!(covered, "a host that no domain covers: {host}");
    }
}

#[test]
fn types_lose_nothing_of_the_catalog() {
    let read: Value = serde_json::from_str(CATALOG).expect("JSON");
    let written = serde_json::to_value(catalog()).expect("JSON");
    assert_eq!(written, read);
}

#[test]
fn priority_is_the_place_in_the_list_and_unknown_ids_are_last() {
    let catalog = shared_catalog();
    assert_eq!(catalog.priority("chrome"), 0);
    assert!(catalog.priority("edge") < catalog.priority("vivaldi"));
    assert_eq!(catalog.priority("netscape"), catalog.browsers.len());
    assert!(catalog.browser("netscape").is_none());
}

#[test]
fn labels_are_excluded_by_name_and_by_start() {
    let seven = &shared_catalog().seven;
    for label in ["seven", "www", "echoes", "vaults"] {
        assert!(seven.is_seven_label(label), "{label}");
    }
    for label in ["", "echo", "vault", "vault-blue"] {
        assert!(!seven.is_seven_label(label), "{label}");
    }
}

#[test]
fn another_schema_is_refused_before_its_fields_are_read() {
    let refused = Catalog::parse(r#"{"schema": 2, "programs": []}"#).expect_err("another schema");
    assert!(
        matches!(refused, CatalogError::Schema { found: 2 }),
        "{refused}"
    );
    let message = "schema of the catalog: 2; this program reads schema 1";
    assert_eq!(refused.to_string(), message);
}

#[test]
fn a_text_that_is_no_catalog_says_why() {
    for (text, why) in [
        ("[]", "invalid length 0"),
        (r#"{"schema": 1}"#, "missing field `minChromiumMajor`"),
        ("", "EOF"),
    ] {
        let refused = Catalog::parse(text).expect_err("no catalog").to_string();
        assert!(
            refused.starts_with("not a catalog: ") && refused.contains(why),
            "{refused}"
        );
    }
}

#[test]
fn an_older_catalog_without_the_newer_rules_is_read() {
    let mut older: Value = serde_json::from_str(CATALOG).expect("JSON");
    let rules = older["protectedOrigins"]
        .as_object_mut()
        .expect("an object");
    for field in [
        "protectedSchemes",
        "schemeExceptions",
        "aboutScheme",
        "targetTypes",
        "errorPage",
        "unparseable",
        "unparseableRefusal",
    ] {
        rules.remove(field).expect("a field of the newer catalog");
    }
    let read = Catalog::parse(&older.to_string()).expect("an older catalog");
    let rules = &read.protected_origins;
    assert!(rules.protected_schemes.is_empty() && rules.error_page.is_empty());
    assert!(rules.unparseable.is_empty() && rules.about_scheme.is_empty());
    assert_eq!(serde_json::to_value(&read).expect("JSON"), older);
}
