//! Every protected-origin vector of the published set, judged by its own catalog's rules.

use serde_json::Value;
use slicc_browsers::{CATALOG, PROTECTED};
use sr_policy::protected::{Protected, ProtectedRules, Target, Verdict};

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("a published file is JSON")
}

fn rules(vectors: &Value) -> Protected {
    let catalog = read(CATALOG);
    let rules: ProtectedRules =
        serde_json::from_value(catalog["protectedOrigins"].clone()).expect("the rules are known");
    let origins = vectors["origins"].as_array().expect("extra origins");
    Protected::new(
        rules,
        origins.iter().map(|origin| origin.as_str().expect("text")),
    )
    .expect("the extra origins are origins")
}

#[test]
fn every_vector_is_judged_as_published() {
    let vectors = read(PROTECTED);
    let protected = rules(&vectors);
    let mut wrong = Vec::new();
    let mut judged = 0;
    let mut hold = |row: &Value, verdict: Verdict| {
        judged += 1;
        if row["protected"].as_bool() != Some(verdict.is_protected()) {
            wrong.push(format!("{row}: {verdict:?}"));
        }
    };
    let rows = |name: &str| vectors[name].as_array().expect("rows").iter();
    let text = |row: &Value, name: &str| row[name].as_str().expect("text").to_owned();
    for row in rows("urls") {
        hold(row, protected.url(&text(row, "url")));
    }
    for row in rows("targets") {
        let mut target = row.clone();
        target
            .as_object_mut()
            .expect("a target")
            .remove("protected");
        let target: Target = serde_json::from_value(target).expect("the fields are known");
        hold(row, protected.target(&target));
    }
    for row in rows("cookieDomains") {
        hold(row, protected.cookie_domain(&text(row, "domain")));
    }
    for row in rows("storageKeys") {
        hold(row, protected.storage_key(&text(row, "key")));
    }
    assert!(wrong.is_empty(), "{} of {judged}: {wrong:#?}", wrong.len());
    let published = match env!("CARGO_MANIFEST_DIR").ends_with("1.7.4") {
        true => 135,
        false => 293,
    };
    assert_eq!(judged, published);
}
